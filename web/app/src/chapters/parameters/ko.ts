// 5장의 한국어 문구. 영어를 옮긴 것이 아니라 같은 사실을 우리말로 따로 쓴 것이다.
import { number, part, term } from '../../i18n/inline'
import type { ParametersMessages } from './en'

/** Keeps a particle on the line of its number (word joiner). */
const joined = '\u2060'

export const parameters: ParametersMessages = {
  title: '헤드를 늘리면 매개변수도 늘어날까?',
  windowTitle: '헤드와 매개변수',

  answer: (facts) => {
    const start = [
      `d_model = ${facts.dModel}, h = ${facts.heads}이면 헤드 하나의 `,
      part('slice', `차원은 ${facts.headDim}`),
      '이고 한 층의 가중치는 ',
      number(facts.weights),
      `${joined}개입니다`,
    ]
    if (facts.kind === 'mla') return [...start, '. 키와 값은 작은 잠재 벡터 하나에서 만듭니다.']
    if (facts.one !== facts.most) {
      return [
        ...start,
        `. h를 1에서 ${facts.mostHeads}까지 바꾸면 `,
        number(facts.one),
        `${joined}개에서 `,
        number(facts.most),
        `${joined}개까지 달라집니다.`,
      ]
    }
    return [
      ...start,
      '. ',
      part('every', '헤드 수를 몇으로 바꾸어도'),
      `, 1개이든 ${facts.mostHeads}개이든 이 수는 그대로입니다.`,
    ]
  },
  impossible: (facts) => [
    `${facts.dModel} / ${facts.heads} = ${facts.quotient}, 나누어떨어지지 않습니다. 헤드마다 열을 ${facts.columns}개씩 주고 나면 `,
    part('slice', `열 ${facts.dModel}개 가운데 ${facts.left}개`),
    '가 어느 헤드에도 들어가지 못하므로, 프레임워크는 이런 설정을 받지 않습니다.',
  ],
  cannot: (heads, dModel) => `d_model = ${dModel}에서는 h = ${heads}인 층을 만들 수 없습니다.`,
  rotary: (headDim) => [
    `MLA는 헤드의 절반을 두 열씩 짝지어 회전시킵니다. 그래서 d_h가 4의 배수여야 하는데 지금은 ${headDim}입니다.`,
  ],
  take: (heads) => `h = ${heads}`,

  slices: () => [
    term('멀티헤드 어텐션'),
    '(multi-head attention)은 행렬을 더 두는 방법이 아닙니다. ',
    part('matrices', '행렬 네 개'),
    '를 그대로 두고 자릅니다. d_k = d_model / h이므로 헤드마다 W_Q, W_K, W_V에서는 열을 d_k개씩, W_O에서는 행을 d_k개씩 맡습니다. 헤드 수를 두 배로 늘리면 헤드 차원(d_k)은 절반이 됩니다.',
  ],
  work: () => [
    '곱셈 횟수도 변하지 않습니다. 토큰 하나에 가중치를 한 번씩만 곱하기 때문입니다. 늘어나는 것은 토큰마다 h개씩 계산하는 소프트맥스 행이고, 줄어드는 것은 헤드 하나가 쿼리로 쓸 수 있는 수의 개수입니다. 가중치와 디코딩 메모리를 정말로 아끼는 방법은 ',
    part('variants', '키와 값을 함께 쓰는 것'),
    '입니다.',
  ],

  parts: {
    shape: '구성',
    every: '모든 h',
    variants: 'GQA, MQA, MLA',
    tries: '이렇게 해 보세요',
    models: '알려진 모델',
    methods: '논문에 쓰기',
    formula: '수식',
    sources: '참고 문헌',
  },

  controls: {
    title: '구성',
    model: '모델',
    ownShape: '직접 정하기',
    width: 'd_model',
    heads: '헤드 수 h',
    headsSlider: 'h, d_model의 약수에서 고르기',
    sliderText: (heads, headDim) => `h = ${heads}, d_k = ${headDim}`,
    size: 'd_k',
    sizeDivided: 'd_model / h',
    sizeFixed: '고정',
    sizeValue: '고정한 d_k',
    kv: '키·값 헤드',
    kvText: (kv, kind) => `${kv}개, ${kind}`,
    kinds: {
      mha: '헤드마다 하나(MHA)',
      gqa: '몇 헤드씩 함께(GQA)',
      mqa: '모두 하나를 함께(MQA)',
      mla: '잠재 벡터에서(MLA)',
    },
    latent: '잠재 벡터에서 만들기(MLA)',
    bias: '편향도 세기',
  },

  matrices: {
    title: '한 층의 가중치',
    help: '넓이가 곧 가중치의 수입니다. 색이 가장 뚜렷한 부분이 첫 헤드의 몫입니다.',
    thin: (slices) => `${slices}조각이라 하나하나 그리기에는 너무 얇습니다.`,
    nobody: '주황색은 어느 헤드에도 들어가지 못한 열입니다.',
    fileTitle: (heads, dModel) => `d_model ${dModel}, 헤드 ${heads}개의 가중치`,
    caption: '한 층을 이루는 행렬',
    columns: { matrix: '행렬', shape: '입력 × 출력', heads: '조각', weights: '가중치' },
    names: {
      query: '쿼리',
      key: '키',
      value: '값',
      output: '출력',
      queryDown: '쿼리를 잠재 벡터로',
      queryUp: '잠재 벡터에서 쿼리로',
      queryRotary: '쿼리의 회전 부분',
      latentDown: '키와 값의 잠재 벡터',
      keyRotary: '모두 함께 쓰는 키의 회전 부분',
      keyUp: '잠재 벡터에서 키로',
      valueUp: '잠재 벡터에서 값으로',
    },
  },

  numbers: {
    label: '이 구성에 드는 것',
    headDim: '헤드 차원 d_k',
    weights: '한 층의 가중치',
    biases: '편향',
    total: '편향을 더한 매개변수',
    multiplications: '토큰 하나의 곱셈 횟수',
    multiplicationsHow: '가중치마다 한 번',
    perKey: '보는 토큰 하나마다 더 드는 곱셈',
    rows: '토큰 하나의 소프트맥스 행',
    cache: '토큰 하나가 캐시에 남기는 수',
    shipped: (attention, all, share) => [
      '지금 이 탭에 올라온 모델의 매개변수는 ',
      number(all),
      `${joined}개이고, 그 가운데 `,
      number(attention),
      `${joined}개(${share})가 어텐션 층의 투영 행렬에 있습니다.`,
    ],
  },

  every: {
    title: '모든 h',
    help: 'd_model의 약수인 h마다 막대 하나. 길이는 가중치의 수이고, 헤드 수만큼 잘라 놓았습니다.',
    thinned: (shown, all) =>
      `약수 ${all}개 가운데 ${shown}개만 그렸습니다. 표와 저장한 파일에는 모두 있습니다.`,
    fileTitle: '헤드 수에 따른 가중치의 수',
    caption: '헤드 수에 따라 드는 것',
    columns: ['h', 'd_k', '가중치', '편향', '토큰당 곱셈', '토큰당 캐시'],
  },

  variants: {
    title: '헤드는 그대로, 키와 값을 함께 쓰면',
    help: '막대를 행렬에 따라 쿼리, 키와 값, 출력으로 나누었습니다.',
    parts: { query: '쿼리', keyValue: '키와 값', output: '출력' },
    fileTitle: '어텐션 변형의 가중치 수',
    caption: '변형마다 드는 것',
    columns: ['변형', '키·값 헤드', '가중치', '토큰당 캐시'],
    names: { mha: 'MHA', gqa: 'GQA', mqa: 'MQA', mla: 'MLA' },
    latentRule: (latent, queryLatent, rotary) =>
      `MLA의 차원은 DeepSeek-V2의 비율을 따랐습니다. d_c = 4 d_h = ${latent}, d'_c = 12 d_h = ${queryLatent}, 회전 부분 d_h / 2 = ${rotary}. 정규화 층은 세지 않았습니다. MLA가 아끼려는 것은 가중치가 아니라 캐시입니다.`,
    noLatent: 'MLA는 d_k가 4의 배수여야 합니다.',
  },

  tries: {
    title: '이렇게 해 보세요',
    now: '지금:',
    thin: () => [
      '끝까지 가 봅시다. d_model = 512에서 h = 512로 하면 헤드 하나가 열 하나입니다. 헤드 512개는 8개보다 비쌀까요?',
    ],
    thinEvidence: (eight, most) => [
      'h = 8이면 가중치 ',
      number(eight),
      `${joined}개, d_k = 64. h = 512이면 `,
      number(most),
      `${joined}개, d_k = 1. 비용은 같지만 이제 쿼리가 수 하나뿐입니다.`,
    ],
    fixed: () => [
      '이번에는 d_k를 64로 고정하고 헤드를 8개에서 16개로 늘려 보세요. 이것도 헤드 수만 견준 것일까요?',
    ],
    fixedEvidence: (eight, sixteen, times) => [
      '8개일 때 ',
      number(eight),
      `${joined}개, 16개일 때 `,
      number(sixteen),
      `${joined}개로 가중치가 `,
      number(times),
      `${joined}배입니다. 결과가 나아졌더라도 가중치가 늘어난 덕일 수 있습니다.`,
    ],
    shared: () => [
      '헤드 8개가 키와 값 하나를 함께 쓰게 해 보세요(MQA). 네 행렬 가운데 어느 것이 얼마나 작아질까요?',
    ],
    sharedEvidence: (before, after, cache) => [
      '가중치 ',
      number(before),
      `${joined}개가 `,
      number(after),
      `${joined}개로 줄었습니다. W_K와 W_V의 너비가 8분의 1이 되었고, 토큰이 캐시에 남기는 수는 처음의 `,
      number(cache),
      `${joined}입니다.`,
    ],
  },

  models: {
    title: '알려진 모델',
    help: '이름을 누르면 그 구성으로 바뀝니다. 매개변수는 한 층의 어텐션 투영 행렬에 있는 것만 셌습니다.',
    columns: {
      model: '모델',
      layers: '층',
      width: 'd_model',
      heads: 'h',
      kv: '키·값 헤드',
      size: 'd_k',
      bias: '편향',
      dropout: '드롭아웃',
      total: '매개변수',
      source: '출처',
    },
    yes: '있음',
    no: '없음',
    latent: 'MLA',
    shipped: (name) => `${name}(이 탭의 모델)`,
    loaded: '불러온 모델의 config.json',
    waiting: '이 탭의 모델을 받는 중입니다.',
    note: '2017년의 트랜스포머는 인코더와 디코더가 6층씩이고 디코더의 층마다 어텐션이 두 번 있습니다. DeepSeek-V2의 드롭아웃은 config.json에서 읽었습니다.',
  },

  methods: {
    title: '논문에 쓰기: 방법 절의 문장',
    help: '위의 구성에서 만든 문장입니다. 다섯 값을 모두 적으세요. h만 적으면 나머지를 알 길이 없습니다.',
    layers: '층 수',
    dropout: '드롭아웃',
  },

  ablation: {
    title: 'h를 바꾸는 공정한 비교 실험(ablation)',
    help: 'h를 바꾸는 실험에서는 h만 바뀌어야 합니다. 앞의 두 항목은 위의 구성에 따라 정해집니다.',
    fields: {
      compared: '견줄 h',
      optimiser: '최적화 방법',
      rate: '학습률',
      tuned: '학습률은',
      budget: '스텝이나 에폭',
      seeds: '시드 수',
    },
    tuned: { '': '고르기', same: '모든 h에 같은 값', each: 'h마다 따로 조정' },
    checks: {
      width: 'd_model을 고정했고 모든 h로 나누어떨어진다',
      matched: '매개변수의 수가 같다',
      optimiser: '최적화 방법을 밝혔다',
      rate: '학습률과, h마다 조정했는지를 밝혔다',
      budget: '학습량이 같고 얼마인지 밝혔다',
      seeds: '시드가 둘 이상이라 흩어진 정도를 적을 수 있다',
    },
    met: '예',
    unmet: '아직',
    impossible: (list) => `이 d_model에서 만들 수 없는 h: ${list}.`,
    matched: (weights) => `어느 h에서나 가중치 ${weights}개입니다.`,
    unmatched: (least, most) =>
      `${least}개에서 ${most}개까지 달라집니다. 문장에도 그렇게 적습니다.`,
    progress: (done, all) => `${all}개 가운데 ${done}개`,
    incomplete: '대괄호는 아직 적지 않은 것입니다.',
  },

  conventions: {
    title: '분야마다 다른 표기',
    intro:
      '같은 수를 다른 이름으로 부르기도 하고, 같은 글자를 다른 뜻으로 쓰기도 합니다. 어느 표기를 따르는지 밝혀 두세요.',
    columns: ['출처', '층', '모델 차원', '헤드 수', '헤드 차원'],
    notes: {
      vaswani: '이 페이지의 표기',
      bert: 'H는 헤드 수가 아니라 모델 차원',
      vit: '비전 분야. 패치가 토큰이고, 헤드 차원은 따로 적지 않는다',
      gpt3: '언어 모델. 헤드 차원까지 적는다',
      t5: 'd_kv를 따로 정한다. T5-11B는 d_model 1024에 128차원 헤드가 128개',
      torch: 'embed_dim을 헤드끼리 나눈다. 기본으로 편향이 있다',
      keras: 'key_dim이 헤드 하나의 차원이라 헤드를 늘리면 매개변수도 는다',
    },
  },

  formula: {
    title: '수식',
    help: '기호를 고르면 그 뜻과 지금 값이 나옵니다.',
    now: '지금',
    symbols: {
      total: ['한 층의 가중치 수', '편향은 출력마다 하나씩 더 있습니다.'],
      three: ['W_Q, W_K, W_V', '열이 h · d_k개인 행렬 셋입니다.'],
      heads: ['헤드 수', 'd_k = d_model / h이면 약분되어 사라집니다.'],
      width: ['모델 차원', '토큰 하나는 수가 이만큼 든 벡터입니다.'],
      size: ['헤드 차원', 'DeepSeek-V2에서는 d_h로 적습니다.'],
      output: ['W_O', '이어 붙인 h · d_k개의 수를 d_model개로 되돌립니다.'],
      kvheads: ['키·값 헤드 수', 'MHA에서는 h, MQA에서는 1, GQA에서는 h의 약수입니다.'],
      latent: ['키와 값의 잠재 차원', 'MLA는 키와 값 대신 이것과 회전 부분만 캐시에 남깁니다.'],
      querylatent: ['쿼리의 잠재 차원', '디코딩이 아니라 학습할 때의 메모리를 아낍니다.'],
      rotary: ['헤드의 회전 부분', '위치를 담습니다. 이 부분의 키는 모든 헤드가 함께 씁니다.'],
    },
  },

  sources: {
    title: '참고 문헌',
    about: {
      vaswani: '3.2.2절. d_k = d_model / h로 두어 넓은 헤드 하나와 비용을 같게 했다.',
      bhojanapalli: '헤드가 얇아지면 생기는 한계를 보이고, d_k를 따로 정하자고 제안했다.',
      shazeer: '멀티 쿼리 어텐션.',
      ainslie: '그룹 쿼리 어텐션, 그리고 기존 모델을 그렇게 바꾸는 방법.',
      deepseek: '멀티헤드 잠재 어텐션. 여기서 센 행렬이 이 논문에 있다.',
    },
  },
}
