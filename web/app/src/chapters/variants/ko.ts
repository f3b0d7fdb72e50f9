// 10장의 한국어 문구. 영어를 옮긴 것이 아니라 같은 사실을 우리말로 따로 쓴 것이다.
import { key, number, part, query, term } from '../../i18n/inline'
import type { VariantsMessages } from './en'

/** Keeps a particle on the line of its number (word joiner). */
const joined = '\u2060'

export const variants: VariantsMessages = {
  title: '키와 값을 함께 쓰면 무엇을 잃을까?',
  windowTitle: '변형과 비용',

  answer: (facts) => {
    if (facts.isOriginal) {
      return [
        `학습된 그대로라면 ${facts.layer}층은 토큰마다 수 `,
        number(facts.all),
        `${joined}개를 남겨 둡니다. 헤드마다 키와 값이 하나씩이기 때문입니다. 아래에서 덜 남기는 변형을 골라 보세요.`,
      ]
    }
    return [
      `${facts.variant} 방식이라면 ${facts.layer}층이 토큰마다 남기는 수는 ${facts.all}개에서 `,
      number(facts.kept),
      `${joined}개로 줄어듭니다. `,
      ...(facts.error === null
        ? ['그때 출력이 얼마나 달라지는지 계산하는 중입니다.']
        : [
            '다시 학습하지 않으면 이 문장에서 ',
            part('errors', '출력'),
            '은 원래 크기의 ',
            number(facts.error),
            `${joined}만큼 어긋납니다.`,
          ]),
    ]
  },
  failed: '계산하지 못했습니다.',

  saving: () => [
    '모델은 글을 써 나가는 동안 앞선 토큰의 키와 값을 모두 남겨 둡니다. 이것을 ',
    term('키·값 캐시'),
    '(key-value cache)라고 합니다. 문맥이 길어지면 캐시가 가중치보다도 커지고, 새 토큰을 만들 때마다 캐시를 다 읽을 때까지 기다려야 합니다. 그래서 ',
    part('cache', '덜 남기려는'),
    ' 변형이 나왔습니다. ',
    term('그룹 쿼리 어텐션'),
    '(GQA)에서는 쿼리 헤드 몇 개가 키·값 헤드 하나를 함께 쓰고, 멀티 쿼리 어텐션(MQA)에서는 모두가 하나를 함께 씁니다. 멀티헤드 잠재 어텐션(MLA)은 작은 잠재 벡터 하나만 남기고 거기서 모든 헤드의 키와 값을 만듭니다.',
  ],
  converting: () => [
    '여기서는 학습된 층을 실제로 바꾸어 그 층의 실제 입력으로 돌립니다. GQA와 MQA는 논문에서처럼 그룹마다 키 행렬과 값 행렬을 평균하고, MLA는 두 행렬을 나란히 붙여 ',
    part('spectrum', '랭크(rank)가 낮은 행렬 가운데 가장 가까운 것'),
    '으로 바꿉니다. 그러면 토큰마다 수 d_c개짜리 잠재 벡터만 남기면 됩니다. 쿼리는 건드리지 않습니다. 논문의 모델은 이렇게 바꾼 다음 더 학습하거나 처음부터 이렇게 학습합니다. 여기서 보는 것은 그 학습의 출발점입니다.',
  ],

  parts: {
    shape: '변형 고르기',
    errors: '잃는 것',
    cache: '캐시',
    maps: '헤드 하나',
    spectrum: '잠재 벡터 속',
    prices: '비용 비교',
    tries: '이렇게 해 보세요',
    published: '논문의 수치',
    formula: '수식',
    sources: '참고 문헌',
  },

  controls: {
    title: '변형 고르기',
    variant: '변형',
    names: {
      mha: '멀티헤드 어텐션: 헤드마다 키와 값',
      gqa: '그룹 쿼리 어텐션: 몇 헤드씩 함께',
      mqa: '멀티 쿼리 어텐션: 모두 하나를 함께',
      mla: '멀티헤드 잠재 어텐션: 잠재 벡터 하나에서',
    },
    kvHeads: 'h_kv',
    rank: 'd_c',
    context: '캐시에 든 토큰',
  },

  errors: {
    title: '덜 남기면 잃는 것',
    series: { grouped: '평균한 헤드(GQA, MQA)', latent: '잠재 벡터 하나(MLA)' },
    cached: '토큰마다 남기는 수의 개수',
    error: '출력의 오차',
    help: '학습된 층의 출력과의 차이를 길이로 재어 그 출력의 길이로 나눈 값입니다(출력 편향을 더하기 전). 0이면 같고, 1이면 아무것도 내놓지 않을 때만큼 어긋납니다. 누르면 그 변형을 고릅니다.',
    fileTitle: '토큰마다 남기는 수의 개수와 출력의 오차',
    waiting: '[W_K W_V]를 분해하고 모든 변형을 돌리는 중입니다.',
  },

  cache: {
    title: '문맥이 길어질 때 캐시의 크기',
    context: '캐시에 든 토큰',
    bytes: '바이트, 모든 층',
    help: (layers) =>
      `수 하나에 2바이트, ${layers}개 층, 글 하나일 때입니다. 두 축 모두 로그 눈금이라 선의 기울기는 모두 같습니다. 문맥이 얼마나 길든 변형끼리는 정해진 배수만큼 다릅니다.`,
    fileTitle: '캐시에 든 토큰 수와 키·값 캐시의 바이트',
  },

  maps: {
    title: (head) => `${head} 헤드, 바꾸기 전과 후`,
    trained: '학습된 그대로',
    key: '키',
    caption: (head, token) => `${head} 헤드의 가중치, ${token} 행`,
    help: '바꾼 것은 키와 값뿐입니다. 고정한 토큰의 행에 표시를 했습니다.',
    waiting: '변형을 돌리는 중입니다.',
  },

  spectrum: {
    title: '잠재 벡터에 담기는 것',
    number: '특잇값의 번호',
    value: '[W_K W_V]의 특잇값',
    help: (rank, share) =>
      `앞의 ${rank}개가 제곱합의 ${share}를 담습니다. 곡선이 평평할수록 좁은 잠재 벡터가 잃는 것이 많습니다. 누르면 d_c를 고릅니다.`,
    fileTitle: '나란히 붙인 키 행렬과 값 행렬의 특잇값',
    waiting: '[W_K W_V]를 분해하는 중입니다.',
  },

  prices: {
    title: '비용 비교',
    variant: '변형',
    flops: '새 토큰 하나의 연산',
    columns: (context) => [
      '변형',
      '매개변수',
      `연산, 캐시 ${context}토큰`,
      '캐시, 모든 층',
      '출력의 오차',
    ],
    help: '매개변수(편향 제외)와 연산은 층 하나의 것이고, 곱셈 한 번과 덧셈 한 번을 두 연산으로 셉니다. MLA는 실제로 쓰는 방식대로 헤드마다 잠재 벡터를 직접 읽는 것으로 셌습니다. 메모리를 아끼는 대신 연산이 늘어납니다.',
    fileTitle: '변형마다 드는 것과 잃는 것',
  },

  tries: {
    title: '이렇게 해 보세요',
    now: '지금:',
    latent: (rank) => [
      `같은 만큼 남기되, 평균한 헤드 대신 수 ${rank}개짜리 잠재 벡터를 써 보세요. 어느 쪽이 덜 잃을까요?`,
    ],
    latentEvidence: (kvHeads, pooled, latent) => [
      `평균한 헤드 ${kvHeads}개의 오차 `,
      number(pooled),
      ', 잠재 벡터의 오차 ',
      number(latent),
    ],
    one: () => ['모든 헤드에 키와 값을 하나만 주어 보세요. 지금 연 헤드의 맵은 어떻게 될까요?'],
    oneEvidence: (error, from, to, before, after) => [
      '오차 ',
      number(error),
      ', ',
      query(from),
      ' → ',
      key(to),
      ' 가중치는 ',
      number(before),
      ', 바꾼 뒤에는 ',
      number(after),
    ],
    long: () => ['캐시를 131,072토큰까지 채워 보세요.'],
    longEvidence: (context, whole, small) => [
      `${context}토큰이면 헤드마다 키와 값을 둘 때 `,
      number(whole),
      ', 고른 변형에서는 ',
      number(small),
    ],
  },

  honesty: (own) => [
    '여기의 오차는 층 하나를 막 바꾸어 문장 하나에서 잰 것입니다. 이런 방식으로 학습한 모델이 얼마나 잘 읽고 쓰는지는 알려 주지 않습니다. ',
    part('published', '논문들에 따르면'),
    ' 학습하고 나면 잃는 것이 거의 없습니다. 이 모델은 글을 쓰지 않는 인코더라 캐시가 없고, 여기서는 같은 모양의 층에 캐시를 둔다면 얼마가 드는지 셌습니다.',
    ...(own === null
      ? []
      : [
          ' 학습된 층은 여기서 부동소수점 수로 계산합니다. 가중치와 활성값을 8비트로 두는 모델의 계산과는 ',
          number(own),
          `${joined}만큼 다릅니다.`,
        ]),
  ],

  published: {
    title: '논문이 보고한 수치',
    intro:
      '논문에 실린 대로 옮겼습니다. 저마다 그 논문의 모델이며, 여기서 잰 것은 하나도 없습니다.',
    columns: {
      shazeer: ['BLEU', '디코더, 토큰당 µs'],
      ainslie: ['평균 점수', '예제당 초'],
      deepseek: ['토큰 하나가 층마다 남기는 수', 'MHA에 대한 비율'],
    },
    notes: {
      shazeer:
        'WMT14 영어-독일어, 헤드 8개, 모델마다 매개변수 2억 1,100만 개. BLEU는 시험 집합에서 빔 4, 시간은 TPUv2에서 탐욕 디코딩.',
      ainslie: 'T5 모델, 표 1. GQA와 MQA는 평균으로 바꾼 다음 원래 학습량의 5%로 더 학습했습니다.',
      deepseek:
        '표 1과 DeepSeek-V2의 크기로 셈한 값. 512 + 64 대 2 · 128 · 128. 논문의 “93.3%”는 다른 모델인 DeepSeek 67B와 견준 것입니다.',
    },
  },

  formula: {
    title: '수식',
    help: '기호를 고르면 그 뜻과 지금 값이 나옵니다.',
    now: '지금',
    matrix: (rows, columns) => `수 ${rows} × ${columns}개`,
    groups: (groups) => `그룹 ${groups}개`,
    bytes: (count) => `${count}바이트`,
    symbols: {
      pooled: ['그룹 g의 키 행렬', '그룹에 든 헤드의 평균입니다. 값 행렬도 마찬가지입니다.'],
      share: ['그룹에 든 헤드 수', '키와 값을 함께 쓰는 쿼리 헤드의 수입니다.'],
      group: ['이웃한 헤드의 그룹', '그룹을 모두 모으면 헤드 h개입니다.'],
      trained: ['학습된 행렬', '모든 헤드의 키와 값을 나란히 붙인 행렬입니다.'],
      down: ['잠재 벡터로', '왼쪽 특이벡터 가운데 앞의 d_c개입니다. 남겨 두는 것은 x U입니다.'],
      up: ['잠재 벡터에서', '모든 헤드의 키와 값을 다시 만듭니다.'],
      bytes: ['캐시의 바이트', '글 하나일 때입니다.'],
      two: ['수 하나의 바이트', '16비트 부동소수점 수입니다.'],
      kept: ['토큰마다 남기는 수의 개수', '층 하나에서 센 개수입니다.'],
      layers: ['층의 수', '층마다 캐시가 따로 있습니다.'],
      context: ['캐시에 든 토큰', '지금까지의 문맥입니다.'],
    },
  },

  sources: {
    title: '참고 문헌',
    about: {
      vaswani: '멀티헤드 어텐션.',
      shazeer: '멀티 쿼리 어텐션, 그리고 디코딩이 메모리를 기다리는 까닭.',
      ainslie: '그룹 쿼리 어텐션, 그리고 평균으로 바꾸는 방법.',
      deepseek: '멀티헤드 잠재 어텐션.',
      eckart: '잘라 낸 특잇값 분해는 같은 랭크의 행렬 가운데 원래 행렬에 가장 가깝다.',
    },
  },
}
