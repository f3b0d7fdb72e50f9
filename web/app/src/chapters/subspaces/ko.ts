// 6장의 한국어 문구. 영어를 옮긴 것이 아니라 같은 사실을 우리말로 따로 쓴 것이다.
import { key, number, part, query, term } from '../../i18n/inline'
import type { SubspacesMessages } from './en'

/** Keeps a particle on the line of its number (word joiner). */
const joined = '\u2060'

const spaceNames = { query: '쿼리', key: '키' } as const

export const subspaces: SubspacesMessages = {
  title: (first, second) => [query(first), ', ', key(second), ' 두 토큰은 얼마나 가까울까?'],
  windowTitle: '부분공간',

  answer: (facts) => [
    part('modelspace', `${facts.layer}층이 읽는 벡터`),
    '로 재면 두 토큰의 거리는 이 문장의 낱말 쌍 평균의 ',
    number(facts.model),
    `${joined}배이고(코사인 `,
    number(facts.modelCosine),
    '), ',
    part('headspace', `${facts.head} 헤드의 ${spaceNames[facts.space]}`),
    '로 재면 ',
    number(facts.inHead),
    `${joined}배입니다(코사인 `,
    number(facts.headCosine),
    ').',
  ],
  answerWaiting: '모든 층을 받으면 여기에 거리가 나옵니다.',
  answerFew: '거리를 재려면 낱말이 둘은 있어야 합니다.',
  failed: '계산하지 못했습니다.',

  shadow: (headDim, dModel) => [
    `모든 헤드는 토큰마다 같은 수 ${dModel}개를 읽어, 헤드마다 다르게 만든 수 ${headDim}개만 남깁니다. x W_Q와 x W_K가 그것이고, 이렇게 남는 방향이 그 헤드의 `,
    term('부분공간'),
    '(subspace)입니다. 그 밖의 방향으로만 다른 두 낱말은 이 헤드에서는 같은 낱말이나 다름없습니다. 그래서 모델에서 먼 것이 헤드에서는 가까울 수 있고, ',
    part('pairs', '그 반대일 수도'),
    ' 있습니다.',
  ],
  planes: () => [
    '평면마다 ',
    term('주성분'),
    '(principal component) 두 개를 그렸습니다. 이 문장의 토큰들이 가장 크게 갈리는 두 방향입니다. 그림은 전체가 아니라 일부이며, 얼마를 담았는지는 평면 위에 적었습니다. 수로 적은 거리는 모든 차원에서 쟀습니다.',
  ],

  parts: {
    spaces: '두 공간',
    pairs: '거리가 크게 달라진 쌍',
    map: '모든 헤드 비교',
    angles: '두 헤드 비교',
    tries: '이렇게 해 보세요',
    formula: '수식',
    sources: '참고 문헌',
  },

  controls: {
    title: '볼 것',
    layer: '층',
    head: '헤드',
    space: '헤드의 벡터',
    spaces: { query: '쿼리', key: '키' },
  },

  spaces: {
    title: '같은 토큰, 두 공간',
    model: (layer, dModel) => `${layer}층이 읽는 벡터, ${dModel}차원`,
    head: (head, space, headDim) => `${head} 헤드의 ${spaceNames[space]}, ${headDim}차원`,
    shares: (share) => `분산의 ${share}`,
    label: (name) => `${name}. 화살표 키로 토큰을 옮겨 가고 Enter로 고릅니다.`,
    help: '토큰에 포인터를 올리면 두 평면에서 함께 표시됩니다. 누르면 비교할 토큰(네모)이 됩니다. 기준 토큰(동그라미)은 위의 문장에서 고릅니다.',
    fileTitle: '모델의 공간과 헤드의 공간에 놓인 토큰',
    columns: ['토큰', '모델 1', '모델 2', '헤드 1', '헤드 2'],
    waiting: '두 평면을 계산하는 중입니다.',
  },

  pairs: {
    title: '거리가 가장 크게 달라진 쌍',
    nearer: '모델에서는 멀고 헤드에서는 가까운 쌍',
    farther: '모델에서는 가깝고 헤드에서는 먼 쌍',
    columns: ['쌍', '모델에서 거리', '헤드에서 거리', '모델에서 코사인', '헤드에서 코사인'],
    chosen: '지금 비교하는 쌍',
    show: (first, second) => `${first}, ${second} 비교하기`,
    help: '거리는 같은 공간에 있는 모든 낱말 쌍의 평균 거리를 1로 한 값입니다. 코사인은 벡터를 있는 그대로 두고 잽니다. 특수 토큰은 뺐습니다.',
    none: '낱말이 둘이면 쌍이 하나뿐이라 견줄 것이 없습니다.',
    caption: '모든 낱말 쌍을 두 공간에서 잰 값',
  },

  map: {
    title: '헤드끼리는 얼마나 닮았을까?',
    compare: '비교 기준',
    comparisons: {
      cka: '출력(CKA)',
      debiased: '출력, 편향을 없앤 CKA',
      query: 'W_Q가 읽는 부분공간',
      key: 'W_K가 읽는 부분공간',
    },
    about: {
      cka: '두 헤드가 이 문장의 토큰마다 내놓는 값(W_O를 곱하기 전)의 선형 CKA입니다. 한쪽을 돌리고 늘려서 다른 쪽이 되면 1, 상관이 없으면 0입니다.',
      debiased:
        '같은 것을 다르게 추정한 값입니다. 토큰이 아무리 적어도 잡음끼리는 0 언저리가 됩니다. 0보다 작은 값은 0과 같은 색입니다.',
      query:
        '두 W_Q가 읽는 부분공간 사이 주각의 코사인을 제곱해 평균한 값입니다. 같은 부분공간이면 1, 직교하면 0입니다. 문장과 상관없이 가중치만으로 정해집니다.',
      key: '두 W_K가 읽는 부분공간 사이 주각의 코사인을 제곱해 평균한 값입니다. 같은 부분공간이면 1, 직교하면 0입니다. 문장과 상관없이 가중치만으로 정해집니다.',
    },
    label:
      '모든 헤드를 서로 비교한 그림. 행과 열이 헤드이고 층 순서로 놓았습니다. 화살표 키로 옮겨 가고 Enter로 행의 헤드를 열어 열의 헤드와 견줍니다.',
    fileTitle: '헤드끼리 닮은 정도',
    readout: (first, second) => `${first}, ${second}`,
    waiting: '모든 헤드를 비교하는 중입니다.',
    few: '편향을 없앤 추정에는 토큰이 네 개 이상 필요합니다.',
    caption: (name) => `${name} 헤드와 가장 닮은 헤드`,
    columns: ['헤드', '닮은 정도'],
  },

  angles: {
    title: (first, second) => `${first} 헤드와 ${second} 헤드`,
    chart: (space) =>
      `두 헤드의 W_${space === 'query' ? 'Q' : 'K'}가 읽는 부분공간 사이의 주각(principal angle)`,
    number: '각의 번호',
    degrees: '각',
    reads: {
      same: '자기 자신과',
      apart: '겹치지 않는 헤드와',
      chance: '무작위 부분공간과',
    },
    ends: '눈금의 양 끝',
    endsAbout: '지금 연 헤드로 일부러 만든 헤드들을 같은 코드로 방금 잰 값입니다.',
    columns: ['연 헤드와', 'CKA', '편향 없앤 CKA', '가장 작은 각', '가장 큰 각'],
    made: {
      same: '돌리고 두 배로 늘린 자기 자신',
      apart: '겹치지 않는 헤드',
      chance: '우연: 토큰을 뒤섞고 W는 무작위로',
    },
    fileTitle: '두 헤드 사이의 주각',
    waiting: '두 헤드를 비교하는 중입니다.',
    few: '토큰 부족',
  },

  tries: {
    title: '이렇게 해 보세요',
    now: '지금:',
    moved: () => [
      '이 헤드에서 가장 많이 가까워진 쌍을 골라 보세요. 두 낱말에 무슨 공통점이 있을까요?',
    ],
    movedEvidence: (facts) => [
      query(facts.first),
      ', ',
      key(facts.second),
      ': 모델에서는 평균 거리의 ',
      number(facts.model),
      `${joined}배, 헤드에서는 `,
      number(facts.inHead),
      `${joined}배`,
    ],
    alike: () => ['이 문장에서 출력이 가장 닮은 두 헤드를 열어 보세요. 읽는 부분공간도 같을까요?'],
    alikeEvidence: (first, second, cka, overlap) => [
      `${first}, ${second}: CKA `,
      number(cka),
      ', 읽는 부분공간 사이 각의 코사인 제곱 평균 ',
      number(overlap),
    ],
    chance: () => [
      '편향을 없앤 추정으로 견주어 보세요. 닮은 정도 가운데 얼마가 토큰이 적은 탓이었을까요?',
    ],
    chanceEvidence: (plain, debiased) => [
      '토큰을 뒤섞은 헤드와 이 헤드의 CKA ',
      number(plain),
      ', 편향을 없애면 ',
      number(debiased),
    ],
  },

  honesty: (tokens) => [
    `모두 글 하나의 토큰 ${tokens}개로 잰 값입니다. 헤드에서 가깝다는 것은 이 헤드가 거기서 두 낱말을 쿼리로(또는 키로) 비슷하게 다룬다는 뜻일 뿐, 왜 그런지는 말해 주지 않습니다. 한 문장에서 `,
    part('redundancy', '출력이 닮았다고'),
    ' 그 헤드가 없어도 되는 것은 아닙니다. 없어도 되는지는 헤드를 끄고 무엇을 잃는지 재 보아야 압니다.',
  ],

  formula: {
    title: '수식',
    help: '기호를 고르면 그 뜻과 지금 값이 나옵니다.',
    now: '지금',
    symbols: {
      point: ['평면에 놓인 토큰 i', '수 두 개, 곧 점의 자리입니다.'],
      component: ['주성분 두 개', '평균을 뺀 벡터들의 오른쪽 특이벡터 가운데 처음 두 개입니다.'],
      vector: ['토큰 i의 벡터', '모델의 벡터이거나 헤드의 벡터입니다.'],
      mean: ['평균 벡터', '글의 모든 토큰에서 구한 평균입니다.'],
      angle: [
        'm번째 주각',
        '두 부분공간에 함께 있는 방향이면 0°, 서로 직교하는 방향이면 90°입니다.',
      ],
      singular: ['m번째 특잇값', '두 기저를 곱한 행렬의 특잇값입니다.'],
      basis: ['정규직교기저', '헤드 a와 b의 W_Q(또는 W_K) 열들이 이루는 공간의 기저입니다.'],
      alignment: ['선형 CKA', '0은 상관이 없음, 1은 돌리고 늘리면 같음을 뜻합니다.'],
      outputs: ['헤드 a와 b의 출력', '토큰마다 한 행이고 평균 행을 뺐습니다.'],
    },
    matrix: (rows, columns) => `수 ${rows} × ${columns}개`,
  },

  sources: {
    title: '참고 문헌',
    about: {
      vaswani: '여러 헤드가 “서로 다른 표현 부분공간”을 본다는 설명.',
      pearson: '주성분.',
      bjorck: '특잇값으로 주각을 구하는 방법.',
      kornblith: '신경망의 표현을 견주는 선형 CKA.',
      song: '편향 없는 추정, HSIC₁.',
      michel: '헤드를 빼 보며 몇 개까지 없어도 되는지 잰 논문.',
    },
  },
}
