// 8장의 한국어 문구. 영어를 옮긴 것이 아니라 같은 사실을 우리말로 따로 쓴 것이다.
import { number, part } from '../../i18n/inline'
import type { AblationMessages } from './en'
import { subjects } from './subjects.ko'

/** Keeps a particle on the line of its number (word joiner). */
const joined = '\u2060'

export const ablation: AblationMessages = {
  title: () => ['어떤 헤드가 없으면 아쉬울까?'],
  windowTitle: '헤드 끄기',

  answer: (facts) => [
    `헤드를 모두 켜고 ${facts.set}에서 잰 `,
    part('switches', '손실'),
    '은 ',
    number(facts.before),
    `${joined}이고, ${facts.off}를 끄면 `,
    number(facts.after),
    `${joined}입니다. 차이는 `,
    number(facts.change),
    `${joined}입니다(95% 구간 ${facts.low}~${facts.high}). `,
    facts.sure ? '우연으로 보기 어렵습니다.' : '우연일 수도 있습니다.',
  ],
  answerWaiting: () => ['헤드를 켜고 끄며 손실을 재는 중입니다 …'],

  subjects,
  groups: { encoder: '인코더', decoder: '디코더', cross: '크로스' },

  claims: () => [
    'Michel 등은 헤드 열여섯 개가 정말 하나보다 나은지 물었고, 대부분은 ',
    part('importance', '하나씩'),
    ' 빼도 되고 순서만 맞으면 ',
    part('pruning', '여럿을 한꺼번에'),
    ' 빼도 된다는 것을 보였습니다. 헤드들이 앙상블처럼 서로를 메워 준다는 말도 흔히 합니다. 이 말이 맞는지는 재 볼 수 있습니다. 헤드를 그냥 끄는 대신 틀린 값을 내게 해 보고, 여럿을 한꺼번에 꺼 보면 됩니다.',
  ],

  parts: {
    pairs: '모델과 글',
    switches: '스위치',
    behind: '뒤쪽 층의 어텐션',
    meaning: '뜻이 가까운 문장',
    importance: '하나씩 끄기',
    pruning: '여럿 끄기',
    groups: '인코더, 디코더, 그 사이',
    tries: '이렇게 해 보세요',
    evidence: '논문에 쓰기',
    formula: '수식',
    sources: '참고 문헌',
  },

  pairs: {
    title: '잰 문장',
    file: (name, set) => `${name}: ${set}`,
    arriving: (model, share) => `${model} 받는 중: ${share}`,
    broken: '파일을 읽지 못했습니다.',
    ownFailed: '준비된 글을 불러오지 못했습니다.',
    missing:
      '이 링크는 만든 사람이 자기 파일로 잰 것입니다. 같은 수를 보려면 그 파일을 여기서 여세요.',
    failed: '재지 못했습니다.',
    seed: '시드',
  },

  switches: {
    title: '헤드 끄기',
    label:
      '헤드마다 스위치가 하나씩 있습니다. 행은 층, 열은 헤드입니다. 화살표 키로 옮겨 가고 Enter로 켜고 끕니다.',
    head: (name) => `${name} 헤드`,
    how: '끄는 방법',
    ways: { zero: '0', mean: '평균', noise: '잡음', shuffle: '뒤섞기' },
    about: {
      zero: '헤드가 0을 내놓습니다.',
      mean: '어느 토큰에나 같은 값, 곧 모든 글에서 구한 출력의 평균을 내놓습니다.',
      noise: (level) =>
        `출력에 표준편차가 ${level}인 정규 분포 잡음을 더합니다. 출력과 비슷한 크기입니다.`,
      shuffle: '출력을 정해진 무작위 순서로 엉뚱한 토큰에 건넵니다.',
    },
    all: '모두 켜기',
    layer: (layer) => `${layer}층 끄기`,
    layerOn: (layer) => `${layer}층 켜기`,
    row: (row) => `${row} 끄기`,
    rowOn: (row) => `${row} 켜기`,
    least: (count) => `중요도가 낮은 ${count}개 끄기`,
    leastWaiting: '중요도가 낮은 것 끄기(먼저 ‘하나씩 끄기’를 재세요)',
    random: (count) => `무작위로 ${count}개 끄기`,
    columns: ['헤드', '손실'],
    match: '정답 일치',
    rows: { before: '모두 켬', after: (count) => `${count}개 끔`, change: '차이' },
    interval: (low, high) => `95% 구간 ${low}~${high}`,
    waiting: '재는 중 …',
    compare: '네 가지 방법 견주기',
    compareTitle: '꺼진 헤드, 틀린 값을 내는 헤드',
    compareColumns: ['끈 헤드들', '손실', '차이', '95% 구간'],
    compareNote:
      '다른 헤드가 대신해 준다면 잡음을 넣거나 뒤섞어도 0이나 평균으로 바꿀 때만큼만 잃을 것입니다. 더 많이 잃는다면 틀린 값이 그대로 전해진다는 뜻입니다.',
    alone: (facts) => [
      '이 헤드들을 하나씩 껐을 때 잃는 것을 더하면 ',
      number(facts.sum),
      ', 한꺼번에 끄면 ',
      number(facts.together),
      `${joined}입니다. 한꺼번에 끌 때 더 잃는다면 서로를 메워 주고 있었다는 뜻입니다.`,
    ],
    named: (names) => `${names} 헤드`,
    many: (count) => `헤드 ${count}개`,
    fileTitle: '헤드를 껐을 때의 손실',
  },

  behind: {
    title: '다른 헤드의 어텐션은 어떻게 바뀔까?',
    text: (facts) => [
      `입력한 문장에서 가장 크게 바뀌는 것은 ${facts.most} 헤드로, 행마다 가중치의 `,
      number(facts.moved),
      `${joined}가 다른 곳으로 옮겨 갑니다.`,
    ],
    nothing:
      '끈 헤드보다 앞에 있는 층의 어텐션은 바뀔 수 없습니다. 뒤에 층이 더 있는 헤드를 꺼 보세요.',
    allOn: '헤드가 모두 켜져 있어 바뀌는 것이 없습니다.',
    label: '헤드마다 어텐션이 얼마나 옮겨 갔는지. 화살표 키로 옮겨 가고 Enter로 헤드를 엽니다.',
    readout: (name, moved) => `${name} 헤드: 가중치의 ${moved}가 옮겨 감`,
    before: (name) => `모두 켰을 때 ${name} 헤드`,
    after: (name) => `껐을 때 ${name} 헤드`,
    mapLabel: '행은 쿼리, 열은 키. 화살표 키로 옮겨 갑니다.',
    help: '행마다 다른 키로 옮겨 간 가중치의 몫을 문장의 모든 행에서 평균했습니다.',
    long: '두 맵은 토큰이 40개 이하인 문장에서 보입니다.',
    waiting: '계산하는 중 …',
    columns: ['헤드', '옮겨 간 가중치'],
    fileTitle: '어텐션이 옮겨 간 정도',
  },

  meaning: {
    title: '입력한 문장과 뜻이 가까운 문장',
    text: (text) => [
      `쌍의 첫째 문장 가운데 ‘${text}’에 가장 가까운 문장들입니다. 헤드를 모두 켰을 때와 껐을 때를 견줍니다.`,
    ],
    empty: '문장을 입력하면 가까운 문장이 나옵니다.',
    columns: ['문장', '모두 켬', '순위', '끔', '순위'],
    same: (kept, of) => `가장 가까운 ${of}개 가운데 ${kept}개가 그대로 남았습니다.`,
    help: '평균 벡터의 코사인입니다.',
    waiting: '계산하는 중 …',
    fileTitle: '가까운 문장',
  },

  importance: {
    title: '하나씩 끄기',
    start: '하나씩 빼 보기',
    text: (facts) => [
      `헤드 ${facts.all}개 가운데 손실 차이의 95% 구간이 0을 벗어난 것은 `,
      number(facts.sure),
      `${joined}개입니다. 우연만으로도 ${facts.chance}개쯤은 나옵니다. 결과를 내는 절반에서 모델 전체의 손실은 ${facts.base}입니다.`,
    ],
    label:
      '헤드마다 뺐을 때의 손실 차이. 행은 층, 열은 헤드입니다. 화살표 키로 옮겨 가고 Enter로 그 헤드를 끕니다.',
    readout: (facts) => `${facts.head} 헤드를 빼면 ${facts.change} [${facts.low}, ${facts.high}]`,
    help: '결과를 내는 절반에서 잰 손실의 차이와 95% 구간입니다. 파란색은 빼면 손실이 늘어나는 헤드, 갈색은 줄어드는 헤드입니다.',
    columns: ['헤드', '차이', '95% 구간', '다른 절반'],
    waiting: '아직 재지 않았습니다. 재는 동안에도 잰 만큼 보여 주고 남은 시간을 알려 줍니다.',
    fileTitle: '헤드를 하나씩 뺐을 때의 손실 차이',
  },

  pruning: {
    title: '여럿 끄기',
    start: '가지치기',
    greedy: '탐욕법도 함께(훨씬 오래 걸림)',
    text: (facts) => [
      `헤드의 절반(${facts.half}개)을 중요도가 낮은 것부터 빼면 손실이 `,
      number(facts.kept),
      ', 무작위로 빼면 ',
      number(facts.random),
      ', 모두 켜면 ',
      number(facts.all),
      `${joined}입니다.`,
    ],
    x: '끈 헤드 수',
    y: '손실',
    importance: '중요도가 낮은 것부터',
    randomMean: '무작위, 평균',
    randomLow: '무작위, 가장 낮음',
    randomHigh: '무작위, 가장 높음',
    greedyCurve: '탐욕법',
    base: '모두 켬',
    help: '절반으로 순서를 정하고 다른 절반에서 쟀습니다. 무작위 순서는 다섯 가지입니다. 누르면 위에서 그만큼 끕니다.',
    about: { zero: '뺀 헤드는 0을 내놓습니다.', mean: '뺀 헤드는 평균을 내놓습니다.' },
    waiting:
      '아직 재지 않았습니다. ‘하나씩 끄기’를 먼저 재 두면 짧아집니다. 재는 동안 남은 시간을 알려 줍니다.',
    fileTitle: '헤드를 빼 나갈 때의 손실',
    layersTitle: '한 층을 모두 빼거나 하나만 남기면',
    match: (facts) => [
      '정답과 똑같이 번역한 비율은 중요도가 낮은 것부터 빼면 ',
      number(facts.kept),
      ', 무작위로 빼면 ',
      number(facts.random),
      ', 모두 켜면 ',
      number(facts.all),
      `${joined}입니다.`,
    ],
    layersColumns: [
      '층',
      '모두 뺐을 때 차이',
      '95% 구간',
      '남긴 헤드',
      '나머지를 뺐을 때 차이',
      '95% 구간',
    ],
    layersHelp:
      'Michel 등이 해 본 대로 한 층에서 혼자 남았을 때 가장 나은 헤드 하나만 남깁니다. 절반으로 고르고 다른 절반에서 쟀습니다. 여기서는 다른 층의 헤드를 그대로 둡니다.',
  },

  groupsPart: {
    title: '인코더, 디코더, 그 사이',
    names: {
      encoder: '인코더의 셀프 어텐션',
      decoder: '디코더의 셀프 어텐션',
      cross: '크로스 어텐션',
    },
    columns: ['헤드', '개수', '95% 구간이 0을 벗어남', '평균 차이', '가장 큰 차이'],
    headColumns: ['헤드', '손실 차이', '정답과 일치한 비율의 차이', '95% 구간'],
    largest: (head, change) => `${head}: ${change}`,
    waiting: '‘하나씩 끄기’를 재면 어느 어텐션을 껐을 때 가장 많이 잃는지 나옵니다.',
    papersTitle: '논문의 결과와 나란히',
    papersColumns: ['모델', '헤드', '하나씩', '여럿'],
    papers: [
      [
        'Michel et al. 2019, 영어-프랑스어 WMT14',
        '인코더에 96개: 6층에 16개씩',
        '96개 중 8개가 BLEU를 유의하게 바꿈(p < 0.01), 그중 4개는 오히려 나아짐',
        '전체 헤드의 20%까지는 눈에 띄는 손해 없음',
      ],
      [
        'Voita et al. 2019, WMT',
        '인코더에 48개',
        '보고하지 않음',
        '48개 중 38개를 빼고 0.15 BLEU 손해',
      ],
      [
        'Voita et al. 2019, OpenSubtitles',
        '인코더에 48개',
        '보고하지 않음',
        '48개 중 44개를 빼고 0.25 BLEU 손해',
      ],
    ],
    ours: (facts) => `이 페이지의 ${facts.model}`,
    oursHeads: (facts) =>
      `모두 ${facts.all}개(인코더에 ${facts.encoder}개): 층마다 ${facts.heads}개, d_k = ${facts.width}`,
    oursAlone: (facts) =>
      `${facts.all}개 중 ${facts.sure}개가 손실을 바꿈(우연으로도 ${facts.chance}개쯤)`,
    oursTogether: (facts) =>
      `중요도가 낮은 것부터 ${facts.all}개 중 ${facts.gone}개를 빼면 손실 ${facts.before} → ${facts.after}`,
    notMeasured: '아직 재지 않음',
    size: (facts) => [
      '크기가 아주 다릅니다. 이 번역 모델은 매개변수 ',
      number(facts.parameters),
      `${joined}개에 ${facts.layers}층이고, 짧은 일상 문장만 압니다. 논문들은 긴 뉴스 문장이나 자막에서 BLEU를 재었고, Voita 등은 인코더를 계속 학습하면서 게이트(gate)도 함께 학습했습니다. 여기서는 학습이 끝난 모델에서 헤드를 끄고 다음 토큰의 손실을 잽니다. 물음은 같지만 재는 방법은 다릅니다.`,
    ],
  },

  tries: {
    title: '이렇게 해 보세요',
    now: '지금:',
    changeEvidence: (facts) => [
      '손실 ',
      number(facts.before),
      ' → ',
      number(facts.after),
      `, 차이 ${facts.change} [${facts.low}, ${facts.high}]`,
    ],
  },

  honesty: () => [
    '모두 이 글들과 이 과제 하나로 잰 값입니다. 다른 글에서는 다른 헤드가 중요할 수 있습니다. 여기서 꺼도 아쉽지 않은 헤드는 다른 헤드도 하는 일을 하거나 이 과제에 필요 없는 일을 하는지도 모릅니다. 학습한 뒤에 끄는 것과 처음부터 없이 학습하는 것도 다릅니다. 작은 모델을 새로 학습하면 일을 다르게 나눌 것입니다.',
  ],

  evidence: {
    about: '꺼 둔 헤드가 없을 때의 손실.',
    importance: '헤드를 하나씩 뺐을 때의 차이.',
    pruning: '가지치기 곡선.',
    which: '인용할 것',
  },

  formula: {
    title: '수식',
    help: '기호를 고르면 그 뜻과 지금 값이 나옵니다.',
    now: '지금',
    symbols: {
      loss: ['손실', '단위는 nat이고 쌍마다 구해 평균합니다. 찍는 모델이면 ln n입니다.'],
      tokenloss: [
        '손실',
        '단위는 nat이고 모든 토큰에서 평균합니다. 찍는 모델이면 ln(어휘 크기)입니다.',
      ],
      tokens: ['토큰의 수', '모든 글의 토큰을 합친 수입니다.'],
      token: ['토큰', '그 자리의 정답입니다.'],
      before: ['주어진 것', '그 앞의 올바른 토큰들이고, 번역 모델에는 원문도 주어집니다.'],
      count: ['쌍의 수', '모든 쌍의 둘째 문장이 후보가 됩니다.'],
      scale: ['배율', '모델이 학습한 대로 20입니다.'],
      cosine: ['코사인', '두 문장 평균 벡터 사이의 값입니다.'],
      first: ['첫째 문장', '토큰의 마지막 벡터를 평균해 길이를 1로 맞춘 벡터입니다.'],
      second: ['그 짝', '뜻이 같은 문장입니다.'],
      other: ['모든 후보', '짝과, 다른 모든 쌍의 둘째 문장입니다.'],
      mask: ['헤드 h의 스위치', '켜면 1, 끄면 0입니다.'],
      output: ['헤드 h의 출력', 'W_O를 곱하기 전의 값이며 이것을 끕니다.'],
      projection: ['W_O에서 헤드 h의 행들', '그대로 둡니다.'],
      change: ['헤드 h를 뺐을 때의 차이', '0보다 크면 없을 때 아쉬운 헤드입니다.'],
    },
  },

  sources: {
    title: '참고 문헌',
    about: {
      michel:
        '헤드를 하나씩, 또 여럿 빼 본 논문. 번역 모델 인코더의 헤드 96개 가운데 혼자 빠졌을 때 유의한 차이가 나는 것은 8개뿐이었고, 헤드의 20%(BERT에서는 40%)까지는 눈에 띄는 손해 없이 뺄 수 있었다.',
      voita:
        '학습한 게이트로 가지치기: 인코더 헤드 48개 중 38개를 빼고 0.15 BLEU를 잃었다. 역할이 있는 헤드가 끝까지 남는다.',
      henderson: '손실: 배치 전체의 답 가운데서 맞는 답 찾기.',
      reimers: '토큰의 평균으로 문장 벡터를 만들고 코사인으로 견주기.',
      efron: '부트스트랩: 쌍을 거듭 다시 뽑아 구간을 구하는 방법.',
    },
  },
}
