// 11장의 한국어 문구. 영어를 옮긴 것이 아니라 같은 사실을 우리말로 따로 쓴 것이다.
import { number, part, term } from '../../i18n/inline'
import type { SpeedMessages } from './en'

/** Keeps a particle on the line of its number (word joiner). */
const joined = '\u2060'

export const speed: SpeedMessages = {
  title: '시간과 메모리는 어디에 쓰일까?',
  windowTitle: '메모리와 속도',

  answer: (facts) => [
    `${facts.head} 헤드가 계산할 점수는 ${facts.tokens} × ${facts.tokens} = `,
    number(facts.scores),
    `${joined}개입니다. 그러나 한꺼번에 가지고 있을 필요는 없습니다. `,
    part('tiles', `많아야 ${facts.largest}인 타일 ${facts.tiles}개`),
    `${joined}를 차례로 지나가면 출력이 똑같이 나옵니다. 가장 큰 차이가 `,
    number(facts.difference),
    `${joined}입니다.`,
  ],
  answerWaiting: () => [
    '모든 토큰 쌍의 점수를 계산하지만 그 점수를 한꺼번에 가지고 있을 필요는 없습니다. 해당 층을 받는 대로 여기에 수가 나옵니다.',
  ],
  tilesText: () => [
    term('플래시 어텐션'),
    '(FlashAttention)은 ',
    part('tiles', '쿼리 타일 하나'),
    '를 붙들고 키와 값의 타일을 하나씩 지나 보냅니다. 행마다 남기는 것은 ',
    part('rows', '지금까지의 최댓값 m, 합 l, 출력'),
    ', 셋뿐입니다. 더 큰 점수가 나오면 그때까지의 합과 출력에 exp(이전 m − 새 m)을 곱해 줄입니다. 근사가 아니라 정확한 계산입니다. 모든 점수에서 같은 수를 빼도 소프트맥스는 변하지 않기 때문입니다.',
  ],
  whyText: () => [
    '이렇게 하는 까닭은 계산은 싸고 ',
    part('moved', '수를 옮기는 일'),
    '은 비싸기 때문입니다. 같은 까닭으로 ',
    part('loops', '모든 헤드를 곱셈 한 번으로'),
    ' 계산하고, ',
    part('depth', '한 걸음씩 차례로 가야 하는'),
    ' 순환 신경망은 프로세서를 놀리며, ',
    part('roof', '글을 한 토큰씩 생성할 때는 메모리를'),
    ' 기다립니다. 아래에서는 이 페이지의 커널로 지금 쓰는 기기를 직접 재 봅니다.',
  ],

  parts: {
    tiles: '타일 하나씩',
    loops: '곱셈 한 번으로',
    depth: '차례로 가야 하는 걸음',
    roof: '메모리를 기다리는 일',
    growth: '길이와 메모리',
    device: '이 기기의 벤치마크',
    tries: '이렇게 해 보세요',
    formula: '수식',
    sources: '참고 문헌',
  },

  tiles: {
    title: (head) => `${head} 헤드, 타일 하나씩`,
    layer: '층',
    head: '헤드',
    queryTile: '타일의 쿼리 수',
    keyTile: '타일의 키 수',
    causal: '인과 마스크',
    stepper: {
      label: '단계',
      first: '처음',
      back: '한 단계 뒤로',
      forward: '한 단계 앞으로',
      play: '재생',
      pause: '멈춤',
    },
    stepOf: (step, all) => `${all}단계 중 ${step}단계`,
    nothing: '아직 아무것도 읽지 않음',
    range: (first, last) =>
      first === last ? `${String(first)}번` : `${String(first)}–${String(last)}번`,
    against: (queries, keys) => `${queries} 쿼리와 ${keys} 키`,
    skipped: (skipped, all) =>
      `타일 ${all}개 가운데 ${skipped}개는 마스크가 모두 가려 볼 것이 없습니다. 여기서도 커널에서도 건너뜁니다.`,
    help: '채워진 띠가 지금 프로세서 가까이에 있는 것입니다. 색칠한 칸은 exp(점수 − m), 짧은 줄은 계산했다가 버린 점수입니다. O의 행은 끝나는 대로 채워집니다.',
    fileTitle: (head) => `타일로 계산한 ${head} 헤드`,
    caption: '이 타일의 행',
    columns: ['쿼리', '이전 m', '새 m', '이전 l', '새 l'],
  },

  rows: {
    title: (token) => `수로 보는 ${token} 행`,
    start: () => ['첫 타일 앞에서 행이 아는 것은 m = −∞, l = 0, 그리고 모두 0인 출력입니다.'],
    hidden: '이 타일의 키는 마스크가 이 행에게 모두 가렸습니다. 아무것도 바뀌지 않습니다.',
    maximum: '최댓값: 알고 있던 것과 이 타일에서 나온 것 가운데',
    rescale: '그때까지의 합과 출력에 곱할 수',
    kept: '더 큰 점수가 없어 그대로 둡니다',
    sum: '합: 줄인 다음 이 타일의 지수를 더합니다',
    output: '출력의 첫 수: 줄인 다음 지수와 값의 곱을 더합니다',
    divide: '키가 모두 지나갔습니다. 나눗셈은 마지막에 한 번',
    comparison: '이 행의 출력, 두 가지로',
    columns: ['수', '타일로', '어텐션 연산', '차이'],
    difference: (value) => [
      '이 헤드의 모든 행, 모든 수에서 가장 큰 차이는 ',
      number(value),
      `${joined}입니다. 더하는 순서가 달라서 생긴 단정밀도의 반올림입니다.`,
    ],
  },

  moved: {
    title: '메모리와 프로세서 사이를 오간 바이트',
    tiled: '타일로: 지금까지와 전체',
    matrix: '행렬을 통째로 적을 때',
    fileTitle: '타일로 옮긴 바이트와 행렬을 통째로 적을 때의 바이트',
    columns: ['방법', '지금까지', '전체'],
    help: '프로세서 가까이에는 타일만 들어간다고 보고 셌습니다. 행렬을 통째로 적으면 점수를 쓰고 읽고, 가중치를 쓰고 읽습니다.',
    fewer: (times) => [
      '이 타일에 견주면 행렬을 통째로 적을 때 옮기는 양이 ',
      number(`${times}배`),
      `${joined}입니다.`,
    ],
    more: (times, half) => [
      '여기서는 타일이 오히려 ',
      number(`${times}배`),
      `${joined}를 옮깁니다. 글이 짧으면 행렬이 작은데, 쿼리 타일마다 키와 값을 다시 읽기 때문입니다. 글이 길고 타일의 쿼리가 d_k / 2 = ${half}개보다 많으면 이득입니다.`,
    ],
    near: (fast, square) =>
      `한 번에 가까이 두는 양: 글의 길이와 상관없이 ${fast}. 점수 행렬 하나: ${square}.`,
  },

  tries: {
    title: '이렇게 해 보세요',
    now: '지금:',
    one: () => [
      '글 전체를 타일 하나로 만들어 보세요. 그러면 온라인 소프트맥스에서 무엇이 남을까요?',
    ],
    oneEvidence: (moved) => [
      '한 단계로 끝나고 줄일 일이 없습니다. 교과서의 소프트맥스 그대로입니다. ',
      number(moved),
      `${joined}를 옮겼고 모든 점수가 한꺼번에 가까이 있습니다.`,
    ],
    thin: () => [
      '쿼리 하나, 키 하나씩 가 보세요. 메모리를 가장 적게 쓰는 방법입니다. 대신 무엇을 치를까요?',
    ],
    thinEvidence: (steps, moved, times) => [
      number(steps),
      `${joined}단계에 `,
      number(moved),
      `${joined}를 옮깁니다. 행렬을 통째로 적을 때의 `,
      number(`${times}배`),
      `${joined}입니다. 쿼리마다 모든 키와 값을 다시 읽습니다.`,
    ],
    long: () => [
      '토큰이 500개쯤 되는 글에 타일의 쿼리를 64개로 해 보세요. 타일은 언제부터 이득일까요?',
    ],
    longEvidence: (tokens, tiled, matrix) => [
      `토큰 ${tokens}개: 타일로 `,
      number(tiled),
      ', 행렬로 ',
      number(matrix),
      `${joined}입니다.`,
    ],
  },

  formula: {
    title: '수식',
    help: '기호를 고르면 그 뜻과 지금 값이 나옵니다.',
    now: '지금',
    symbols: {
      maximum: ['지금까지의 최댓값', '행마다 하나씩 두며, 커지기만 합니다.'],
      sum: ['지금까지 더한 지수의 합', '이 단계에서 아는 최댓값을 기준으로 합니다.'],
      output: ['지금까지의 출력', '아직 합으로 나누지 않았습니다.'],
      score: ['쿼리 i와 키 j의 점수', '지금 타일의 것만 있습니다.'],
      rescale: ['줄이는 비율', '더 큰 점수가 없으면 1입니다.'],
      value: ['키 j의 값 벡터', '키와 함께 읽어 옵니다.'],
      queries: ['쿼리의 수', '토큰마다 하나입니다.'],
      keys: ['키의 수', '여기서는 쿼리의 수와 같습니다.'],
      tile: ['타일의 쿼리 수', '쿼리 타일마다 키와 값을 한 번씩 읽습니다.'],
      width: ['헤드 차원', '쿼리, 키, 값 하나에 든 수의 개수입니다.'],
    },
  },

  sources: {
    title: '참고 문헌',
    about: {
      dao: '타일로 나누어 정확하게 계산하는 어텐션과 그것이 옮기는 바이트. 여기서 도는 순서는 후속작 FlashAttention-2를 따랐다.',
      milakov: '소프트맥스의 최댓값과 합을 한 번 지나가며 구하는 방법.',
      vaswani: '4절에서 차례로 밟아야 하는 단계의 수를 세었다. 셀프 어텐션은 1, 순환층은 n.',
      shazeer: '글을 생성하는 속도가 메모리에 묶이는 까닭, 그리고 키와 값을 줄이는 해법.',
      williams: '루프라인 모델. 연산 속도와 ‘초당 바이트 × 바이트당 연산’ 가운데 작은 쪽이 속도다.',
    },
  },
}
