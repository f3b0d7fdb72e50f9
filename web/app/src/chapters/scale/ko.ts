// 4장의 한국어 문구.
import { number, part, query, term } from '../../i18n/inline'
import type { ScaleMessages } from './en'

/** Keeps a particle on the line of its number (word joiner). */
const joined = '\u2060'

export const scale: ScaleMessages = {
  title: '왜 √d_k로 나눌까?',
  windowTitle: '√dₖ로 나누는 까닭',

  answer: (facts) => [
    `d_k = ${facts.headDim}일 때 난수로 만든 `,
    part('scores', '점수의 표준편차'),
    '는 ',
    number(facts.spread),
    `${joined}이고, `,
    part('weights', '한 행'),
    '에서 가장 큰 가중치는 평균 ',
    number(facts.largest),
    `${joined}입니다. √d_k로 나누면 표준편차는 `,
    number(facts.scaledSpread),
    ', 가장 큰 가중치는 ',
    number(facts.scaledLargest),
    `${joined}입니다.`,
  ],
  answerWaiting: '점수를 계산하는 중 …',

  grows: () => [
    '점수는 곱 d_k개를 더한 값입니다. q와 k의 성분이 서로 독립이고 평균 0, 분산 1이라면 곱 하나의 분산도 1입니다. 독립인 것끼리는 분산이 더해지므로 ',
    part('variance', 'q · k의 분산은 d_k'),
    '가 됩니다. 담긴 내용과 상관없이, 차원이 클수록 점수도 커집니다.',
  ],
  saturates: () => [
    '소프트맥스는 점수의 차이에 반응합니다. 차이가 크면 ',
    term('포화'),
    '(saturation)가 일어납니다. 키 하나가 가중치를 거의 다 가져가면서 ',
    part('entropy', '엔트로피'),
    '가 0에 가까워집니다. ',
    part('gradient', '기울기'),
    '도 대부분의 행에서 0에 가까워져, 학습으로 가중치를 바꾸기가 어려워집니다. 1 / √d_k를 곱하면 d_k가 얼마이든 분산이 1로 유지됩니다.',
  ],

  parts: {
    controls: '난수로 만든 점수',
    variance: 'dₖ가 커지면',
    model: '모델에서는',
    tries: '이렇게 해 보세요',
    formula: '수식',
    sources: '참고 문헌',
  },

  controls: {
    title: '난수로 만든 쿼리와 키',
    headDim: 'd_k',
    headDimText: (headDim) => `d_k = ${headDim}`,
    seed: '시드',
    another: '다른 난수로',
    note: (queries, keys) =>
      `쿼리 ${queries}개와 키 ${keys}개를 정규 분포를 따르는 난수로 채웠습니다. 시드가 같으면 난수도 같고, d_k가 작을 때는 앞쪽 열만 씁니다.`,
  },

  without: '나누지 않은 q · k',
  with: '√d_k로 나눈 것',
  normal: '분산이 d_k인 정규 분포',
  waiting: '계산하는 중 …',

  scores: {
    title: '점수의 분포',
    file: (headDim) => `난수로 만든 점수의 분포, d_k = ${headDim}`,
    x: '점수',
    y: '차지하는 비율',
    help: '쿼리와 키의 모든 쌍을 좁은 구간으로 나누어 세었습니다.',
  },
  row: {
    title: '첫 쿼리의 소프트맥스 행',
    file: (headDim) => `난수로 만든 점수 한 행의 소프트맥스, d_k = ${headDim}`,
    x: '키',
    y: '가중치',
    help: '두 행 모두 더하면 1이고, 키의 순위도 같습니다.',
  },
  variance: {
    title: '점수의 분산',
    file: '헤드 차원에 따른 점수의 분산',
    y: '분산',
    help: '두 축 모두 로그 눈금입니다. 가는 선은 수식에서 나온 분산입니다.',
    expected: '수식에 따른 d_k',
  },
  entropy: {
    title: '행의 엔트로피',
    file: '헤드 차원에 따른 소프트맥스 행의 엔트로피',
    y: '행 평균(nat)',
    rule: (keys) => `ln ${keys}: 모든 키에 고르게`,
    help: '점을 누르면 그 d_k로 바뀝니다.',
  },
  gradient: {
    title: '소프트맥스를 지나는 기울기',
    file: '헤드 차원에 따른 소프트맥스 야코비 행렬의 노름',
    y: '‖J‖, 행 평균',
    median: '나누지 않은 것의 중앙값',
    help: '가중치를 점수로 편미분한 값을 모두 모은 행렬의 프로베니우스 노름입니다.',
  },

  model: {
    title: (head) => `${head} 헤드에서도 그럴까`,
    factor: '학습 때를 1로 한 스케일',
    factorText: (factor) => `학습 때 스케일의 ${factor}배`,
    trained: '학습된 그대로',
    without: '나누지 않으면',
    known: (facts) => [
      `${facts.head} 헤드에서 d_k는 ${facts.headDim}입니다. 스케일을 학습된 그대로 두면 이 글에서 점수의 분산은 `,
      number(facts.variance),
      `${joined}입니다. 나누지 않으면 점수가 모두 √${facts.headDim}배, 곧 `,
      number(facts.root),
      `${joined}배가 됩니다.`,
    ],
    row: {
      title: (token) => [query(token), '의 행'],
      file: (head) => `스케일을 바꾼 ${head} 헤드의 한 행`,
      x: '키',
      y: '가중치',
      changed: (factor) => `스케일 × ${factor}`,
      help: '위의 토큰에서 다른 쿼리를 고를 수 있습니다.',
    },
    entropy: {
      title: '이 헤드 행의 엔트로피',
      file: (head) => `스케일에 따른 ${head} 헤드 행의 엔트로피`,
      x: '학습 때를 1로 한 스케일',
      y: '행 평균(nat)',
    },
    gradient: {
      title: '이 헤드의 기울기',
      file: (head) => `스케일에 따른 ${head} 헤드의 야코비 행렬 노름`,
      y: '‖J‖, 행 평균',
    },
    honesty: () => [
      '학습을 마친 쿼리와 키는 서로 독립이 아니고, 그 길이도 이 스케일을 둔 채로 학습한 것입니다. 그래서 나중에 스케일을 빼 보면 점수가 커졌을 때 소프트맥스가 어떻게 되는지는 알 수 있어도, 스케일 없이 학습한 모델이 무엇을 배웠을지는 알 수 없습니다. 꼭 이 값이어야 하는 것도 아닙니다. 층이 스케일을 스스로 배우게 할 수도 있고, 다른 값을 쓰는 모델도 있습니다.',
    ],
  },

  tries: {
    title: '이렇게 해 보세요',
    now: '지금:',
    wide: () => [
      'd_k를 512로 올려 보세요. 나누지 않으면 키 하나가 한 행에서 얼마나 가져가고, 기울기는 얼마나 남을까요?',
    ],
    wideEvidence: (facts) => [
      '가장 큰 가중치 ',
      number(facts.largest),
      ', 기울기 ',
      number(facts.gradient),
      '(절반의 행에서는 ',
      number(facts.medianGradient),
      ' 이하). 나누면 ',
      number(facts.scaledLargest),
      ', ',
      number(facts.scaledGradient),
    ],
    one: () => [
      'd_k를 1로 내려 보세요. 이때도 나눌 필요가 있을까요? 시드를 바꾸어도 답이 같을까요?',
    ],
    oneEvidence: (variance, scaled) => [
      '√1 = 1이라 달라지는 것이 없습니다. 분산은 나누기 전에 ',
      number(variance),
      ', 나눈 뒤에 ',
      number(scaled),
      '. 난수가 몇 개 되지 않아 꼭 1이 되지는 않습니다.',
    ],
    model: () => [
      '모델의 3.1 헤드에서 스케일을 빼 보세요. ',
      query('it'),
      '은 여전히 가중치를 여러 곳에 나누어 줄까요?',
    ],
    modelEvidence: (before, after) => [
      '행의 엔트로피: 학습된 그대로 ',
      number(before),
      ' nat, 나누지 않으면 ',
      number(after),
      ' nat',
    ],
  },

  formula: {
    title: '수식',
    help: '기호를 고르면 그 뜻과 지금 값이 나옵니다.',
    now: '지금',
    symbols: {
      variance: ['점수의 분산', '나누지 않은 점수를 모든 쌍에서 잰 값입니다.'],
      size: ['헤드 차원', '더하는 곱의 개수입니다.'],
      query: ['쿼리의 성분 하나', '평균 0, 분산 1이라고 가정합니다.'],
      key: ['키의 성분 하나', '쿼리의 성분과 독립이라고 가정합니다.'],
      root: ['스케일', '분산을 d_k로 나누는 셈입니다.'],
      weight: [
        '키 j의 가중치',
        '한 행의 점수에 소프트맥스를 취한 것. 값은 가장 큰 가중치의 평균입니다.',
      ],
      jacobian: [
        '소프트맥스의 야코비 행렬',
        '점수가 변할 때 가중치가 얼마나 변하는지 나타냅니다. 값은 그 노름입니다.',
      ],
      entropy: ['행의 엔트로피', '키 하나가 다 가져가면 0, 모두 고르게 나누면 ln n입니다.'],
    },
  },

  sources: {
    title: '참고 문헌',
    about: {
      vaswani:
        '3.2.1절과 그 각주에 분산 d_k가 나온다. 그때 소프트맥스의 기울기가 너무 작아진다는 것은 저자들의 짐작이며, 위의 그림에서 이를 쟀다.',
      britz: '그 논문이 근거로 든 비교. 스케일이 없으면 차원이 클 때 점곱이 덧셈 어텐션에 뒤졌다.',
    },
  },
}
