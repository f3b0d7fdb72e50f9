// 2장의 한국어 문구.
import { key, number, part, query, term } from '../../i18n/inline'
import type { WhyMessages } from './en'

/** Keeps a particle on the line of its number (word joiner). */
const joined = '\u2060'

export const why: WhyMessages = {
  title: '헤드는 왜 여러 개일까?',
  windowTitle: '헤드가 여럿인 까닭',

  answer: ({ query: token, layer, first, second, wide }) => [
    `${layer}층에서 `,
    query(token),
    '의 가중치를 보면, ',
    part('heads', `${first.head} 헤드`),
    '가 ',
    key(first.key),
    '에 주는 몫은 ',
    number(first.weight),
    `${joined}이고, `,
    first.head === second.head ? '같은 헤드가 ' : `${second.head} 헤드가 `,
    key(second.key),
    '에 주는 몫은 ',
    number(second.weight),
    `${joined}입니다. 모든 헤드를 평균하면 `,
    part('lost', '두 값'),
    '은 ',
    number(first.mean),
    ', ',
    number(second.mean),
    '에 그칩니다.',
    ...(wide
      ? [
          ' 넓은 헤드 하나로 계산하면 가장 큰 가중치는 ',
          key(wide.key),
          '에 주는 ',
          number(wide.weight),
          `${joined}입니다.`,
        ]
      : []),
  ],
  answerWaiting: '이 층을 계산하는 중 …',

  budget1: () => [
    '소프트맥스는 한 행의 점수를 합이 1인 가중치로 바꿉니다. 행마다 1이라는 ',
    term('예산'),
    '을 나누어 쓰는 셈이어서, ',
    part('budget', '키 하나가 더 가져가면'),
    ' 나머지는 모두 줄어듭니다. 대명사처럼 두 낱말(가리키는 명사와 그 동사)을 함께 보아야 하는 낱말은 이 예산을 쪼갤 수밖에 없습니다.',
  ],
  budget2: () => [
    '헤드가 여러 개면 예산도 여러 벌입니다. 헤드마다 쿼리와 키가 따로 있으니 저마다 다른 곳에 1을 쓸 수 있습니다. ',
    part('grid', '같은 문장인데도 맵이 다릅니다'),
    '. 헤드가 모아 온 것은 W_O가 섞을 때까지 따로 남습니다. 소프트맥스가 하나뿐이라면 맵도 하나뿐이고, ',
    part('lost', '여러 맵을 평균하면'),
    ' 헤드 하나하나가 짚어 낸 곳이 흐려집니다.',
  ],

  parts: {
    budget: '1이라는 예산',
    maps: '헤드 하나와 여럿',
    heads: '어느 헤드가 어디를',
    lost: '평균이 잃는 것',
    tries: '이렇게 해 보세요',
    formula: '수식',
    sources: '참고 문헌',
  },

  key: '키',
  weight: '가중치',
  score: '점수',
  waiting: '계산하는 중 …',
  failed: '계산하지 못했습니다.',

  budget: {
    title: (token, head) => [query(token), `의 예산, ${head} 헤드`],
    file: (head) => `점수 하나를 바꾼 ${head} 헤드의 한 행`,
    caption: (token, head) => `${head} 헤드, ${token}의 행`,
    before: '처음',
    after: '지금',
    raise: '점수에 더한 값',
    slider: (token) => `${token}의 점수 올리기`,
    value: (by, weight) => `${by}, 가중치 ${weight}`,
    others: (count) => `나머지 키 ${String(count)}개`,
    sum: '모두 더하면',
    reset: '학습한 점수로 되돌리기',
    rest: '슬라이더를 끌거나 화살표 키를 눌러 보세요. 그 키의 점수가 바뀌고 행을 다시 계산합니다.',
    raised: (facts) => [
      key(facts.key),
      ': 점수 ',
      number(facts.by),
      ', 가중치 ',
      number(facts.before),
      ' → ',
      number(facts.after),
      '. 나머지 가중치는 모두 똑같이 ',
      number(facts.factor),
      `${joined}배가 되므로, 나머지끼리의 비율은 그대로입니다.`,
    ],
    help: '가는 선이 처음 가중치입니다. 한 번에 키 하나만 바꿀 수 있습니다.',
  },

  maps: {
    title: (layer) => `${layer}층을 넓은 헤드 하나로, 그리고 원래 헤드들로`,
    file: (layer) => `${layer}층: 넓은 헤드 하나, 평균, 그리고 모든 헤드`,
    wide: '넓은 헤드 하나',
    mean: '헤드의 평균',
    head: (head) => `${head} 헤드`,
    short: { wide: '넓은 헤드', mean: '평균' },
    open: (name) => `맵 보기: ${name}`,
    label: (name) =>
      `맵: ${name}. 화살표 키로 십자선을 옮기고, Enter로 쿼리를 정하거나 찾을 키를 고릅니다.`,
    caption: (token, layer) => `${layer}층, ${token}의 행`,
    long: '글이 길어 토큰을 적을 자리가 없습니다. 쿼리는 위의 토큰에서 고르세요.',
    about: {
      wide: (width) =>
        `학습한 모델이 아니라 이 페이지에서 만들어 본 것입니다. 모든 헤드의 쿼리와 키를 이어 붙이고 소프트맥스를 한 번만 씁니다. 스케일은 1/√${width}입니다.`,
      mean: () => '칸마다 이 층의 모든 헤드를 평균했습니다.',
      head: () => '모델이 계산한 그대로입니다.',
    },
  },

  heads: {
    title: (token) => ['어느 헤드에서 ', query(token), '의 가중치가 어디로 갈까'],
    file: (first, second) => `헤드마다 ${first}, ${second}에 주는 가중치`,
    x: '헤드',
    first: '첫째 키',
    second: '둘째 키',
    found: (first, second) => [
      key(first.key),
      '에 가장 많이 주는 것은 ',
      number(first.head),
      ' 헤드(',
      number(first.weight),
      '), ',
      key(second.key),
      '에 가장 많이 주는 것은 ',
      number(second.head),
      ' 헤드(',
      number(second.weight),
      ')입니다.',
    ],
    help: '이 글에서 지금 잰 값입니다. 헤드를 누르면 그 헤드가 열립니다.',
  },

  lost: {
    title: '평균하면 잃는 것',
    file: (layer) => `${layer}층: 어느 헤드에서든 가장 큰 가중치, 평균, 넓은 헤드 하나`,
    most: '헤드 가운데 가장 큰 값',
    spread: (ofMean, ofHeads) => [
      '평균한 행의 엔트로피는 ',
      number(ofMean),
      ' nat이고, 헤드마다 따로 잰 엔트로피의 평균은 ',
      number(ofHeads),
      ' nat입니다. 앞의 값이 뒤의 값보다 작아지는 일은 없습니다. 모든 행이 똑같지 않은 한, 평균한 행이 더 넓게 퍼집니다.',
    ],
    help: '‘헤드 가운데 가장 큰 값’은 서로 다른 행에서 왔으므로 더하면 1을 넘을 수 있습니다.',
  },

  honesty: () => [
    '여기 그린 것은 가중치일 뿐 증명이 아닙니다. 넓은 헤드는 따로 일하도록 학습한 헤드들을 이어 붙인 것입니다. 처음부터 헤드 하나로 학습했다면 쿼리도 키도 스케일도 달라졌을 것입니다. 또 모델은 평균한 맵을 계산하지 않습니다. 헤드마다 자기 가중치를 자기 값에 곱합니다. 동사에 주는 가중치가 큰 데에는 싱거운 까닭이 있을 수도 있습니다. 맵을 열어 보면 어느 행에서나 바로 다음 토큰을 보는 헤드도 있습니다. 모든 헤드가 꼭 필요한 것도 아닙니다. Michel et al. 2019에서는 학습을 마친 번역 모델의 헤드를 20%까지, BERT의 헤드를 40%까지 빼도 성능이 눈에 띄게 떨어지지 않았습니다.',
  ],

  tries: {
    title: '이렇게 해 보세요',
    now: '지금:',
    raise: () => [
      '3.1 헤드에서 ',
      key('mat'),
      '의 점수를 3만큼 올려 보세요. 점수가 그대로인 ',
      key('cat'),
      '의 가중치는 어떻게 될까요?',
    ],
    raiseEvidence: (mat, before, after) => [
      key('mat'),
      ' ',
      number(mat),
      ', ',
      key('cat'),
      ' ',
      number(before),
      ' → ',
      number(after),
    ],
    wide: () => [
      '3층을 넓은 헤드 하나로 열어 보세요. ',
      key('cat'),
      ', ',
      key('was'),
      ' 둘 다 찾아낼까요?',
    ],
    wideEvidence: (cat, was, top, weight) => [
      key('cat'),
      ' ',
      number(cat),
      ', ',
      key('was'),
      ' ',
      number(was),
      '. 가장 큰 가중치는 ',
      key(top),
      '에 주는 ',
      number(weight),
      `${joined}입니다.`,
    ],
    layer: () => ['4층으로 가 보세요. 거기서도 두 낱말을 서로 다른 헤드가 찾아낼까요?'],
    layerEvidence: (first, second) => [
      key(first.key),
      ': ',
      `${first.head} 헤드 `,
      number(first.weight),
      ', 평균 ',
      number(first.mean),
      '. ',
      key(second.key),
      ': ',
      `${second.head} 헤드 `,
      number(second.weight),
      ', 평균 ',
      number(second.mean),
    ],
  },

  formula: {
    title: '수식',
    help: '기호를 고르면 그 뜻과 지금 값이 나옵니다.',
    now: '지금',
    symbols: {
      weight: ['키 j의 가중치', '예산에서 차지하는 몫. 값은 첫째 키의 가중치입니다.'],
      score: ['키 j의 점수', '열어 둔 헤드의 점수에 더한 값까지 합친 것입니다.'],
      wide: [
        '넓은 헤드 하나의 맵',
        '헤드들의 점수를 먼저 더하고 예산은 한 번만 씁니다. 값은 첫째 키의 가중치입니다.',
      ],
      root: ['넓은 헤드의 스케일', '더하는 곱의 수가 헤드 하나의 h배입니다.'],
      heads: ['헤드 수', '헤드마다 나온 점수를 더해 √h로 나눕니다.'],
      mean: ['행의 평균', '값은 첫째 키의 가중치입니다.'],
      spread: ['평균의 엔트로피', '헤드별 엔트로피의 평균보다 작아지지 않습니다.'],
    },
  },

  sources: {
    title: '참고 문헌',
    about: {
      vaswani:
        '3.2.2절. 여러 헤드는 서로 다른 자리를 함께 볼 수 있지만, 헤드가 하나뿐이면 평균을 내느라 그러지 못한다고 했다.',
      clark: 'BERT의 헤드가 무엇을 보는지 조사했다. 문법 관계와 상호참조를 따르는 헤드도 있다.',
      michel:
        '반대쪽 이야기. 학습을 마친 뒤에는 많은 헤드를 하나씩 빼도 되고, 하나만 남겨도 되는 층도 많다.',
      kobayashi: '가중치만으로는 헤드가 무엇을 더하는지 알 수 없는 까닭.',
    },
  },
}
