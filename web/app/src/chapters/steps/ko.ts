// 3장의 한국어 문구. 영어를 옮긴 것이 아니라 같은 사실을 우리말로 따로 쓴 것이다.
import contribution from '../../figures/contribution.inline.tex'
import { math, number, part, query, term } from '../../i18n/inline'
import type { StepsMessages } from './en'

/** Keeps a particle on the line of its number (word joiner). */
const joined = '\u2060'

export const steps: StepsMessages = {
  title: '여러 헤드의 결과는 어떻게 하나로 합쳐질까?',
  windowTitle: '네 단계',

  answer: (facts) => [
    facts.layer === null ? '작은 층' : `${String(facts.layer)}층`,
    '에서 ',
    query(facts.token),
    '의 출력은 헤드마다 하나씩 나온 ',
    part('adds', `벡터 ${facts.heads}개의 합`),
    `입니다. ${facts.head} 헤드가 보태는 벡터의 길이는 `,
    number(facts.own),
    ', 다 더한 출력의 길이는 ',
    number(facts.sum),
    `${joined}입니다.`,
  ],
  answerWaiting: '이 층의 값은 받는 대로 여기에 나옵니다.',

  four: () => [
    term('멀티헤드 어텐션'),
    '(multi-head attention)은 네 단계로 계산합니다. 헤드마다 토큰에서 쿼리와 키와 값을 만들고, 쿼리와 키를 견주어 나온 가중치로 값을 모으고, 모든 헤드의 결과를 옆으로 이어 붙인 다음, W_O로 섞습니다. ',
    part('equation', '단계마다'),
    ' 식이 있고, 그 대부분은 행렬 곱셈입니다. ',
    part('cell', '아무 수나 가리키면'),
    ' 그 수가 무엇에서 나왔는지 보입니다.',
  ],
  whole: (dModel, heads) => [
    `모든 헤드는 X 전체를 읽습니다. 토큰마다 수 ${String(dModel)}개를 다 읽으며, 일부만 나누어 받지 않습니다. 나뉘는 것은 가중치입니다. `,
    `작은 행렬 ${String(heads)}개를 따로 곱하든, 큰 행렬 하나를 곱하고 ${String(heads)}조각으로 자르든 같은 계산입니다. 헤드 하나는 그 결과의 한 조각입니다.`,
  ],

  parts: {
    figure: '네 단계',
    adds: '헤드의 합',
    beyond: '그다음 계산',
    tries: '이렇게 해 보세요',
    formula: '수식',
    sources: '참고 문헌',
  },

  controls: {
    label: '볼 것',
    layers: { model: '내 문장', tiny: '손으로 풀 수 있는 작은 층' },
    layer: '층',
    head: '헤드',
    token: '쿼리',
    causal: '인과 마스크',
    causalHelp:
      '이 모델은 앞뒤를 모두 보도록 학습했습니다. 여기서는 모델이 만든 쿼리·키·값을 그대로 두고, 뒤에 오는 토큰만 가린 채 다시 계산합니다.',
    parts: { query: '쿼리', key: '키', value: '값' },
    part: '만들 것',
    cut: '가중치를 자르는 방법',
    alone: '이 헤드만',
    together: '모든 헤드를 한 번에',
  },

  player: {
    label: '층의 단계',
    back: '이전 단계',
    forward: '다음 단계',
    play: '재생',
    pause: '멈춤',
  },

  steps: ['투영', '어텐션', '이어 붙이기', '섞기'],
  stages: {
    project: '투영',
    scores: '점수',
    weights: '소프트맥스',
    values: '값 모으기',
    concat: '이어 붙이기',
    output: '섞기',
  },
  explain: {
    project: (part) => [
      `X에서 토큰 하나의 행에 이 헤드의 행렬을 곱하면 그 토큰의 ${part} 벡터가 됩니다. 행은 여전히 토큰이고, 너비는 d_k로 줄어듭니다.`,
    ],
    scores: () => [
      '모든 쿼리를 모든 키와 견줍니다. 두 행의 점곱을 √d_k로 나누어, 차원이 커도 점수가 따라 커지지 않게 합니다.',
    ],
    weights: () => [
      '소프트맥스는 한 행의 점수를 합이 1인 가중치로 바꿉니다. 점수마다 exp를 취한 다음 그 행의 합으로 나눕니다.',
    ],
    values: () => [
      '한 행의 가중치대로 값 벡터를 섞습니다. 이 헤드가 토큰마다 수 d_k개짜리 벡터를 하나씩 내놓습니다.',
    ],
    concat: () => [
      '모든 헤드의 벡터를 헤드 순서대로 옆으로 이어 붙입니다. 계산은 없고 수가 제자리로 옮겨 갈 뿐입니다.',
    ],
    output: () => [
      'W_O가 헤드들이 찾은 것을 섞습니다. 헤드마다 W_O에서 제 몫의 행만 곱하므로, 출력은 헤드마다 하나씩 나온 벡터의 합이 됩니다.',
    ],
  },

  figure: {
    title: (name, tiny) => (tiny ? `작은 층의 ${name}번 헤드` : `${name} 헤드`),
    label:
      '이 단계의 행렬. 화살표 키로 칸 사이를, Page Up과 Page Down으로 행렬 사이를 옮겨 가고 Enter로 고정하며 Escape로 풉니다.',
    scale:
      '파란색은 양수, 주황색은 음수이고 행렬마다 눈금이 다릅니다(큰 행렬에서는 크기가 상위 1%에 드는 수를 모두 가장 뚜렷한 색으로 칠했습니다). 가중치의 눈금만 언제나 0에서 1까지입니다.',
    scaleMasked: '회색은 마스크로 가린 칸입니다.',
    fileTitle: (stage, name) => `${stage}, ${name} 헤드`,
    table: (name) => `${name}의 수`,
    wideTable: (name, row) => `${name}의 수, ${row} 행`,
    wideNote: '행렬이 넓어 한 행만 표에 실었습니다. CSV 파일에는 모두 들어 있습니다.',
    row: '행',
    column: '열',
    value: '수',
    same: (difference) => [
      '같은 계산입니다. 큰 곱셈에서 이 헤드를 잘라 낸 것과 이 헤드만 따로 곱한 것을 커널로 계산해 견주었습니다. 출력에 보태는 모든 수에서 가장 큰 차이가 ',
      number(difference),
      `${joined}입니다. 반올림 때문입니다.`,
    ],
    sameExactly: () => [
      '같은 계산입니다. 큰 곱셈에서 이 헤드를 잘라 낸 것과 이 헤드만 따로 곱한 것을 커널로 계산해 견주면 모든 수가 똑같습니다.',
    ],
    sameWaiting: '잘라 낸 헤드와 따로 곱한 헤드를 견주는 중입니다.',
  },

  cell: {
    names: {
      x: 'X',
      projection: 'W',
      bias: 'b',
      query: 'Q',
      key: 'K',
      value: 'V',
      mask: 'M',
      scores: 'S',
      weights: 'A',
      z: 'Z',
      concat: 'Z',
      outputMatrix: 'W',
      outputBias: 'b',
      output: 'O',
    },
    products: (count) => `곱 ${String(count)}개`,
    terms: '모두 더한 항',
    given: {
      x: '이 층이 읽는 것, 곧 앞 층의 출력',
      xTiny: '주어진 수',
      weight: '학습으로 정해진 가중치',
      mask: '마스크. 볼 수 있으면 0, 볼 수 없으면 −∞',
      weightTiny: '주어진 수. 아래에서 바꿀 수 있습니다',
    },
    hidden: (row, column) =>
      `${column} 토큰은 ${row}보다 뒤에 있어 소프트맥스를 취하기 전에 가렸으므로 가중치가 0입니다`,
    moved: (head, column) => `${head}번 헤드의 ${column}번 수가 제자리에 놓인 것`,
    rounded: (total) =>
      `적힌 수로 셈하면 ${total}입니다. 커널은 8비트로 곱하느라 수를 반올림합니다.`,
    bias: 'b',
  },

  adds: {
    title: (token) => [query(token), '의 출력을 헤드의 합으로 보면'],
    help: () => [
      '막대는 헤드마다 z에 W_O의 제 몫을 곱해 보태는 벡터의 길이입니다. 길이끼리 더해도 합의 길이가 되지는 않습니다. 방향이 다른 벡터끼리는 상쇄되기도 합니다.',
    ],
    bias: '편향',
    noBias: '여기에는 편향이 없습니다',
    output: '모두 더한 것',
    fileTitle: '헤드마다 출력에 보태는 것',
    columns: { head: '헤드', norm: '길이' },
    rowTitle: (token, head) => [`${head} 헤드 안에서 `, query(token), '의 행을 키마다 보면'],
    bars: {
      key: '키',
      weight: '가중치',
      contribution: '기여',
      others: (count) => `나머지 키 ${String(count)}개`,
    },
    rowHelp: () => [
      '가중치 옆에 기여 ',
      math(contribution, '‖α v W_O‖'),
      '를 놓았습니다. 키가 보태는 것은 값 벡터에 W_O와 가중치를 곱한 벡터입니다. 가중치가 커도 값 벡터가 짧으면 보태는 것이 적습니다.',
    ],
  },

  beyond: {
    title: (token) => [query(token), '의 벡터가 다음으로 거치는 계산'],
    text: () => [
      '어텐션은 토큰의 벡터를 다른 것으로 바꾸지 않고 거기에 더합니다(잔차 연결). 그 합을 정규화하고 나면(LayerNorm) 토큰을 하나씩 따로 보는 피드포워드 층이 한 번 더 보탭니다. 다음 층은 그 결과를 다시 정규화한 것을 읽습니다. 토큰과 토큰 사이에서 무언가를 옮기는 것은 어텐션뿐입니다.',
    ],
    rows: {
      x: 'x, 이 층이 읽는 것',
      attention: '+ 어텐션, 곧 헤드의 합',
      sum: '= x + 어텐션',
      forward: '+ 피드포워드(정규화한 뒤)',
      next: '→ 둘째 정규화를 거쳐, 다음 층의 x',
    },
    length: '길이',
    fileTitle: '토큰 하나의 잔차, 정규화, 피드포워드',
    help: '띠 하나가 벡터 하나이고 그 안의 수를 모두 그렸습니다. 눈금은 모든 띠가 같습니다.',
    tiny: '작은 층에는 어텐션만 있어 그다음 계산이 없습니다.',
  },

  tiny: {
    title: '작은 층의 수',
    help: '토큰 3개, d_model = 4, 헤드 2개, d_k = 2이고 편향은 없습니다. 연필로 풀어 볼 수 있게 지어낸 수입니다. 하나를 바꾸면 모두 다시 계산합니다.',
    cell: (matrix, row, column) => `${matrix}, ${String(row)}행 ${String(column)}열`,
    invalid: '−99에서 99까지, 소수점 아래 셋째 자리까지의 수를 넣으세요(예: −1.5).',
    reset: '처음 수로 되돌리기',
    heads: '0열과 1열은 0번 헤드, 2열과 3열은 1번 헤드',
    headRows: '0행과 1행은 0번 헤드, 2행과 3행은 1번 헤드',
  },

  tries: {
    title: '이렇게 해 보세요',
    now: '지금:',
    whole: () => [
      '모든 헤드를 한 번에 곱해 보세요. 이 헤드의 조각에 든 수가 따로 곱했을 때와 다를까요?',
    ],
    wholeEvidence: (difference) => [
      '둘의 가장 큰 차이는 ',
      number(difference),
      `${joined}입니다. 끝자리를 반올림해서 생깁니다.`,
    ],
    mask: () => [
      '인과 마스크를 켜고 가중치를 보세요. 첫 토큰은 자기 자신밖에 볼 수 없습니다. 그 행에는 어떤 수가 나와야 할까요?',
    ],
    maskEvidence: (first, last) => [
      '첫 행은 ',
      number(first),
      `${joined}과 0뿐이고, 가려진 것이 없는 마지막 행도 더하면 `,
      number(last),
      `${joined}입니다.`,
    ],
    hand: () => [
      '연필을 들어 보세요. 토큰 셋, 헤드 둘, 정수만 있는 작은 층의 점수 하나를 직접 구하면 같은 값이 나올까요?',
    ],
    handEvidence: (sum) => ['q · k / √2 = ', number(sum)],
  },

  formula: {
    title: '수식',
    help: '기호를 고르면 그 뜻과 지금 값이 나옵니다.',
    now: '지금',
    symbols: {
      output: ['층의 출력', '토큰마다 한 행이고 너비는 입력과 같습니다.'],
      concat: ['이어 붙인 헤드들', '열 d_k개짜리 덩어리 h개입니다.'],
      mix: ['W_O', '헤드의 결과를 섞습니다. 행은 차례대로 각 헤드의 몫입니다.'],
      head: ['헤드 하나', '점수에 소프트맥스를 취해 값에 곱합니다.'],
      queries: ['헤드의 쿼리', 'X에 이 헤드의 W_Q를 곱합니다.'],
      keys: ['헤드의 키', 'X에 이 헤드의 W_K를 곱합니다.'],
      values: ['헤드의 값', 'X에 이 헤드의 W_V를 곱합니다.'],
      width: ['d_k', '헤드 차원입니다.'],
      sum: ['모든 헤드의 합', '이어 붙여 W_O를 곱한 것과 같습니다.'],
    },
    shape: (rows, columns) => `${String(rows)} × ${String(columns)}`,
  },

  sources: {
    title: '참고 문헌',
    about: {
      vaswani: '3.2절. 스케일드 점곱 어텐션, 헤드, 이어 붙이기, W_O.',
      kobayashi: '가중치와 기여의 차이. 가중치를 곱하고 변환한 값의 노름을 잰다.',
      elhage: '층의 출력을 헤드의 합으로 보는 관점.',
      devlin: '이런 모델에서 정규화가 놓이는 자리. 더할 때마다 그 뒤에 있다.',
    },
  },
}
