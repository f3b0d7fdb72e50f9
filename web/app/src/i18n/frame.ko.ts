// 틀의 한국어 문구. 영어를 옮긴 것이 아니라 같은 사실을 우리말로 따로 쓴 것이다.
import { link, term } from './inline'
import type { FrameMessages } from './frame.en'

export const frame: FrameMessages = {
  name: 'Headwise',
  tagline: '브라우저에서 바로 계산하는 멀티헤드 어텐션',
  skip: '본문으로 건너뛰기',
  chapters: '차례',
  chapterNames: {
    look: '보기',
    why: '헤드가 여럿인 까닭',
    steps: '네 단계',
    scale: '√dₖ로 나누는 까닭',
    parameters: '헤드와 매개변수',
    subspaces: '부분공간',
    roles: '헤드가 하는 일',
    ablation: '헤드 끄기',
    rank: '너무 얇은 헤드',
    variants: '변형과 비용',
    speed: '메모리와 속도',
    cross: '셀프, 인과, 크로스',
    glossary: '용어와 문헌',
  },
  onThisPage: '이 장의 내용',
  previousChapter: '앞 장',
  nextChapter: '다음 장',
  close: '닫기',
  languageName: '한국어',
  changeLanguage: '언어',
  themes: { system: '시스템 설정대로', light: '밝게', dark: '어둡게' },
  changeTheme: '테마',
  share: '이 화면의 링크 복사',
  shared: '링크를 복사했습니다',
  shareFailed: '브라우저가 복사를 막았습니다. 여기서 직접 복사하세요.',
  waitingForPage: '이 장을 불러오는 중 …',
  chapterFailed: (name) => `‘${name}’ 장을 불러오지 못했습니다.`,
  figureFailed: '이 그림을 불러오지 못했습니다.',
  languageFailed: {
    en: '영어 화면을 불러오지 못했습니다.',
    ko: '한국어 화면을 불러오지 못했습니다.',
  },
  loadFailedHelp: '입력한 글과 보던 화면은 주소에 남아 있습니다.',
  unreachable: '서버가 응답하지 않습니다.',

  headChoice: { layer: '층', head: '헤드' },

  text: {
    label: '문장',
    second: '둘째 문장',
    placeholder: '문장을 입력하세요',
    examples: '예문',
    tokens: (count) => `토큰 ${String(count)}개`,
    tokensLabel: '토큰. 화살표 키로 옮겨 가고 Enter로 쿼리 토큰을 고정합니다.',
    fixed: '고정한 쿼리',
    tokenWeight: (head, token, weight) => `${head} 헤드가 ${token}에 두는 가중치 ${weight}`,
    weightsUnder: (queryToken, head) =>
      `토큰 아래의 수: ${head} 헤드에서 ${queryToken}의 가중치 가운데 그 토큰에 놓인 몫`,
    empty: '입력한 글이 없어 모델은 특수 토큰 두 개만 봅니다.',
    cut: (used, left) =>
      `이 모델은 토큰을 ${String(used)}개까지만 받습니다. 앞의 ${String(used)}개를 쓰고 뒤의 ${String(left)}개는 뺐습니다.`,
    cutPair: (used) =>
      `이 모델은 토큰을 ${String(used)}개까지만 받습니다. 둘째 문장에서 넘치는 부분은 뺐습니다.`,
    korean:
      '이 모델은 영어로 학습하여 한국어를 읽지 못합니다. 글자를 낱자로 쪼개거나(한 상자에 묶어 나타냈습니다) 낱말을 통째로 모르는 조각([UNK])으로 받아들입니다. 가중치는 모델이 실제로 계산한 값이지만 문장의 뜻과는 관계가 없습니다.',
    unknown: (count) =>
      `[UNK] ${String(count)}개는 모델의 어휘에 없는 조각입니다. 모델에게는 내용이 없는 토큰입니다.`,
    wordPieces: '드문 낱말은 여러 조각으로 나뉩니다. ##은 앞 조각에 이어진다는 표시입니다.',
  },

  model: {
    open: '모델',
    title: '모델',
    choose: '이 모델을 쓸 수 있는 장입니다. 누르면 열립니다.',
    chapters: '장',
    others: '이 페이지의 모델',
    itsEncoder: '번역 모델에서는 영어 문장을 읽는 인코더의 층을 봅니다.',
    state: {
      absent: '받지 않음',
      starting: '시작하는 중',
      loading: '받는 중',
      ready: '준비됨',
      stopped: '멈춤',
      failed: '실패',
    },
    percentLoaded: (share) => `${share} 받음`,
    shipped: {
      'minilm-l6': {
        name: 'all-MiniLM-L6-v2',
        shortName: 'MiniLM-L6',
        licence: 'Apache-2.0',
        about: [
          'Microsoft가 증류하고(MiniLM) Sentence-Transformers 프로젝트가 뜻이 같은 문장끼리 가까이 놓이도록 학습한 ',
          term('BERT'),
          ' 계열 인코더입니다. 여기서는 가중치를 8비트로 담았습니다. 그 영향은 ',
          link('models/minilm-l6/README.md', '모델 카드'),
          '에 적어 두었습니다.',
        ],
      },
      'translate-en-fr': {
        name: 'translate-en-fr',
        shortName: '번역 모델',
        licence: 'MIT',
        about: [
          '이 페이지를 위해 짧은 일상 문장으로 학습한 영어-프랑스어 ',
          term('인코더-디코더'),
          '입니다. 구조는 Vaswani 등의 모델과 같지만 훨씬 작습니다. 무엇으로 학습했고 얼마나 잘하는지는 ',
          link('models/translate-en-fr/README.md', '모델 카드'),
          '에 적어 두었습니다.',
        ],
      },
      'novels-lm': {
        name: 'novels-lm',
        shortName: '언어 모델',
        licence: 'MIT',
        about: [
          '이 페이지를 위해 1922년까지 나온 영어 소설로 학습한 작은 ',
          term('디코더'),
          '입니다. 구조는 Llama와 같고, 헤드 여럿이 키와 값을 함께 씁니다. 무엇으로 학습했고 얼마나 잘하는지는 ',
          link('models/novels-lm/README.md', '모델 카드'),
          '에 적어 두었습니다.',
        ],
      },
    },
    facts: {
      layers: '층',
      heads: '층당 헤드',
      width: '모델 차원(d_model)',
      headWidth: '헤드 차원(d_k)',
      parameters: '매개변수',
      vocabulary: '어휘 크기',
      longest: '가장 긴 입력',
      licence: '라이선스',
    },
    tokensUnit: (count) => `토큰 ${String(count)}개`,
    loadedOf: (loaded, total) => `${total} 중 ${loaded}`,
    layersReady: (ready, all) => `${String(all)}개 층 중 ${String(ready)}개 준비됨`,
    vocabularyReady: '어휘 준비됨',
    vocabularyWaiting: '어휘를 받는 중',
    stop: '그만 받기',
    again: '다시 받기',
    computedBy: '이 탭에서 계산하는 프로그램',
    build: {
      'threads-relaxed': 'WebAssembly, 스레드와 relaxed SIMD 사용',
      threads: 'WebAssembly, 스레드와 SIMD 사용',
      relaxed: 'WebAssembly, relaxed SIMD 사용',
      simd: 'WebAssembly, SIMD 사용',
      scalar: 'WebAssembly, SIMD 없음',
    },
    memory: (used) => `메모리 ${used} 사용`,
    private: '입력한 글은 이 탭 밖으로 나가지 않습니다.',
    offline: {
      preparing: '다음에는 네트워크 없이도 열리도록 저장하는 중입니다 …',
      ready: '페이지와 모델을 이 브라우저에 저장해 두어 네트워크 없이도 열립니다.',
      failed: '이 브라우저에는 페이지를 저장하지 못했습니다. 열려면 네트워크가 필요합니다.',
    },
  },

  notice: {
    scalar:
      '이 브라우저에는 WebAssembly SIMD가 없습니다. 모두 그대로 쓸 수 있고 값도 같지만 몇 배 느립니다.',
    restarted: '계산을 맡은 워커가 멈추어 다시 시작했습니다. 글과 화면은 그대로입니다.',
    lost: '계산을 맡은 워커가 멈추었고 다시 시작하지 못했습니다.',
    failed: '모델을 받지 못했습니다.',
    stopped: '모델 받기를 멈추었습니다.',
    unsupported: '이 브라우저는 WebAssembly를 실행하지 못해 여기서는 계산할 수 없습니다.',
    runFailed: '이 글은 계산하지 못했습니다.',
    retry: '다시 시도',
    dismiss: '닫기',
    newVersion: '이 페이지의 새 버전이 준비되었습니다. 글과 화면은 그대로 이어집니다.',
    takeNewVersion: '새로 고침',
    later: '나중에',
    cannotOpenModel: '그런 이름의 모델은 없어서 준비된 모델을 열었습니다.',
  },

  waiting: {
    runtime: '계산 프로그램을 시작하는 중 …',
    layer: (layer) => `${String(layer)}층을 받는 중`,
    vocabulary: (share) =>
      `어휘를 기다리는 중입니다. 모델의 ${share}를 받았습니다. 예문은 기다리지 않아도 됩니다.`,
    computing: '계산하는 중 …',
    failed: '모델을 받지 못해 보여 드릴 것이 없습니다.',
    stopped: '모델 받기를 멈추어 보여 드릴 것이 없습니다.',
  },

  sentence: {
    languages: { en: '영어', ko: '한국어' },
    copy: '복사',
    copyWhat: (language) => `${language} 문장 복사`,
    copied: '문장을 복사했습니다',
    copyFailed: '브라우저가 복사를 막았습니다.',
  },

  evidence: {
    title: '논문에 쓰기',
    about: '파일에는 모든 수치가 모델과 자료의 해시, 버전, 설정, 시드와 함께 담깁니다.',
    save: '근거 저장',
    json: '근거를 JSON으로',
    csv: '근거를 CSV로',
    waiting: '다 재고 나면 여기서 인용할 수 있습니다.',
  },

  work: {
    progress: '진행',
    left: (time) => `약 ${time} 남음`,
    cancel: '그만두기',
    again: '다시 재기',
    failed: '재지 못했습니다.',
    part: '그만두었습니다. 일부만 잰 결과입니다.',
    nothing: '그만두었습니다.',
  },

  tools: {
    label: '그림 저장과 공유',
    table: '표로 보기',
    figure: '그림으로 보기',
    save: '저장',
    copyImage: '그림 복사',
    svg: 'SVG',
    png: 'PNG',
    csv: 'CSV',
    json: 'JSON',
    copied: '복사했습니다',
    saved: (file) => `${file} 저장됨`,
    notLoaded:
      '저장 기능을 불러오지 못했습니다. 페이지를 새로 고쳐 주세요. 화면은 그대로 남습니다.',
    failed: '브라우저가 허용하지 않았습니다.',
  },

  chart: { keys: '화살표 키로 십자선을 옮기고 Home과 End로 양 끝으로 갑니다.' },

  examples: {
    'cat-tired': {
      shows: 'it은 고양이를 볼까, 매트를 볼까',
      gloss: '고양이는 피곤해서 매트 위에 앉았다',
    },
    'cat-soft': {
      shows: '한 낱말만 바꾸었다. it은 여전히 고양이를 볼까',
      gloss: '매트가 푹신해서 고양이가 그 위에 앉았다',
    },
    'alice-key': {
      shows: '이름이 둘일 때 she는 앨리스를 볼까, 더 가까운 톰을 볼까',
      gloss: '앨리스는 열쇠를 잃어버려서 톰에게 문을 열어 달라고 했다',
    },
    counting: {
      shows: '늘어놓은 낱말. 바로 앞이나 바로 뒤를 보는 헤드',
      gloss: '하나 둘 셋 넷 다섯 여섯 일곱 여덟',
    },
    determiners: {
      shows: '관사와 명사, 그 사이에 낀 형용사',
      gloss: '늙은 개가 커다란 빨간 의자 밑에서 작은 뼈다귀를 찾았다',
    },
    objects: {
      shows: '동사 셋에 목적어가 하나씩',
      gloss: '요리사는 빵을 썰고 칼을 씻고 고양이에게 먹이를 주었다',
    },
    prepositions: {
      shows: '전치사와 거기에 딸린 명사',
      gloss: '베를린에 사는 이모가 준 선물이 창가 탁자 위에 놓여 있었다',
    },
    repeated: {
      shows: '되풀이되는 낱말. 같은 낱말끼리 보는 헤드',
      gloss: '빨간 새가 파란 새를 보았고, 파란 새가 빨간 새를 보았다',
    },
    negation: {
      shows: '어떤 낱말이 not과 nobody를 볼까',
      gloss: '문은 열려 있지 않고, 열쇠를 가진 사람은 아무도 없다',
    },
    question: {
      shows: '의문문. 목적어가 동사에서 멀리 떨어져 앞에 있다',
      gloss: '선생님은 지각한 학생에게 어느 책을 주었는가',
    },
    'two-banks': {
      shows: '한 낱말의 두 가지 뜻. bank는 다른 bank를 볼까, 이웃한 낱말을 볼까',
      gloss: '그는 강둑을 떠나 돈을 빌리러 은행에 갔다',
    },
    'relative-clause': {
      shows: '긴 문장. letter와 arrived 사이에 낱말이 열넷',
      gloss: '옆집 소년이 지난겨울 할머니께 쓴 편지가 오늘 아침 드디어 도착했다',
    },
    pieces: {
      shows: '드문 낱말은 조각으로 나뉘고 조각끼리 서로 본다',
      gloss: '그 사진가는 ‘antidisestablishmentarianism’의 철자를 믿기 어려울 만큼 자주 틀렸다',
    },
    numbers: {
      shows: '숫자와 문장 부호. 짧은 토큰이 많다',
      gloss: '2024년 5월 3일 오후 7시 45분, 1,250명이 저마다 18.50달러를 냈다(신기록!)',
    },
    'flood-pair': {
      shows: '한 입력에 두 문장. 구분 토큰이 둘이다',
      gloss: '강물이 마을을 덮쳤다. / 물이 계속 불어나 사람들은 집을 떠났다.',
    },
  },
}
