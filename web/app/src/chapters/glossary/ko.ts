// 15장의 한국어 문구. 영어를 옮긴 것이 아니라 같은 사실을 우리말로 따로 쓴 것이다.
import { key, number, part, query, term } from '../../i18n/inline'
import type { GlossaryMessages } from './en'
import { definitions } from './terms.ko'

/** Keeps a particle on the line of its number (word joiner). */
const joined = '\u2060'

export const glossary: GlossaryMessages = {
  title: '무엇을 무엇이라 부를까?',
  windowTitle: '용어와 문헌',

  answer: () => [
    term('어텐션'),
    '은 원리이고, ',
    term('멀티헤드 어텐션'),
    '은 어텐션을 배치하는 방법이며, ',
    term('트랜스포머'),
    '는 ',
    part('levels', '둘 다 담은 신경망'),
    '입니다. 셀프와 크로스는 키와 값이 어디에서 오는지를 가르는 ',
    part('levels', '별개의 축'),
    '입니다.',
  ],
  about: () => [
    '논문에는 이런 말들이 나란히 나오는데, 층위를 섞으면 틀린 문장이 됩니다. 트랜스포머는 어텐션의 한 종류가 아니고, 크로스 어텐션에도 헤드가 있습니다. ',
    part('terms', '용어를 모두'),
    ' 두 언어로 적고, 볼 수 있는 장을 달아 두었습니다.',
  ],
  around: () => [
    part('neighbours', '이웃 개념의 지도'),
    '에서는 무엇이 먼저 있었고, 무엇이 멀티헤드 어텐션을 담고, 무엇이 그 변형인지 볼 수 있습니다. ',
    part('differences', '흔한 설명과 측정이 어긋나는 곳'),
    '도 이 탭에서 계산한 수와 함께 적었습니다.',
  ],

  parts: {
    levels: '층위',
    terms: '용어',
    neighbours: '이웃 개념',
    tries: '이렇게 해 보세요',
    paper: '논문에 쓰기',
    differences: '설명과 측정',
    explanation: '설명이 되는가',
    formula: '수식',
    references: '참고 문헌',
  },

  levels: {
    title: '네 층위와 축 하나',
    fileTitle: '층위: 어텐션, 멀티헤드 어텐션, 층, 트랜스포머',
    transformer: ['트랜스포머', '신경망 전체'],
    layer: ['층', '어텐션, 피드포워드, 잔차 연결, 정규화'],
    multiHead: ['멀티헤드 어텐션', '배치: h개를 나란히, 그다음 W_O'],
    attention: ['어텐션', '원리'],
    axis: '별개의 축: 키와 값은 어디에서 오는가',
    self: '셀프 어텐션: 같은 시퀀스에서',
    cross: '크로스 어텐션: 다른 시퀀스에서',
    caption: '안쪽부터 적은 층위',
    columns: ['층위', '무엇인가', '담은 것'],
    help: '상자는 그 안에 그린 것을 담습니다. 축은 모든 상자를 가로지릅니다. 어떤 어텐션이든 셀프일 수도 크로스일 수도 있습니다.',
  },

  terms: {
    title: '용어',
    find: '용어 찾기',
    none: '그런 용어도, 그 말이 들어간 뜻풀이도 없습니다.',
    found: (shown, all) => `용어 ${String(all)}개 중 ${String(shown)}개`,
    columns: ['영어', '한국어', '뜻', '볼 수 있는 장'],
    chapter: (place, name) => `${String(place)} · ${name}`,
    link: (name) => `${name} 링크`,
    here: '이 장',
    levels: {
      input: '읽는 것',
      attention: '어텐션',
      heads: '여러 헤드',
      kinds: '셀프, 크로스, 인과',
      transformer: '담고 있는 것',
      sharing: '함께 쓰기, 저장, 계산',
      claims: '주장과 시험하는 법',
    },
    definitions,
  },

  neighbours: {
    title: '이웃 개념 사이의 자리',
    fileTitle: '멀티헤드 어텐션과 이웃 개념',
    help: '누르거나 화살표 키로 이웃 개념을 고르세요.',
    caption: '멀티헤드 어텐션의 이웃 개념',
    columns: ['이웃 개념', '관계'],
    names: {
      'multi-head': '멀티헤드 어텐션',
      transformer: '트랜스포머',
      alignment: 'RNN의 어텐션',
      recurrence: '순환 신경망',
      convolution: '합성곱',
      'dot-product': '스케일드 점곱',
      self: '셀프 어텐션',
      cross: '크로스 어텐션',
      gqa: 'GQA',
      mqa: 'MQA',
      mla: 'MLA',
      flash: 'FlashAttention',
      mixture: '전문가 혼합(MoE)',
    },
    relations: {
      'multi-head': '바로 이 개념',
      transformer: '이것을 담은 신경망',
      alignment: '먼저 있었던 것',
      recurrence: '그 전에 이 자리에 있던 것',
      convolution: '토큰을 섞는 다른 방법',
      'dot-product': '헤드마다 계산하는 것',
      self: '축의 한쪽 끝',
      cross: '축의 다른 쪽 끝',
      gqa: '변형: 키와 값을 묶어서',
      mqa: '변형: 키·값 헤드 하나로',
      mla: '변형: 키와 값을 잠재 벡터에서',
      flash: '같은 결과를 타일로 계산',
      mixture: '나란히 있지만 골라 쓰는 것',
    },
    about: {
      'multi-head':
        '같은 입력에 차원이 d_k인 어텐션 h개를 두고 W_O로 합칩니다. d_k = d_model / h이면 넓은 헤드 하나와 비용이 같습니다.',
      transformer:
        '층마다 멀티헤드 어텐션이 한두 번 있습니다. 피드포워드, 잔차 연결, 정규화는 어텐션이 아니라 트랜스포머에 속합니다.',
      alignment:
        'Bahdanau 등은 디코더가 순환 인코더의 모든 상태를 되돌아보게 했습니다. 가중치는 한 벌이고 점수는 작은 신경망으로 구했습니다. 어텐션이지만 헤드도 점곱도 없습니다.',
      recurrence:
        '순환 신경망은 상태를 토큰에서 토큰으로 넘깁니다. n단계를 차례로 거쳐야 하지만 어텐션은 한 번에 모든 토큰에 닿습니다.',
      convolution:
        '정해진 이웃을 정해진 가중치로 섞습니다. 어텐션에서는 가중치가 내용에서 나오고 닿는 거리에 한계가 없습니다.',
      'dot-product':
        'softmax(Q Kᵀ / √d_k) V. 멀티헤드 어텐션이 배치하는 것이 이 형태의 어텐션입니다. 점수를 덧셈으로 내는 형태도 있습니다.',
      self: '쿼리, 키, 값이 한 시퀀스에서 나옵니다. 인코더에는 이것뿐입니다.',
      cross:
        '쿼리와 키·값의 시퀀스가 다르고 맵은 직사각형입니다. 셀프 어텐션과 마찬가지로 헤드가 여럿입니다.',
      gqa: '쿼리 헤드를 그룹으로 묶어 그룹마다 키 헤드와 값 헤드를 하나씩 둡니다. 품질은 거의 그대로이고 캐시가 줄어듭니다.',
      mqa: '함께 쓰기의 극단으로, 모두가 키 헤드 하나와 값 헤드 하나를 씁니다. 캐시가 1/h로 줄어듭니다.',
      mla: '토큰마다 작은 잠재 벡터 하나를 두고 모든 헤드의 키와 값을 거기서 만듭니다. 캐시에는 그 벡터가 남습니다.',
      flash:
        '다른 어텐션이 아닙니다. 맵을 저장하지 않고 같은 수를 계산합니다. 곱셈이 아니라 메모리를 오가는 양을 줄입니다.',
      mixture:
        '여기서도 신경망 여럿이 나란히 있지만 토큰마다 라우터가 몇 개만 고릅니다. 헤드는 고르지 않고 모두 계산합니다.',
    },
    readMore: '출처',
  },

  tries: {
    title: '이렇게 해 보세요',
    now: '지금:',
    search: () => ['‘마스크’를 찾아보세요. 찾은 용어는 원리에 속할까요, 배치에 속할까요?'],
    searchEvidence: (count) => [
      '이름이나 뜻풀이에 이 말이 든 용어는 ',
      number(count),
      `${joined}개입니다. 헤드가 아니라 어텐션의 종류에 속하는 말입니다.`,
    ],
    flash: () => ['FlashAttention도 GQA처럼 어텐션의 변형일까요? 지도에서 찾아보세요.'],
    flashEvidence: () => [
      'FlashAttention은 같은 수를 다른 순서로 계산하고, GQA는 수 자체를 바꿉니다.',
    ],
    cross: () => [
      '디코더의 크로스 어텐션은 논문에 어떻게 쓸까요? 문장을 읽고, 어떤 길이를 밝혀야 하는지 보세요.',
    ],
    crossEvidence: () => ['길이가 둘입니다. 쿼리는 번역문에서, 키와 값은 원문에서 나옵니다.'],
  },

  paper: {
    title: '논문에는 이렇게 씁니다',
    help: '형식을 보이려고 지어낸 문장이며 수도 실제 모델의 것이 아닙니다. 층 수, h, d_model, d_k, 무엇이 무엇을 보는지, 마스크를 밝히세요.',
    madeUp: '지어낸 예',
    kinds: { encoder: '인코더', vision: '비전 트랜스포머', cross: '크로스 어텐션' },
    choose: '모델의 종류',
  },

  differences: {
    title: '흔한 설명과 측정이 어긋나는 곳',
    intro:
      '입문 글은 실제로 재 본 것보다 단정적으로 말하기도 합니다. ‘지금 계산’이라 적은 수는 “The cat sat on the mat because it was tired”를 이 탭의 커널로 계산한 값입니다.',
    columns: ['흔히 하는 말', '재 보면'],
    computed: '지금 계산',
    rows: {
      verb: [
        '어떤 헤드는 *it*을 그 동사인 *sat*과 잇는다.',
        '이 문장에서 *it*의 동사는 *was*입니다.',
      ],
      rest: [
        '할 일이 없는 헤드는 [SEP]에서 쉰다.',
        'BERT에서는 그렇습니다(Clark et al. 2019, 6–10층 어텐션의 절반 이상). 이 모델이 이 문장을 읽을 때는 [CLS]가 그 자리입니다.',
      ],
      noun: [
        '*it*에서 *cat*으로 가는 가중치가 큰 헤드는 대명사가 가리키는 말을 찾아낸다.',
        '5.11에서 그 가중치는 크지만 다른 행도 모두 큽니다. 이 헤드는 중심 명사를 가리킵니다.',
      ],
      objects: [
        'Clark 등은 직접 목적어를 75% 맞히는 헤드를 찾았다.',
        '논문에는 8-10 헤드가 86.8%, 가장 좋은 고정 거리가 40.0%로 나와 있습니다.',
      ],
      rank: [
        'd_k가 어텐션 맵의 랭크를 제한한다.',
        'd_k가 제한하는 것은 점수의 랭크입니다. 소프트맥스는 선형이 아니어서 랭크를 높일 수 있고, 가중치의 랭크는 최대가 될 수도 있습니다.',
      ],
      roles: [
        '헤드가 많으면 앙상블 노릇을 하고, 얇은 헤드는 규제(regularization) 효과를 낸다.',
        '근거가 엇갈리는 가설입니다. Michel et al. 2019에서 헤드를 하나씩 없앴을 때 96개 가운데 8개만 유의한 차이를 냈고, 그 절반은 없애니 오히려 성능이 좋아졌습니다.',
      ],
      latent: [
        'MLA는 멀티헤드 어텐션보다 키·값 캐시를 93.3% 줄인다.',
        '논문의 93.3%는 이미 키와 값을 묶어 쓰는 DeepSeek 67B와 견준 것이고, 양자화로 줄인 몫까지 들어 있습니다.',
      ],
      names: [
        'H, A, d는 어디서나 같은 뜻이다.',
        'BERT 논문의 H는 모델 차원입니다. 5장에 표기를 모아 두었습니다.',
      ],
    },
    evidence: {
      verb: ({ verb }) => [
        query('it'),
        ' → ',
        key('was'),
        ' 최대 ',
        number(verb.own.weight),
        `(${verb.own.head}), `,
        query('it'),
        ' → ',
        key('sat'),
        ' 최대 ',
        number(verb.other.weight),
        `(${verb.other.head})`,
      ],
      rest: ({ rest }) => [
        '낱말이 [CLS]에 ',
        number(rest.opening),
        ', [SEP]에 ',
        number(rest.closing),
        `${joined}를 둡니다. 모든 헤드의 평균입니다.`,
      ],
      noun: ({ noun }) => [
        query('it'),
        ' → ',
        key('cat'),
        ' ',
        number(noun.pronoun),
        '. 다른 행도 ',
        key('cat'),
        '에 ',
        number(noun.least),
        '에서 ',
        number(noun.most),
        '까지 둡니다.',
      ],
    },
  },

  explanation: {
    title: '어텐션은 설명이 되는가',
    positions: [
      {
        name: '아니다',
        by: 'jain',
        says: '가중치는 중요도를 재는 다른 방법과 잘 맞지 않을 때가 많고, 예측을 그대로 둔 채 전혀 다른 가중치를 찾을 수도 있습니다. 그러므로 가중치 그림 하나를 예측의 이유라고 할 수는 없습니다.',
      },
      {
        name: '무엇을 묻느냐에 달렸다',
        by: 'wiegreffe',
        says: '그런 다른 가중치는 모델 전체를 학습해서 얻어야 하고, 그러면 성능이 떨어집니다. 설명이 되느냐는 무엇을 설명이라 부르느냐에 달렸습니다. 그럴듯한 설명과 충실한 설명은 다릅니다.',
      },
    ],
    here: '그래서 이 페이지에서는 가중치 곁에 기여를 두고(Kobayashi et al. 2020), 눈에 띄는 행 곁에 다른 행을 함께 보여 주며, 헤드가 이해한다고 말하지 않습니다. 헤드가 결과에 무엇을 하는지는 그 헤드를 바꾸어 재 보아야 드러납니다.',
  },

  formula: {
    title: '수식',
    help: '기호를 고르면 그 뜻이 나옵니다.',
    now: '이 모델에서',
    symbols: {
      multihead: ['멀티헤드 어텐션', '배치를 가리킵니다. 헤드 h개와 출력 행렬 하나입니다.'],
      query: ['쿼리', '보는 토큰마다 한 행입니다.'],
      key: ['키', '보이는 토큰마다 한 행입니다.'],
      value: ['값', '키마다 한 행이며, 그 토큰이 건네주는 벡터입니다.'],
      concatenation: ['이어 붙이기', '헤드의 출력을 나란히 잇습니다.'],
      output: ['출력 투영', '헤드의 결과를 합칩니다.'],
      head: ['헤드 i', '같은 원리를 자기 투영 행렬로 계산합니다.'],
      attention: ['어텐션', '헤드를 빼고 본 원리입니다.'],
      projection: ['헤드 i의 투영 행렬', '입력에서 이 헤드의 쿼리를 만듭니다.'],
      softmax: ['소프트맥스', '행마다 합이 1이 되게 합니다.'],
      scale: ['스케일', 'd_k가 커져도 점수가 커지지 않게 합니다.'],
    },
    matrix: (rows, columns) => `${String(rows)} × ${String(columns)}`,
  },

  references: {
    title: '참고 문헌',
    help: '여러 장에서 인용한 문헌 전체입니다.',
  },
}
