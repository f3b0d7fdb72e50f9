// 9장의 한국어 문구. 영어를 옮긴 것이 아니라 같은 사실을 우리말로 따로 쓴 것이다.
import { link, number, part, term } from '../../i18n/inline'
import type { RankMessages } from './en'

/** Keeps a particle on the line of its number (word joiner). */
const joined = '\u2060'

export const rank: RankMessages = {
  title: '헤드는 얼마나 얇아도 될까?',
  windowTitle: '너무 얇은 헤드',

  answer: (facts) => [
    `토큰 ${facts.tokens}개에서 ${facts.head} 헤드의 점수는 `,
    part('spectrum', '랭크'),
    '가 ',
    number(facts.scores),
    `${joined}입니다. d_k = ${facts.headDim}이므로 더 클 수 없습니다. 점수의 99%는 특잇값 `,
    number(facts.bulk),
    `${joined}개에 담깁니다. 소프트맥스를 지난 `,
    part('ranks', '가중치'),
    '의 랭크는 ',
    number(facts.weights),
    `${joined}입니다.`,
  ],
  answerShort: (tokens, headDim) => [
    `지금 글은 토큰이 ${tokens}개입니다. 토큰이 d_k = ${headDim}개를 넘지 않으면 글의 길이만으로도 점수의 `,
    part('lengths', '랭크'),
    '가 제한됩니다. 두 한계를 가려 보려면 토큰이 그 두 배쯤 되는 글이 필요합니다.',
  ],
  answerWaiting: '층을 받으면 여기에 랭크가 나옵니다.',
  takeLong: '더 긴 글로 보기',
  cut: (used, left) =>
    `이 장에서는 앞의 토큰 ${used}개만 보고 ${left}개는 뺐습니다. 더 길면 모든 헤드의 특잇값을 구하는 데 몇 분이 걸립니다.`,
  failed: '계산하지 못했습니다.',

  bound: () => [
    '헤드의 점수 Q Kᵀ에는 수가 n × n개 있지만, 열이 d_k개뿐인 두 행렬로 만듭니다. 그래서 글이 아무리 길어도 랭크는 d_k를 넘지 못하고, ',
    part('spectrum', 'd_k번째 뒤의 특잇값'),
    '에는 반올림 오차만 남습니다. 이것이 ',
    term('저랭크 병목'),
    '(low-rank bottleneck)입니다.',
  ],
  softmax: () => [
    '가중치에는 이 한계가 없습니다. 소프트맥스는 점수마다 exp를 취하는데, 랭크가 낮은 행렬도 이렇게 하면 ',
    part('lengths', '랭크가 최대가 될 수 있습니다'),
    '. 그러니 얇은 헤드라고 해서 뾰족하거나 복잡한 맵을 못 만드는 것은 아닙니다. 무엇을 못 하는지는 패턴과, 점수가 얼마나 커도 되는지에 달려 있습니다. 아래 ',
    part('lab', '실험실'),
    '에서 해 볼 수 있습니다.',
  ],

  parts: {
    heads: '모델에서 잰 랭크',
    lab: '얇은 헤드로 맞추기',
    split: '얇게 여럿, 두껍게 몇 개',
    theorem: '정리가 말하는 것',
    claims: '주장과 근거',
    evidence: '논문에 쓰기',
    tries: '이렇게 해 보세요',
    formula: '수식',
    sources: '참고 문헌',
  },

  kinds: { scores: '점수(소프트맥스 전)', weights: '가중치(소프트맥스 후)' },
  waiting: '특잇값을 계산하는 중 …',

  spectrum: {
    title: (head) => `${head} 헤드의 특잇값`,
    file: (head) => `${head} 헤드의 점수와 가중치의 특잇값`,
    x: '특잇값의 번호',
    y: '가장 큰 값을 1로',
    rule: 'd_k',
    help: '세로축은 로그 눈금입니다. 점수의 선이 뚝 떨어지는 곳이 d_k이고, 그 뒤에 남은 것은 32비트 실수의 반올림 오차입니다.',
  },

  lengths: {
    title: (head) => `${head} 헤드의 랭크와 글의 길이`,
    file: (head) => `토큰 수에 따른 ${head} 헤드의 수치 랭크`,
    x: '글의 앞쪽 토큰 수',
    y: '수치 랭크',
    rule: 'd_k',
    help: '앞쪽 행과 열만 떼어 구한 값입니다. 글이 d_k보다 짧은 동안은 글의 길이가 한계입니다.',
  },

  heads: {
    title: '이 글에서 본 모든 헤드',
    measure: '볼 것',
    measures: {
      scores: '점수의 랭크',
      bulk: '99%를 담는 특잇값 수',
      weights: '가중치의 랭크',
    },
    about: {
      scores:
        'Q Kᵀ의 수치 랭크입니다. 가장 큰 특잇값의 n · 2⁻²³배(32비트 실수의 반올림 오차)보다 큰 특잇값을 셉니다.',
      bulk: '제곱합의 99%를 담는 데 필요한 점수의 특잇값 수입니다. 이 글에서 헤드가 d_k 가운데 실제로 쓰는 만큼입니다.',
      weights: '같은 규칙으로 센 가중치의 수치 랭크입니다. d_k의 제한을 받지 않습니다.',
    },
    label: '모든 헤드. 행은 층, 열은 헤드. 화살표 키로 옮겨 가고 Enter로 헤드를 엽니다.',
    file: '모든 헤드의 랭크',
    readout: (head, value) => `${head}: ${value}`,
    unknown: '아직 계산하지 않음',
    progress: (done, all) => `헤드 ${all}개 중 ${done}개`,
    halt: '여기서 멈추기',
    resume: '나머지 계산하기',
    caption: '이 글에서 구한 모든 헤드의 랭크',
    columns: ['헤드', '점수의 랭크', '99%를 담는 특잇값 수', '가중치의 랭크'],
  },

  lab: {
    title: 'd_k차원 헤드가 이런 패턴을 만들 수 있을까?',
    about: () => [
      '패턴을 하나 정하고, softmax(Q Kᵀ / √d_k)가 그 패턴에 가까워지도록 d_k차원 쿼리와 키를 찾습니다. 여기에는 글도 모델도 없습니다. 그 앞의 계산은 무엇이든 학습할 수 있다고 보고 쿼리와 키를 자유롭게 둡니다. d_k 말고 또 중요한 것은 점수의 크기입니다. 점수의 제곱평균제곱근(RMS)은 아래에서 정한 ',
      part('norms', '노름'),
      '을 넘지 못합니다.',
    ],
    pattern: '패턴',
    patterns: {
      random: '무작위(모두 양수)',
      shift: '다음 토큰',
      permutation: '치환',
      diagonal: '자기 자신',
      blocks: '블록',
      uniform: '모두 고르게',
      own: '직접 그리기',
    },
    length: '토큰 수 n',
    norm: '점수의 노름',
    normText: (norm) => `제곱평균제곱근 ${norm} 이하`,
    headDim: 'd_k',
    headDimText: (headDim) => `d_k = ${headDim}`,
    seed: '시드',
    another: '다른 난수로',
    brush: '그릴 세기',
    brushText: (level) => `9단계 가운데 ${level}`,
  },

  maps: {
    title: (headDim) => `주어진 패턴과 d_k = ${headDim}인 헤드`,
    wanted: '주어진 패턴',
    fitted: (headDim) => `맞춘 헤드, d_k = ${headDim}`,
    label:
      '주어진 패턴. 행은 쿼리, 열은 키. 화살표 키로 옮겨 가고 Enter로 그리며 숫자 키로 세기를 정합니다.',
    fittedLabel: '맞춘 헤드의 가중치. 화살표 키로 옮겨 갑니다.',
    readout: (query, key, wanted, fitted) =>
      `쿼리 ${query}, 키 ${key}: 목표 ${wanted}, 맞춘 값 ${fitted}`,
    idle: '패턴의 칸을 누르면 직접 그릴 수 있습니다. 그린 세기는 행마다 더해서 1이 되도록 나눕니다.',
    help: '두 맵의 색 눈금은 같습니다.',
    waiting: 'd_k마다 헤드를 맞추는 중 …',
    caption: '주어진 패턴과 맞춘 가중치',
    columns: ['쿼리', '키', '목표', '맞춘 값'],
  },

  circle: {
    title: (headDim) => `d_k = ${headDim}일 때 쿼리와 키`,
    queries: '쿼리',
    keys: '키',
    one: 'd_k = 1이면 쿼리와 키가 모두 한 직선 위에 놓입니다.',
    two: 'd_k = 2이면 이 평면이 전부입니다. 쿼리는 제 방향으로 가장 멀리 있는 키를 봅니다.',
    more: (share) => `처음 두 차원만 그렸습니다. Q Kᵀ 제곱합의 ${share}가 여기에 담깁니다.`,
    file: (headDim) => `맞춘 헤드의 쿼리와 키, d_k = ${headDim}`,
    columns: ['토큰', '쿼리 1', '쿼리 2', '키 1', '키 2'],
    caption: '평면에 놓인 쿼리와 키',
  },

  fits: {
    title: 'd_k에 따른 오차',
    file: (pattern, norm) => `d_k에 따라 가장 잘 맞춘 헤드의 오차: ${pattern}, 노름 ${norm}`,
    x: 'd_k',
    y: '오차',
    divergence: 'KL 발산(nat)',
    largest: '가중치의 가장 큰 오차',
    help: 'd_k마다 네 번씩 찾아 오차가 가장 작은 것을 골랐습니다. 가능한 최솟값이 아니라 그 상한입니다. 점을 누르면 그 d_k로 바뀝니다.',
  },

  norms: {
    title: '노름에 따른 오차',
    file: (pattern) => `노름에 따라 가장 잘 맞춘 헤드의 KL 발산: ${pattern}`,
    x: '노름: 점수의 제곱평균제곱근의 한계',
    y: 'KL 발산(nat)',
    series: (headDim) => `d_k = ${headDim}`,
    help: '둘 다 중요합니다. 모자란 차원을 큰 점수로 메울 수 있는 패턴도 있고, 그럴 수 없는 패턴도 있습니다.',
    waiting: '다른 노름에서도 맞추는 중 …',
  },

  split: {
    title: '같은 예산으로 얇은 헤드 여럿, 아니면 두꺼운 헤드 몇 개',
    about: (dModel, parameters, heads) => [
      `이 모델은 d_model = ${dModel}입니다. 헤드를 몇 개로 나누든 한 층의 W_Q와 W_K에는 수가 ${parameters}개 있습니다. 헤드가 h개면 서로 다른 h가지 패턴으로 볼 수 있고, 헤드마다 d_k = ${dModel} / h입니다. 선은 그런 헤드 하나가 `,
      part('lab', '위의 패턴'),
      `을 얼마나 잘 만드는지 보여 줍니다. 이 모델의 h는 ${heads}이고, 오른쪽 끝은 헤드가 저마다 한 차원뿐인 h = d_model입니다.`,
    ],
    file: (pattern) => `헤드 수에 따른 헤드 하나의 KL 발산: ${pattern}`,
    x: '헤드 수 h',
    y: '헤드 하나의 KL 발산(nat)',
    series: 'd_model / h차원 헤드',
    rule: 'd_k = n',
    read: (heads, headDim) => `${heads}(d_k = ${headDim})`,
    help: '가는 선 왼쪽에서는 d_k가 n 이상이라, 이 패턴의 길이에서는 정리가 말하는 병목이 없습니다.',
    honesty: () => [
      '헤드를 하나씩 따로 같은 패턴에 맞추었습니다. 실제 층에서는 헤드의 출력을 더하고 층이 이어집니다. 거친 패턴 여럿이 나은지 정확한 패턴 몇 개가 나은지는 여기서 가릴 수 없습니다.',
    ],
  },

  theorem: {
    title: '정리가 말하는 것과 말하지 않는 것',
    says: () => [
      link('https://arxiv.org/abs/2002.07028', 'Bhojanapalli et al. 2020'),
      '의 정리 1을 풀어 쓰면 이렇습니다. 토큰 n개를 X의 열로 놓고, 가중치가 모두 양수이고 열마다 더하면 1인 행렬 P를 생각합니다(그 논문의 열이 여기서는 행입니다). d_k ≥ n일 때는, 열이 모두 일차독립인 X라면 P가 무엇이든 헤드의 가중치를 정확히 P로 만드는 W_Q와 W_K가 있습니다. d_k < n일 때는 그런 W_Q와 W_K가 없는 X와 P가 있습니다.',
    ],
    limits: [
      '존재에 관한 정리입니다. d_k가 n보다 작으면 만들 수 없는 패턴이 있다는 말이지, 모든 패턴을 못 만든다는 말이 아닙니다. 점수가 커도 된다면 다음 토큰이나 치환은 두 차원이면 됩니다.',
      '헤드 하나, 글 하나에 관한 정리입니다. 실제로는 같은 W_Q와 W_K를 모든 글에 써야 하는데, 그럴 수 있는지는 차원 수만으로 정해지지 않습니다.',
      '정확히 똑같이 만들 수 있는지에 관한 정리입니다. 더 적은 차원으로 얼마나 가까이 갈 수 있는지는 다른 물음이며, 위의 실험실에서 봅니다.',
      'd_k = d_model / h로 두면 h > d_model / n부터 병목입니다. 논문은 d_k를 글의 길이에 맞추자고 하는데, 그러면 매개변수가 늘어납니다.',
      '가중치의 랭크를 제한하는 정리가 아니며, 학습이 무엇을 찾아내는지도 말하지 않습니다.',
    ],
  },

  claims: {
    title: '얇은 헤드와 두꺼운 헤드에 관한 주장, 그리고 그 근거',
    columns: ['주장', '근거', '학습 실험이 보여야 할 것'],
    rows: {
      bottleneck: [
        '얇은 헤드는 품질을 떨어뜨린다.',
        '아래에 옮긴 비교에서는 d_k가 작아지면 조금씩 나빠집니다. 그러나 대부분 헤드가 두꺼우면 매개변수도 많고, 표의 수치는 구간 없이 하나씩뿐입니다.',
        'h가 달라도 매개변수 수가 같게 하고, 시드를 여럿 쓰고, 구간을 밝힌 비교.',
      ],
      many: [
        '얇은 헤드 여럿이 두꺼운 헤드 몇 개를 대신한다.',
        '엇갈립니다. Amsel et al. 2024는 랭크가 최대인 헤드라면 하나로 되지만 저랭크 헤드라면 지수적으로 많아야 하는 목표를 제시했습니다. 층을 쌓으면 짧은 글에서는 사정이 달라집니다. 학습된 모델에서는 많은 헤드를 없애도 됩니다(8장의 물음).',
        '정확한 패턴 하나가 필요한 과제와 거친 패턴 여럿이 필요한 과제에서 h와 d_k를 맞바꾼 비교.',
      ],
      selection: [
        '얇은 헤드는 정보 병목이라 남길 것을 골라야 한다.',
        '밝혀진 사실이라기보다 생각에 가깝습니다. d_k가 작으면 담기는 것도 적다는 것은 산수일 뿐입니다. 그래서 남길 것을 더 잘 고르게 된다는 것을 d_k만 바꾸어 보인 연구는 저희가 아는 한 없습니다. 음성 모델에서 헤드마다 정보를 잰 연구(OpenReview, ICLR 2024)는 철회되었습니다.',
        'd_k가 바뀔 때 헤드의 출력에서 입력과 정답을 얼마나 읽어 낼 수 있는가.',
      ],
      noise: [
        '얇은 헤드는 규제(regularization) 효과가 있고 두꺼운 헤드는 잡음까지 맞춘다.',
        'd_k만 바꾸어 이것을 보인 실험을 저희는 알지 못합니다.',
        '정답 일부를 틀리게 바꾸어 학습할 때, 매개변수가 같으면서 d_k가 작을수록 학습 오차와 시험 오차의 차이가 줄어드는가.',
      ],
    },
    later: '학습을 다루는 장이 생기면 이 탭 안에서 이 실험들을 해 볼 것입니다.',
    published: '발표된 그대로 옮긴 수치이며, 여기서 잰 것은 없습니다.',
    tables: {
      vaswani: {
        columns: ['h × d_k', 'BLEU'],
        note: '표 3, 영어-독일어, 개발 집합. 앞의 다섯 행은 h · d_k = 512로 같고, 뒤의 두 행은 h = 8을 그대로 두고 d_k만 줄였습니다.',
      },
      large: {
        columns: ['h × d_k', 'SQuAD F1', 'MNLI'],
        note: '표 1, BERT-large, 모든 행이 d_model = 1024, 매개변수 3억 3,600만 개입니다.',
      },
      widths: {
        columns: ['h × d_k', 'SQuAD F1', 'MNLI'],
        note: '표 2B, d_model = 512. 여기서는 d_k와 함께 매개변수도 늘어납니다.',
      },
    },
  },

  evidence: {
    ranks: '지금 글에서 구한 모든 헤드의 랭크입니다.',
    fit: '위의 패턴에 d_k마다 맞춘 헤드입니다.',
  },

  tries: {
    title: '이렇게 해 보세요',
    now: '지금:',
    shift: () => [
      '두 차원짜리 헤드가 다음 토큰을 보게 해 보세요. 노름을 4분의 1로 줄여도 여전히 뾰족할까요?',
    ],
    random: () => ['같은 노름에서 무작위 패턴을 골라 보세요. 몇 차원이 필요할까요?'],
    fitEvidence: (facts) => [
      `d_k = ${facts.headDim}, 노름 ${facts.norm}: KL 발산 `,
      number(facts.divergence),
      ' nat, 가중치의 가장 큰 오차 ',
      number(facts.largestError),
    ],
    randomEvidence: (facts, needed) => [
      'd_k = 2이면 KL 발산 ',
      number(facts.divergence),
      ` nat이 남습니다. n = ${facts.tokens}일 때 0.001보다 작아지는 것은 d_k = `,
      number(needed),
      '부터입니다.',
    ],
    long: () => ['더 긴 글을 골라 보세요. 점수의 랭크와 가중치의 랭크가 같을까요?'],
    longEvidence: (facts) => [
      `${facts.head} 헤드: 점수 `,
      number(facts.scores),
      ', 가중치 ',
      number(facts.weights),
      `, 토큰 ${facts.tokens}개`,
    ],
  },

  honesty: () => [
    '랭크는 0이 아닌 방향을 셀 뿐 그 크기를 따지지 않습니다. 거의 모든 헤드에서 랭크는 d_k가 허락하는 최댓값이지만, 점수의 대부분은 ',
    part('ranks', '훨씬 적은 차원'),
    '에 들어 있습니다. d_k가 더 작은 헤드였어도 같은 것을 배웠을지는 두 수 모두 말해 주지 않습니다. 직접 학습해 보아야 압니다.',
  ],

  formula: {
    title: '수식',
    help: '기호를 고르면 그 뜻과 지금 값이 나옵니다.',
    now: '지금',
    matrix: (rows, columns) => `수 ${rows} × ${columns}개`,
    symbols: {
      scores: ['점수', '행마다 쿼리 하나, 열마다 키 하나입니다.'],
      rank: ['랭크', '지금 글에서 잰, 열어 둔 헤드의 랭크입니다. 반올림 오차는 세지 않습니다.'],
      size: ['헤드 차원', 'Q와 K의 열의 수. 모델의 값입니다.'],
      tokens: ['토큰의 수', '모델에서 보는 토큰의 수입니다.'],
      pattern: ['주어진 패턴', 'i행은 쿼리 i가 가중치를 어떻게 나눌지를 나타냅니다.'],
      divergence: ['KL 발산', '쿨백-라이블러 발산. 가중치가 패턴과 같으면 0입니다.'],
      norm: ['노름', '점수의 제곱평균제곱근이 넘지 못하는 값입니다.'],
    },
  },

  sources: {
    title: '참고 문헌',
    about: {
      bhojanapalli: '정리와 병목이라는 이름, 표 1과 표 2의 비교.',
      vaswani: '표 3. (A)행은 h · d_k를 그대로 두고 h를 바꾸고, (B)행은 d_k를 줄인다.',
      amsel: '저랭크 헤드가 지수적으로 많이 필요한 목표, 그리고 깊이가 도움이 되는 경우.',
      michel: '헤드를 몇 개까지 빼도 되는지 잰 논문.',
      eckart: '랭크가 낮은 행렬로 얼마나 가까이 갈 수 있는지를 특잇값으로 재는 근거.',
    },
  },
}
