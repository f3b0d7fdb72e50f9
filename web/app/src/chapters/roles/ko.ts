// 7장의 한국어 문구. 영어를 옮긴 것이 아니라 같은 사실을 우리말로 따로 쓴 것이다.
import { number, part, term } from '../../i18n/inline'
import type { RolesMessages } from './en'

/** Keeps a particle on the line of its number (word joiner). */
const joined = '\u2060'

const relationNames: RolesMessages['relationNames'] = {
  acl: '명사를 꾸미는 절',
  'acl:relcl': '관계절',
  advcl: '부사절',
  'advcl:relcl': '절 전체를 받는 관계절',
  advmod: '부사어',
  amod: '꾸미는 형용사',
  appos: '동격',
  aux: '조동사',
  'aux:pass': '수동 조동사',
  case: '전치사나 ’s',
  cc: '접속사',
  'cc:preconj': '앞에 놓인 접속사',
  ccomp: '목적어 절',
  compound: '합성어',
  'compound:prt': '동사의 불변화사',
  conj: '나란히 이어진 말',
  cop: '연결 동사',
  csubj: '주어 절',
  dep: '정해지지 않은 관계',
  det: '한정사',
  'det:predet': '앞한정사',
  discourse: '감탄사',
  dislocated: '자리를 옮긴 말',
  expl: '허사',
  fixed: '굳은 표현',
  flat: '여러 낱말로 된 이름',
  goeswith: '갈라져 적힌 낱말',
  iobj: '간접 목적어',
  list: '나열',
  mark: '절을 여는 말',
  nmod: '명사를 꾸미는 명사',
  'nmod:desc': '직함이나 설명',
  'nmod:poss': '소유격',
  'nmod:unmarked': '전치사 없는 명사',
  nsubj: '주어',
  'nsubj:outer': '절을 품은 절의 주어',
  'nsubj:pass': '수동문의 주어',
  nummod: '수',
  obj: '목적어',
  obl: '부사구',
  'obl:agent': '수동문의 행위자',
  'obl:unmarked': '전치사 없는 부사구',
  orphan: '홀로 남은 말',
  parataxis: '병렬',
  punct: '문장 부호',
  reparandum: '고쳐 말한 부분',
  vocative: '부르는 말',
  xcomp: '주어 없는 보어',
  previous: '앞 토큰',
  next: '뒤 토큰',
  first: '[CLS]',
  separator: '[SEP]',
  punctuation: '문장 부호',
  self: '자기 자신',
  duplicate: '같은 낱말',
  entropy: '고루 보기',
  coreference: '대명사가 가리키는 말',
}

export const roles: RolesMessages = {
  title: () => ['헤드는 무슨 일을 할까?'],
  windowTitle: '헤드가 하는 일',

  answer: (facts) => [
    `문장 ${facts.sentences}개에서 재어 보면 헤드 ${facts.all}개 가운데 `,
    number(facts.related),
    `${joined}개는 `,
    part('rolegrid', '낱말 사이의 관계'),
    '를 찾고, ',
    number(facts.placed),
    `${joined}개는 한 종류의 자리만 보며, 나머지 `,
    number(facts.none),
    `${joined}개에는 역할이 없습니다.`,
    ...(facts.first
      ? [
          ` 가장 뚜렷한 것은 ${facts.first.head} 헤드로, `,
          part('examples', `${facts.first.role}(${facts.first.gloss})`),
          ' 관계의 짝을 찾은 비율이 ',
          number(facts.first.score),
          `${joined}입니다. 가장 잘 맞는 고정 거리로는 `,
          number(facts.first.baseline),
          `${joined}입니다.`,
        ]
      : []),
  ],
  answerPlain: (facts) => [
    `문법 표시가 없는 문장 ${facts.sentences}개에서는 헤드 ${facts.all}개 가운데 `,
    number(facts.some),
    `${joined}개가 `,
    part('rolemap', '문법을 몰라도 보이는 일'),
    '을 합니다. 문법 관계를 찾는 역할을 보려면 관계가 표시된 문장을 고르세요.',
  ],
  answerWaiting: () => ['헤드마다 어디를 보는지 재는 중입니다 …'],
  answerNothing: () => ['아직 잰 것이 없습니다.'],

  method: () => [
    '문법을 표시한 문장에는 낱말마다 어느 낱말에 딸렸는지가 적혀 있습니다. 목적어는 동사에, 한정사는 명사에 딸립니다. 어떤 헤드에서 어텐션을 가장 많이 받은 낱말이 바로 그 낱말(지배소)이면 헤드가 관계를 ',
    term('찾았다'),
    '고 합니다. 이것만으로는 부족합니다. 한정사가 딸린 명사는 대개 바로 뒤에 있어서 ',
    part('examples', '거리만 정해 두어도'),
    ' 찾을 수 있기 때문입니다. 그래서 모든 수를 가장 잘 맞는 고정 거리와 나란히 놓았습니다.',
  ],
  halves: () => [
    '헤드와 관계가 이렇게 많으면 우연히 잘 맞는 헤드도 나옵니다. 그래서 문장의 절반으로 헤드를 고르고 나머지 절반으로 결과를 내며, 구간도 함께 적습니다. 고르는 절반에서 고정 거리보다 10%p 넘게 앞서고 결과를 내는 절반에서도 확실히 앞설 때에만 역할로 칩니다. 그래도 ',
    part('coreference', '맞는 낱말을 보는 데'),
    '에는 다른 까닭이 있을 수 있습니다.',
  ],

  parts: {
    bank: '문장',
    grid: '모든 헤드의 역할',
    examples: '맞는 예, 틀린 예',
    map: '모든 관계',
    coreference: '대명사',
    recorded: '공개 트리뱅크',
    tries: '이렇게 해 보세요',
    evidence: '논문에 쓰기',
    formula: '수식',
    sources: '참고 문헌',
  },

  relationNames,
  shortNames: {
    previous: '앞',
    next: '뒤',
    first: '[CLS]',
    separator: '[SEP]',
    punctuation: '부호',
    self: '자신',
    duplicate: '같은 말',
    entropy: '고루',
    coreference: '대명사',
  },

  bank: {
    title: '잰 문장',
    banks: { own: '준비된 문장', text: '입력한 글', file: '내 파일' },
    open: '트리뱅크(CoNLL-U)나 글 열기',
    help: '여기에 끌어다 놓아도 됩니다. 보편 의존 관계(Universal Dependencies)를 따르면 어느 언어든 됩니다. 표시가 없는 글이면 표시가 필요 없는 것만 잽니다. 파일은 이 탭을 벗어나지 않습니다.',
    broken: '파일을 읽지 못했습니다.',
    ownFailed: '준비된 문장을 불러오지 못했습니다.',
    missing:
      '이 링크는 만든 사람이 자기 파일로 잰 것입니다. 같은 수를 보려면 그 파일을 여기서 여세요.',
    start: '재기',
    used: ({ used, given, words }) => `문장 ${given}개 중 ${used}개, 낱말 ${words}개`,
    left: (short, long) => `뺀 문장: 한 낱말짜리 ${short}개, 128토큰이 넘는 것 ${long}개`,
    split: (split, lost) => `토큰 여러 개로 나뉜 낱말 ${split}개, 제 토큰이 없는 낱말 ${lost}개`,
    time: (seconds) => `${seconds}초 걸림`,
    own: '이 페이지를 위해 쓴 문장입니다. 보편 의존 관계 2판에 따라 문법을 표시한 문장 212개와 대명사가 있는 문장 100개이며, 모두 두 번씩 확인했습니다.',
    seed: '절반을 나누는 시드',
    another: '다르게 나누기',
    noLabels: '문법 표시가 없습니다. 관계를 재려면 표시된 문장이 있어야 합니다.',
  },

  grid: {
    title: '모든 헤드의 역할',
    label: '모든 헤드와 그 역할. 화살표 키로 옮겨 가고 Enter로 엽니다.',
    named: (name, count) => `${name} 헤드, 역할 ${count}개`,
    none: (name) => `${name} 헤드, 역할 없음`,
    badge: ({ head, gloss, score }) => `${head} 헤드, ${gloss}: ${score}`,
    more: (count) => `+${count}`,
    list: '역할별로 보기',
    axes: '행은 층, 열은 헤드이고 둘 다 0부터 셉니다.',
    noRole: (none, all) =>
      `헤드 ${all}개 가운데 ${none}개는 이 기준으로 역할이 없습니다. 역할이 없다는 것도 결과입니다. 헤드가 하는 일에 꼭 이름이 있으라는 법은 없습니다.`,
    rules:
      '관계를 찾는 역할: 결과를 내는 절반에 딸린 낱말이 10개 이상이고, 고르는 절반에서 고정 거리보다 10%p 넘게 앞서며, 결과를 내는 절반에서도 확실히 앞서야 합니다(차이의 95% 구간). 표시가 필요 없는 역할: 가중치가 절반을, 고루 보기는 엔트로피가 가능한 최댓값의 85%를 확실히 넘어야 합니다. 대명사: 가까운 후보를 고르는 것보다 확실히 낫고, 문장의 다른 낱말들보다도 확실히 나아야 합니다.',
    fileTitle: '모든 헤드의 역할',
    columns: ['헤드', '역할', '값', '95% 구간', '넘어야 할 값', 'n'],
    waiting: '다 재고 나면 역할이 나옵니다.',
  },

  examples: {
    title: (facts) =>
      facts.kind === 'relation'
        ? `${facts.head} 헤드와 ${facts.role}: ${facts.gloss}`
        : `${facts.head} 헤드: ${facts.gloss}`,
    relation: (facts) => [
      facts.upward
        ? '딸린 낱말이 다른 낱말 가운데 제 지배소를 가장 많이 보는 비율은 '
        : '다른 낱말 가운데 딸린 낱말을 가장 많이 보는 것이 그 지배소인 비율은 ',
      number(facts.score),
      `${joined}입니다(${facts.n}개, 95% 구간 ${facts.low}~${facts.high}). 가장 잘 맞는 고정 거리(${facts.offset})로는 `,
      number(facts.baseline),
      `${joined}입니다.`,
    ],
    measure: (facts, about) => [
      `${about}: `,
      number(facts.score),
      `${joined}. 행 ${facts.n}개의 평균(95% 구간 ${facts.low}~${facts.high})이고, ${facts.baseline}부터 역할로 칩니다.`,
    ],
    coreference: (facts) => [
      '대명사가 다른 후보보다 실제로 가리키는 말에 가중치를 더 두는 비율은 ',
      number(facts.score),
      `${joined}입니다(${facts.n}문장, 95% 구간 ${facts.low}~${facts.high}). 가까운 후보를 고르면 `,
      number(facts.baseline),
      `${joined}입니다. 이 문장들은 절반으로 나누지 않았습니다.`,
    ],
    isRole: '위의 기준에 따라 역할로 칩니다.',
    notRole: '위의 기준으로는 역할이 아닙니다.',
    filters: { all: '모두', right: '맞는 예', wrong: '틀린 예' },
    show: '볼 예',
    more: '더 보기',
    right: (from, looked) => `${from} → ${looked}`,
    wrong: (from, looked, wanted) => `${from} → ${looked}, 맞는 것은 ${wanted}`,
    rightMark: '맞음',
    wrongMark: '틀림',
    look: '어텐션 보기',
    lookWhat: (text) => `이 문장에서 이 헤드의 어텐션 보기: ${text}`,
    none: '이런 예가 없습니다.',
    noList: '이 역할에는 예의 목록이 없습니다. 헤드의 어텐션은 1장에서 볼 수 있습니다.',
    tooMany: (words) =>
      `예는 낱말 ${words}개까지만 모아 둡니다. 예를 읽으려면 파일의 일부만 재세요.`,
    legend:
      '보는 낱말은 색으로, 맞는 낱말은 밑줄로, 어텐션을 가장 많이 받은 낱말은 점선으로 표시했습니다.',
    reported: '결과를 내는 절반의 예입니다.',
    fileTitle: (what) => `${what}의 예`,
    columns: ['문장', '보는 낱말', '본 낱말', '맞는 낱말', '판정'],
  },

  map: {
    title: '모든 헤드, 모든 관계',
    show: '볼 것',
    ways: {
      up: '딸린 말에서 지배소로',
      down: '지배소에서 딸린 말로',
      measures: '표시가 필요 없는 것',
    },
    about: {
      up: '딸린 낱말이 가장 많이 보는 낱말이 그 지배소인 비율. 결과를 내는 절반에서 쟀습니다.',
      down: '딸린 낱말을 가장 많이 보는 낱말이 그 지배소인 비율. 결과를 내는 절반에서 쟀습니다.',
      measures:
        '한 종류의 자리에 둔 가중치를 모든 행에서 평균한 값. 고루 보기는 엔트로피를 가능한 최댓값으로 나눈 값입니다.',
    },
    label:
      '행은 관계, 열은 층 순서로 놓은 헤드. 화살표 키로 옮겨 가고 Enter로 그 칸의 예를 엽니다.',
    readout: ({ role, gloss, head, score, low, high, offset, baseline, n }) =>
      `${head} 헤드, ${role}(${gloss}): ${score} [${low}, ${high}], 고정 거리 ${offset}: ${baseline}, n = ${n}`,
    readoutMeasure: ({ gloss, head, score, low, high, n }) =>
      `${head} 헤드, ${gloss}: ${score} [${low}, ${high}], 행 ${n}개`,
    fileTitle: '헤드와 관계',
    columns: ['관계', '가장 나은 헤드', '정확도', '95% 구간', '고정 거리', 'n'],
    measureColumns: ['재는 것', '가장 큰 헤드', '평균', '95% 구간', '역할 기준', '행'],
    few: (count) =>
      `결과를 내는 절반에 딸린 낱말이 ${count}개가 안 되는 관계는 표와 파일에만 있습니다.`,
    waiting: '재는 중 …',
    none: '이 문장들에는 문법 표시가 없습니다.',
  },

  measures: {
    previous: '앞 토큰에 둔 가중치',
    next: '뒤 토큰에 둔 가중치',
    first: '[CLS]에 둔 가중치',
    separator: '[SEP]에 둔 가중치',
    punctuation: '문장 부호에 둔 가중치',
    self: '자기 자신에 둔 가중치',
    duplicate: '모양이 같은 다른 토큰에 둔 가중치',
    entropy: '행의 엔트로피(nat)',
  },

  coreference: {
    title: '대명사는 제가 가리키는 말을 볼까?',
    text: (facts) => [
      `${facts.second} 헤드에서 대명사는 가리키는 말에 가중치의 `,
      number(facts.weight),
      `${joined}만큼을 두지만, 문장의 다른 낱말들도 `,
      number(facts.otherWeight),
      `${joined}만큼을 둡니다. 이 헤드는 어느 낱말에서 보든 그 명사를 짚을 뿐이고, 두 후보 가운데 맞는 쪽을 더 본 비율은 `,
      number(facts.accuracy),
      `${joined}입니다. ${facts.first} 헤드에서는 대명사가 맞은 비율이 `,
      number(facts.firstAccuracy),
      ', 다른 낱말이 같은 후보를 더 본 비율이 ',
      number(facts.firstControl),
      `${joined}이고, 그 차이의 95% 구간은 ${facts.excess}입니다.`,
    ],
    x: '다른 낱말이 그 말에 둔 가중치',
    y: '대명사가 가리키는 말에 둔 가중치',
    rule: '차이 없음',
    help: '네모 하나가 헤드 하나입니다. 점선에 놓인 헤드에서는 문장의 다른 낱말도 대명사만큼 그 말을 봅니다. 점선보다 위쪽에 있어야 대명사라서 본다는 뜻이 됩니다. ‘대명사가 맞음’은 다른 후보보다 가리키는 말에 가중치를 더 둔 비율이고, ‘다른 낱말’은 다른 낱말들이 그렇게 한 비율입니다. 차이에는 95% 구간이 있고, 헤드가 이만큼 많으면 우연히 0을 벗어나는 것도 있습니다.',
    columns: [
      '헤드',
      '대명사가 맞음',
      '95% 구간',
      '다른 낱말',
      '차이',
      '대명사의 가중치',
      '다른 낱말의 가중치',
    ],
    open: (name) => `${name} 헤드의 예`,
    waiting: '대명사가 있는 문장 100개를 재는 중 …',
    fileTitle: '헤드와 대명사',
    start: '대명사 재기',
  },

  recorded: {
    names: { 'ewt-dev': 'EWT 개발', 'ewt-test': 'EWT 시험', 'gap-development': 'GAP' },
    title: '공개 트리뱅크에서 잰 값',
    text: (date, version) => [
      `여기서 계산한 값이 아닙니다. ${date}에 headwise ${version}의 `,
      'npm run record',
      '로 재어 기록했습니다. 트리뱅크는 너무 커서 이 페이지에 싣지 않고 수만 옮겼습니다.',
    ],
    columns: ['관계', '가장 나은 헤드', '정확도', '95% 구간', '고정 거리', 'n'],
    gap: (facts) => [
      `가리키는 말이 애매한 대명사에서 ${facts.head} 헤드가 두 이름 가운데 맞는 쪽을 고른 비율은 `,
      number(facts.accuracy),
      `${joined}이고(${facts.n}개, 95% 구간 ${facts.low}~${facts.high}), 가까운 이름을 고르면 `,
      number(facts.nearer),
      `${joined}입니다.`,
    ],
    sentences: (used, words) => `문장 ${used}개, 낱말 ${words}개.`,
  },

  tries: {
    title: '이렇게 해 보세요',
    now: '지금:',
    object: () => ['목적어를 찾는 것은 어느 헤드일까요? 맞는 예와 틀린 예를 읽어 보세요.'],
    objectEvidence: (facts) => [
      `${facts.head} 헤드 `,
      number(facts.score),
      ', 고정 거리 ',
      number(facts.baseline),
    ],
    determiner: () => [
      '한정사는 바로 뒤 낱말만 보아도 자주 맞습니다. 가장 나은 헤드는 얼마나 더 맞을까요?',
    ],
    determinerEvidence: (facts) => [
      `${facts.head} 헤드 `,
      number(facts.score),
      `, 거리 ${facts.offset}의 낱말 `,
      number(facts.baseline),
    ],
    pronoun: () => [
      '대명사에서 5.11 헤드를 열어 보세요. 가중치가 크면 무엇을 가리키는지 아는 것일까요?',
    ],
    pronounEvidence: (facts) => [
      '대명사가 둔 가중치 ',
      number(facts.weight),
      ', 다른 낱말은 ',
      number(facts.otherWeight),
      ', 맞은 비율 ',
      number(facts.accuracy),
    ],
  },

  honesty: () => [
    '헤드가 어디를 보느냐와 모델이 그것을 어디에 쓰느냐는 다른 문제입니다. ',
    part('coreference', '어텐션은 다른 까닭으로도 커질 수 있고'),
    ', 헤드를 꺼도 아쉽지 않을 수 있습니다. 끄면 무엇을 잃는지는 8장에서 잽니다. 표시는 한 가지 문법 이론을 따른 것이고 문장은 짧은 영어 문장입니다. 다른 글에서는 값이 달라집니다.',
  ],

  evidence: { about: '열어 둔 헤드가 이 문장들에서 하는 일.' },

  formula: {
    title: '수식',
    help: '기호를 고르면 그 뜻과 지금 값이 나옵니다.',
    now: '지금',
    symbols: {
      accuracy: ['헤드 h의 정확도', '딸린 낱말 가운데 맞게 찾은 비율입니다.'],
      count: ['딸린 낱말의 수', '한 관계에서, 결과를 내는 절반에 있는 것만 셉니다.'],
      dependent: ['딸린 낱말', '지배소와 그 관계에 있는 낱말을 하나씩 봅니다.'],
      other: ['다른 낱말', '자기 자신은 답이 될 수 없고, [CLS] 같은 특수 토큰은 낱말이 아닙니다.'],
      right: ['맞는 낱말', '트리뱅크에서 i가 딸렸다고 적은 낱말입니다.'],
      weight: [
        '낱말 사이의 어텐션',
        '딸린 낱말 i에서 낱말 j로 갑니다. 반대 방향이면 j에서 i로 갑니다.',
      ],
      from: ['보는 낱말의 토큰들', '그 평균을 씁니다.'],
      to: ['보이는 낱말의 토큰들', '그 합을 씁니다.'],
      token: ['토큰 사이의 가중치', '1장에서 보는 값입니다.'],
      baseline: ['가장 잘 맞는 고정 거리', '한쪽 절반에서 고르고 다른 절반에서 결과를 냅니다.'],
      offset: ['낱말로 센 거리', '앞 5낱말부터 뒤 5낱말까지입니다.'],
    },
  },

  sources: {
    title: '참고 문헌',
    about: {
      clark:
        '재는 방법: 낱말 사이의 어텐션과, 고정 거리에 견준 정확도. BERT-base에서는 한 헤드가 목적어를 86.8% 찾았다(고정 거리 40.0%).',
      voita:
        '번역 모델에서 기준보다 뚜렷이 나은 헤드만 역할로 센 논문. 역할이 있는 헤드가 가지치기에서 끝까지 남는다.',
      marneffe: '보편 의존 관계: 관계와 그 이름.',
      jain: '어텐션만으로는 설명이 되지 않는 까닭.',
      efron: '부트스트랩: 문장을 거듭 다시 뽑아 구간을 구하는 방법.',
    },
  },
}
