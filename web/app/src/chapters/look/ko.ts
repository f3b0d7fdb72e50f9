// 1장의 한국어 문구.
import contribution from '../../figures/contribution.inline.tex'
import { key, math, number, part, query, term } from '../../i18n/inline'
import type { LookMessages } from './en'

/** Keeps a particle on the line of its number (word joiner). */
const joined = '\u2060'

export const look: LookMessages = {
  title: (token) => [query(token), '의 시선은 어디로 향할까?'],
  windowTitle: '보기',

  budget: (heads, layers) => [
    term('어텐션 헤드'),
    '(attention head)에서는 토큰이 저마다 가중치 1을 자기 자신을 포함한 문장의 모든 토큰에 나누어 줍니다. ',
    `이 모델은 ${String(layers)}개 층에 헤드를 ${String(heads)}개씩 두고, 모두 ${String(heads * layers)}개로 문장을 읽습니다. `,
    part('grid', '작은 그림 하나'),
    '가 헤드 하나의 어텐션 맵(attention map)입니다.',
  ],
  reading: () => [
    part('row', '행'),
    '은 쿼리(query), 곧 보는 쪽 토큰이고 ',
    part('column', '열'),
    '은 키(key), 곧 보이는 쪽 토큰입니다. ',
    part('scale', '색이 뚜렷할수록'),
    ' 가중치가 큽니다. 헤드 이름은 ‘층.헤드’로 적고 둘 다 0부터 셉니다. [CLS]와 [SEP]은 토크나이저가 붙인 특수 토큰입니다.',
  ],
  answer: (facts) => [
    part('opened', `${facts.head} 헤드`),
    '에서는 ',
    query(facts.query),
    '의 가중치 가운데 ',
    number(facts.keyShare),
    `${joined}가 `,
    key(facts.key),
    '에',
    ...(facts.second === null
      ? []
      : [', ', number(facts.secondShare), `${joined}가 `, key(facts.second), '에']),
    ' 놓입니다. ',
    number(facts.specialShare),
    `${joined}는 특수 토큰에 놓입니다. 특수 토큰은 헤드가 쉬어 가는 자리가 되기도 합니다.`,
  ],
  titleEmpty: '낱말이 없으면 헤드는 어디를 볼까?',
  answerEmpty: (facts) => [
    '입력한 글이 없어 행마다 특수 토큰끼리만 가중치를 나눕니다. ',
    part('opened', `${facts.head} 헤드`),
    '에서는 ',
    query(facts.query),
    '의 가중치 가운데 ',
    number(facts.keyShare),
    `${joined}가 `,
    key(facts.key),
    '에 놓입니다. 문장을 입력해 보세요.',
  ],
  answerWaiting: (head) => [
    part('opened', `${head} 헤드`),
    '가 이 문장을 어떻게 보는지는 그 층을 받는 대로 여기에 나옵니다.',
  ],

  parts: {
    grid: '모든 헤드',
    opened: '헤드 하나',
    tries: '이렇게 해 보세요',
    formula: '수식',
    sources: '참고 문헌',
  },

  grid: {
    title: '모든 헤드',
    label: '모든 헤드. 화살표 키로 옮겨 가고 Enter로 엽니다.',
    headName: (name) => `${name} 헤드`,
    headWithValue: (name, value) => `${name} 헤드, ${value}`,
    waiting: (name) => `${name} 헤드, 아직 받지 못함`,
    measuring: (done, all) => `헤드 ${String(all)}개 중 ${String(done)}개를 재는 중 …`,
    axes: '행은 층, 열은 헤드입니다.',
    sortBy: '순서',
    sorts: {
      place: '층과 헤드',
      target: '두 토큰 사이 가중치',
      entropy: '시선이 퍼진 정도',
      distance: '보는 거리',
      previous: '바로 앞 토큰에 두는 가중치',
      next: '바로 뒤 토큰에 두는 가중치',
      special: '특수 토큰에 두는 가중치',
    },
    sortTarget: (from, to) => `${from} → ${to} 가중치`,
    explain: {
      place: '',
      target: '헤드마다 이 두 토큰 사이의 가중치. 큰 것부터 놓았습니다.',
      entropy: '행의 엔트로피(단위 nat)를 행 전체에서 평균한 값. 큰 것부터 놓았습니다.',
      distance: '쿼리와 키 사이의 토큰 수를 가중치로 평균한 값. 큰 것부터 놓았습니다.',
      previous: '바로 앞 토큰에 두는 가중치의 평균. 큰 것부터 놓았습니다.',
      next: '바로 뒤 토큰에 두는 가중치의 평균. 큰 것부터 놓았습니다.',
      special: '[CLS]와 [SEP]에 두는 가중치 합의 평균. 큰 것부터 놓았습니다.',
    },
    fileTitle: '모든 헤드의 어텐션 가중치',
    fixedRow: (token) => `${token} 행 표시`,
  },

  map: {
    title: (name) => `${name} 헤드`,
    label: (name) =>
      `${name} 헤드의 맵. 행은 쿼리, 열은 키입니다. 화살표 키로 십자선을 옮기고 Enter로 고정하며, Escape를 누르면 모든 헤드로 돌아갑니다.`,
    quantity: '색이 나타내는 것',
    quantities: { weight: '가중치', contribution: '기여' },
    dim: '특수 토큰 흐리게',
    gamma: '작은 가중치 돋보이게',
    hidden: (share) => `이 행의 ${share}가 흐리게 한 토큰에 있습니다`,
    fileTitle: (name) => `${name} 헤드의 어텐션 가중치`,
    fileTitleContribution: (name) => `${name} 헤드의 기여`,
    zoomIn: '확대',
    zoomOut: '축소',
    wholeMap: '전체 보기',
    filter: '이 글자가 든 토큰만',
    filterNone: '이 글자가 든 토큰이 없습니다.',
    filtered: (shown, all) => `토큰 ${String(all)}개 중 ${String(shown)}개`,
    longHelp: '끌어서 옮기고, 휠이나 단추, +와 − 키로 확대·축소합니다.',
  },

  bars: {
    title: (token, head) => [`${head} 헤드에서 `, query(token), '의 행'],
    key: '키',
    weight: '가중치',
    contribution: '기여',
    others: (count) => `나머지 키 ${String(count)}개`,
    help: () => [
      '가중치는 그 키를 얼마나 보는지, 기여 ',
      math(contribution, '‖α v W_O‖'),
      '는 그 키가 더해 주는 벡터의 길이가 얼마인지 나타냅니다. 가중치가 커도 값 벡터가 짧으면 보태는 것이 적습니다.',
    ],
  },

  softmax: {
    score: (from, to, headDim) => `${from} → ${to} 점수: q · k / √${String(headDim)}`,
    largest: (token) => `이 행에서 가장 큰 점수(${token})`,
    sum: (count) => `이 행의 exp 값 ${String(count)}개를 더한 값`,
    contribution: '이 키의 v W_O 길이',
    waiting: '이 수의 바탕이 되는 점수를 계산하는 중입니다.',
  },

  table: {
    caption: (name) => `${name} 헤드의 가중치. 행은 쿼리, 열은 키`,
    captionContribution: (name) => `${name} 헤드의 기여. 행은 쿼리, 열은 키`,
    query: '쿼리',
    sum: '합',
    long: '글이 길어 표에는 고정한 행만 실었습니다. CSV 파일에는 모두 들어 있습니다.',
    gridCaption: '이 글에서 잰 모든 헤드의 값',
    head: '헤드',
  },

  tries: {
    title: '이렇게 해 보세요',
    now: '지금:',
    back: 'tired로 되돌리기',
    soft: () => [
      key('tired'),
      '를 ',
      key('soft'),
      '로 바꿔 보세요. 이제 ',
      query('it'),
      '을 고양이로 읽기는 어렵습니다. 3.1에서 그 행도 따라 바뀔까요?',
    ],
    softEvidence: (cat, mat) => [
      query('it'),
      ' → ',
      key('cat'),
      ' ',
      number(cat),
      ', ',
      query('it'),
      ' → ',
      key('mat'),
      ' ',
      number(mat),
    ],
    noun: () => [
      '5.11은 3.1보다 ',
      query('it'),
      '의 가중치를 ',
      key('cat'),
      '에 더 많이 둡니다. 그런데 그 열을 위에서 아래로 읽어 보세요. 수가 크면 대명사가 가리키는 말을 찾아낸 것일까요?',
    ],
    nounEvidence: (pronoun, least, most) => [
      query('it'),
      ' → ',
      key('cat'),
      ' ',
      number(pronoun),
      '. 다른 행도 ',
      key('cat'),
      '에 ',
      number(least),
      '에서 ',
      number(most),
      '까지 둡니다. 이 헤드는 쿼리가 무엇이든 중심 명사를 가리킵니다.',
    ],
    previous: () => [
      '0.2는 문장이 무엇이든 바로 앞 토큰을 봅니다. 확인한 다음 다른 문장을 직접 넣어 보세요.',
    ],
    previousEvidence: (least) => [
      '첫 행을 뺀 모든 행이 바로 앞 토큰에 ',
      number(least),
      ' 이상을 둡니다.',
    ],
  },

  honesty: () => [
    '가중치는 헤드가 어디를 보는지 알려 줄 뿐, 거기서 본 것이 얼마나 쓰이는지는 알려 주지 않습니다. ',
    part('bars', '기여와 견주어 보세요'),
    '. 둘 다 모델이 왜 그렇게 계산했는지를 설명해 주지는 않습니다. 그것을 알려면 무언가를 바꾸고 결과를 재 보아야 합니다.',
  ],

  formula: {
    title: '수식',
    help: '기호를 고르면 그 뜻과 지금 값이 나옵니다.',
    symbols: {
      alpha: ['쿼리 i가 키 j에 두는 가중치', '맵의 칸 하나입니다. 한 행을 더하면 1입니다.'],
      score: ['두 토큰의 점수', '쿼리와 키가 같은 쪽을 가리킬수록 큽니다.'],
      query: ['토큰 i의 쿼리 벡터', '이 헤드에서 토큰 i가 찾는 것입니다.'],
      key: ['토큰 j의 키 벡터', '이 헤드에서 토큰 j를 찾아낼 단서입니다.'],
      width: ['헤드 차원', '쿼리나 키 하나에 든 수의 개수입니다.'],
      sum: ['모든 키에 대한 합', '한 행의 가중치를 더하면 1이 되게 합니다.'],
      value: ['토큰 j의 값 벡터', '토큰 j를 보았을 때 건네받는 것입니다.'],
      output: ['이 헤드의 출력 행렬', '값을 모델의 공간으로 되돌립니다.'],
      contribution: ['키 j가 토큰 i에 주는 기여', '키 j가 더해 주는 벡터의 길이입니다.'],
    },
    now: '지금',
    vector: (length) => `수 ${String(length)}개`,
    matrix: (rows, columns) => `수 ${String(rows)} × ${String(columns)}개`,
  },

  sources: {
    title: '참고 문헌',
    about: {
      vaswani: '스케일드 점곱 어텐션과 멀티헤드 어텐션을 제안한 논문.',
      clark: 'BERT의 헤드가 무엇을 보는지 조사했고, 특수 토큰에서 쉬는 현상도 다루었다.',
      kobayashi: '가중치와 기여의 차이. 가중치를 곱하고 변환한 값의 노름을 잰다.',
      jain: '가중치는 설명이 아니라는 주장.',
      wiegreffe: '그에 대한 답. 무엇을 설명이라 부르느냐에 달렸다.',
      wang: '이 모델의 바탕이 된 모델을 증류한 방법.',
      reimers: '이런 모델이 문장을 비교하도록 학습하는 방법.',
    },
  },
}
