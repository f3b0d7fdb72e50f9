// 12장의 한국어 문구. 영어를 옮긴 것이 아니라 같은 사실을 우리말로 따로 쓴 것이다.
import { key, link, number, part, query, term } from '../../i18n/inline'
import type { CrossMessages } from './en'

/** Keeps a particle on the line of its number (word joiner). */
const joined = '\u2060'

export const cross: CrossMessages = {
  title: () => ['누가 누구를 볼까? 같은 문장, 지금까지 쓴 글, 다른 문장'],
  windowTitle: '셀프, 인과, 크로스',

  answer: (facts) => [
    `${facts.step}단계에서 디코더는 `,
    key(facts.read),
    '까지 읽고 ',
    query(facts.written),
    ' 토큰을 씁니다. 이때 ',
    part('crossmap', `크로스 어텐션 ${facts.head} 헤드`),
    '는 가중치를 ',
    key(facts.english),
    '에 가장 많이 둡니다(',
    number(facts.share),
    ').',
  ],
  answerWaiting: () => ['번역 모델을 받는 중입니다. 다 받으면 번역합니다 …'],

  same: () => [
    '번역하는 트랜스포머는 ',
    part('origins', '세 곳'),
    '에서 어텐션을 씁니다. 인코더에서는 영어 문장의 낱말이 서로를 봅니다(',
    term('셀프 어텐션'),
    ', self-attention). 디코더는 프랑스어를 써 나가면서 자기가 쓴 것만 보고 앞질러 보지 않습니다(',
    term('인과 셀프 어텐션'),
    ', causal self-attention). 그리고 프랑스어 낱말마다 영어 낱말들을 봅니다(',
    term('크로스 어텐션'),
    ', cross-attention). 계산은 똑같습니다. 다른 것은 쿼리·키·값을 어디에서 만드는지, 마스크가 무엇을 가리는지뿐입니다.',
  ],
  translation: () => [
    '그래서 맵의 모양이 셋 다 다릅니다. ',
    part('selfmap', '정사각형'),
    ', ',
    part('causalmap', '삼각형'),
    ', ',
    part('crossmap', '직사각형'),
    '입니다. 프랑스어는 ',
    part('decoding', '한 단계에 토큰 하나씩'),
    ' 나오고, 단계마다 행이 하나 늘어납니다. 직사각형을 한 행씩 읽어 가면 ',
    part('alignment', '낱말의 정렬'),
    '과 비슷한 것이 보입니다. 어텐션은 본래 정렬을 하려고 나왔습니다.',
  ],

  parts: {
    decoding: '한 단계씩',
    maps: '맵 세 장',
    origins: 'Q, K, V가 나오는 곳',
    alignment: '낱말 정렬',
    tries: '이렇게 해 보세요',
    limits: '할 수 없는 것',
    next: '다음 낱말',
    times: '캐시가 있을 때와 없을 때',
    formula: '수식',
    sources: '참고 문헌',
  },

  translator: '번역 모델(영어 → 프랑스어)',

  text: {
    examples: '예문',
    empty: '입력한 글이 없어 인코더는 끝 토큰만 보고, 디코더는 아무 말이나 지어냅니다.',
    cut: (used, left) =>
      `이 번역 모델은 토큰을 ${String(used)}개까지만 받습니다. 뒤의 ${String(left)}개는 뺐습니다.`,
    korean:
      '이 번역 모델은 영어만 배웠습니다. 한글은 어휘에 없어서, 나오는 프랑스어는 입력한 글과 관계가 없습니다.',
    unknown: (count) =>
      `<unk> ${String(count)}개는 어휘에 없는 조각입니다. 모델에게는 내용이 없는 토큰입니다.`,
  },

  examples: {
    order: { shows: '형용사가 명사 뒤로 간다', gloss: '톰은 빨간 차를 샀다.' },
    negation: {
      shows: 'not 하나가 동사 앞뒤의 두 낱말이 된다',
      gloss: '나는 차가운 커피를 좋아하지 않는다.',
    },
    object: { shows: '대명사가 동사 앞으로 온다', gloss: '그녀는 매일 나를 본다.' },
    question: { shows: '의문문, 그리고 성이 있는 관사', gloss: '역이 어디에 있나요?' },
    you: { shows: 'you는 tu일까, vous일까. 후보를 보자', gloss: '행복하세요?' },
    gender: { shows: '형용사가 언니의 성을 따른다', gloss: '우리 언니는 무척 피곤하다.' },
    cat: {
      shows: '1장의 문장. 모델이 잘 아는 문장보다 길다',
      gloss: '고양이는 피곤해서 매트에 앉았다',
    },
    limits: {
      shows: '배운 적이 없는 분야의 낱말들',
      gloss: '어텐션 가중치는 설명이 아니다.',
    },
  },

  decoding: {
    title: '한 단계씩 쓰기',
    search: '다음 토큰을 고르는 방법',
    greedy: '탐욕(greedy)',
    beams: (width) => `빔 ${String(width)}개`,
    start: '시작 토큰',
    waiting: '번역이 여기에 나옵니다.',
    cut: (length) => `토큰 ${String(length)}개 안에 문장이 끝나지 않아 거기서 잘랐습니다.`,
    player: {
      label: '번역의 단계',
      first: '처음으로',
      back: '한 단계 뒤로',
      forward: '한 단계 앞으로',
      play: '재생',
      pause: '멈춤',
    },
    place: (place, all) => `${String(all)}단계 가운데 ${String(place)}단계`,
    cancel: '그만 쓰기',
    goOn: '이어 쓰기',
    undo: '모델이 고른 대로 되돌리기',
    said: (step, read, written) => [
      `${String(step)}단계: 마지막으로 읽은 토큰은 `,
      key(read),
      ', 쓴 토큰은 ',
      query(written),
      '입니다. 다른 토큰을 고르면 그 뒤를 새로 씁니다.',
    ],
    candidates: '이 단계에서 쓸 수 있는 토큰과 그 확률',
    rest: (count) => `어휘 전체에서 확률이 가장 높은 ${String(count)}개입니다.`,
    columns: ['토큰', '확률'],
    found: '빔이 찾은 문장',
    score: (score, each) => `토큰당 ${score}, (기하) 평균 확률 ${each}`,
    scoreHelp:
      '빔은 확률이 높은 첫머리를 하나가 아니라 여럿 남겨 둡니다. 다 쓴 문장끼리는 토큰당 평균 로그 확률로 견줍니다.',
    help: '밑줄: 직접 고른 토큰. 점선: 지금 보는 단계보다 뒤.',
    fileTitle: '한 단계의 후보',
  },

  maps: {
    title: '한 헤드의 맵 세 장',
    names: {
      encoder: '인코더: 셀프 어텐션',
      decoder: '디코더: 인과 셀프 어텐션',
      cross: '크로스 어텐션',
    },
    about: {
      encoder: '영어 토큰이 앞뒤의 영어 토큰을 모두 봅니다.',
      decoder:
        '프랑스어 토큰이 지금까지 쓴 프랑스어 토큰을 봅니다. 뒤에 올 토큰은 가려서 가중치가 정확히 0입니다.',
      cross: '프랑스어 토큰이 영어 토큰을 봅니다. 가리는 것이 없습니다.',
    },
    start: '⟨시작⟩',
    masked: '가려짐',
    maskHelp: '빗금: 마스크로 가린 칸.',
    waiting: '번역이 끝나면 그립니다.',
    caption: (title, name) => `${title}, ${name} 헤드. 행은 쿼리, 열은 키`,
    label: (title, name) =>
      `${title}, ${name} 헤드: 행은 쿼리, 열은 키. 화살표 키로 옮겨 가고 Enter로 행을 고릅니다.`,
    corner: '쿼리',
    sum: '합',
    rows: '디코더의 두 맵에서 행은 단계이고, 그 단계에서 쓰는 토큰을 이름으로 달았습니다. 쿼리는 그 앞의 토큰, 곧 그 단계까지 읽은 마지막 토큰에서 만듭니다. 흐린 행은 지금 보는 단계보다 뒤입니다. 층과 헤드는 0부터 셉니다. 번호가 같아도 인코더와 디코더의 헤드는 서로 다른 헤드입니다.',
  },

  origins: {
    heading: 'Q, K, V가 나오는 곳',
    title: '같은 계산, 세 가지 쓰임',
    label:
      '그림 세 장. 인코더: 쿼리, 키, 값이 모두 영어 토큰에서 나옵니다. 디코더: 셋 다 지금까지 쓴 프랑스어 토큰에서 나오고 마스크가 있습니다. 크로스 어텐션: 쿼리는 프랑스어 토큰에서, 키와 값은 영어 토큰에서 나옵니다.',
    source: '영어 토큰',
    written: '쓴 프랑스어',
    weights: (rows, columns) => `가중치 ${String(rows)} × ${String(columns)}`,
    masked: '마스크: 뒤의 토큰을 가림',
    open: '마스크 없음',
    columns: ['쓰는 곳', '쿼리', '키와 값', '가중치', '마스크'],
    help: '수는 문장의 토큰 수와, 지금 보는 단계까지 읽은 토큰 수입니다.',
  },

  alignment: {
    title: '낱말 정렬: 이 프랑스어 낱말의 짝은 어느 영어 낱말일까?',
    which: '어느 가중치로 이을지',
    joins: {
      head: (name) => `${name} 헤드`,
      layer: (name) => `${name.replace(/\..*/, '')}층 평균`,
      all: () => '모든 헤드 평균',
    },
    english: '영어',
    french: '프랑스어',
    waiting: '번역이 끝나면 그립니다.',
    label: (title) => `${title}. 표에 같은 내용이 수로 있습니다.`,
    fileTitle: (joins) => `프랑스어 낱말마다 가중치가 가장 큰 영어 낱말에 이은 그림: ${joins}`,
    columns: (heads) => ['프랑스어', '영어', '가중치', `헤드 ${String(heads)}개의 투표`],
    agree: '헤드마다 똑같이 이은 낱말의 비율',
    agreeing: (name, share) => `${name} 헤드: 낱말의 ${share}를 똑같이 이음`,
    agreeHelp: '누르면 그 헤드를 봅니다.',
    disagree: (facts, heads) =>
      facts === null
        ? [`헤드 ${String(heads)}개가 모든 낱말을 똑같이 잇습니다.`]
        : [
            `낱말 ${String(facts.words)}개 가운데 ${String(facts.disputed)}개는 헤드마다 잇는 곳이 다릅니다. 이를테면 `,
            query(facts.french),
            ' 낱말을 이은 곳은(괄호는 헤드 수) ',
            number(facts.votes),
            `${joined}입니다. 헤드가 곧 정렬기는 아닙니다. 무엇을 쓰든 마침표나 끝 토큰만 보는 헤드도 있습니다.`,
          ],
    help: '조각난 낱말은 받는 가중치를 더하고, 보내는 가중치를 평균합니다. 끝 토큰에는 잇지 않지만 그 가중치는 그대로 둡니다.',
  },

  tries: {
    title: '이렇게 해 보세요',
    now: '지금:',
    order: () => [
      key('a red car'),
      '가 든 문장을 번역하고 모든 헤드의 평균으로 이어 보세요. 프랑스어에서는 색깔이 차 뒤에 옵니다. 선이 엇갈릴까요?',
    ],
    orderEvidence: (crossed, words) => [
      `이은 낱말 ${String(words)}개에서 엇갈린 선은 `,
      number(`${String(crossed)}쌍`),
      `${joined}입니다.`,
    ],
    other: () => [
      '첫 단계에서 둘째 후보를 골라 보세요. 뒤가 거기에 맞추어 바뀔까요, 아니면 문장이 무너질까요?',
    ],
    otherEvidence: (token, probability, text) => [
      query(token),
      '의 확률: ',
      number(probability),
      `. 이제 번역은 이렇습니다: ${text}`,
    ],
    first: () => [
      '첫 단계로 가 보세요. 삼각형에서 그 행에는 칸이 하나뿐입니다. 가중치는 얼마일 수밖에 없을까요?',
    ],
    firstEvidence: (weight, rest) => [
      '시작 토큰에 ',
      number(weight),
      ', 뒤에 올 모든 토큰에 ',
      number(rest),
      `${joined}입니다. 키가 하나뿐이면 소프트맥스는 고를 것이 없습니다.`,
    ],
  },

  limits: {
    title: '이 번역 모델이 할 수 없는 것',
    text: (facts) => [
      ...(facts
        ? [
            `아주 작은 모델입니다. 매개변수 ${facts.parameters}개, 층 ${facts.layers}개, 어텐션마다 헤드 ${facts.heads}개, 어휘 ${facts.vocabulary}조각입니다. `,
          ]
        : []),
      '이 페이지를 위해 프로세서 코어 두 개로, 타토에바(Tatoeba)의 짧은 일상 문장으로 학습했습니다. 대개 세 낱말에서 열다섯 낱말 사이이고 ',
      key('I'),
      ', ',
      key('you'),
      ', ',
      key('Tom'),
      '이 유난히 많습니다. 긴 문장이나 그 밖의 이름과 주제, 문학이나 법률은 모릅니다. 그런 글을 주면 매끄럽지만 뜻이 다른 프랑스어를 쓰고, 모른다고 말하지도 않습니다. 이 번역을 믿고 쓰면 안 됩니다. 잰 결과는 ',
      link('models/translate-en-fr/README.md', '모델 카드'),
      '에 있습니다.',
    ],
  },

  next: {
    title: '다음 낱말: 디코더만으로',
    about: () => [
      '인코더와 크로스 어텐션을 빼면 언어 모델이 남습니다. 인과 셀프 어텐션만으로 글을 이어 쓰는 모델입니다. 단계마다 모든 토큰에 확률을 매기고, 온도와 top-k, top-p로 그 분포를 조정한 다음 토큰 하나를 뽑습니다. 이 모델이 읽은 것은 1922년까지 나온 영어 소설뿐입니다.',
    ],
    model: '언어 모델',
    prompt: '글의 첫머리',
    temperature: '온도',
    seed: '시드',
    another: '다시 뽑기',
    length: '토큰 수',
    all: '전체',
    cache: '앞선 토큰의 키와 값',
    cacheOn: '캐시 있음',
    cacheOff: '캐시 없음',
    end: '⟨끝⟩',
    cancel: '그만 쓰기',
    goOn: '이어 쓰기',
    player: {
      label: '쓴 토큰',
      first: '처음으로',
      back: '한 토큰 뒤로',
      forward: '한 토큰 앞으로',
      play: '재생',
      pause: '멈춤',
    },
    place: (place, all) => `토큰 ${String(all)}개 가운데 ${String(place)}번째`,
    said: (place, token, milliseconds) => [
      `${String(place)}번째로 `,
      query(token),
      ' 토큰을 뽑았고, 계산에 ',
      number(`${milliseconds} ms`),
      `${joined}가 걸렸습니다.`,
    ],
    before: '모델이 매긴 확률',
    after: '실제로 뽑힐 확률(온도, top-k, top-p를 거친 뒤)',
    greedy: '온도 0: 언제나 확률이 가장 높은 것',
    candidates: '다음에 올 만한 토큰, 조정하기 전과 뒤',
    columns: ['토큰', '모델', '뽑힐 확률'],
    help: '␣는 빈칸, ⏎는 줄바꿈입니다. 시드가 같으면 글도 같습니다.',
    fileTitle: '다음 토큰의 후보',
    times: {
      title: '캐시가 아껴 주는 것',
      fileTitle: '키와 값을 남겨 둘 때와 그러지 않을 때 토큰마다 걸린 시간',
      x: '토큰',
      y: 'ms',
      kept: '캐시 있음',
      anew: '캐시 없음',
      waiting: '모델이 글을 쓰면 나타납니다.',
      means: (kept, anew) =>
        kept !== '' && anew !== ''
          ? `첫 토큰을 뺀 평균, 방금 이 기기에서 잼: 캐시가 있으면 ${kept} ms, 없으면 ${anew} ms. 글은 똑같습니다.`
          : '첫 토큰을 쓸 때는 첫머리를 모두 읽습니다. 캐시를 바꾸면 다른 선도 나타납니다. 글은 그대로입니다.',
    },
  },

  honesty: () => [
    '헤드에서 읽어 낸 정렬은 가중치를 관찰한 것이지 모델에 무엇이 필요한지를 보인 것이 아닙니다. 헤드는 결과를 바꾸지 않는 낱말을 볼 수도 있고, 낱말이 건네는 벡터는 이미 인코더에서 이웃 낱말과 섞인 것입니다. 헤드가 무엇에 필요한지는 8장에서 헤드를 꺼 보며 알아봅니다.',
  ],

  formula: {
    title: '수식 하나를 세 번',
    help: '기호를 고르면 그 뜻과 지금 값이 나옵니다.',
    now: '지금',
    tokens: (length) => `토큰 ${String(length)}개`,
    symbols: {
      x: ['인코더에 든 영어 토큰', '쿼리, 키, 값을 모두 여기에서 만듭니다.'],
      y: ['지금까지 쓴 프랑스어 토큰', '이 단계까지 디코더가 읽은 것입니다.'],
      memory: [
        '인코더를 거쳐 나온 영어 토큰',
        '크로스 어텐션의 키와 값. 한 번 계산해 두고 모든 단계에서 씁니다.',
      ],
      mask: [
        '인과 마스크',
        '볼 수 있는 토큰에는 0, 뒤에 오는 토큰에는 −∞를 더합니다. 그래서 가중치가 정확히 0이 됩니다.',
      ],
      width: ['스케일', '헤드 차원 d_k의 제곱근입니다.'],
      chance: ['토큰 i를 뽑을 확률', '온도, top-k, top-p를 거친 뒤의 확률입니다.'],
      logit: ['토큰 i의 로짓', '모델이 어휘의 모든 토큰에 매기는 값입니다.'],
      temperature: [
        '온도',
        '1보다 낮으면 확률이 높은 것이 더 잘 뽑히고, 높으면 분포가 평평해집니다.',
      ],
      kept: [
        '남긴 토큰',
        '전부, 확률이 높은 k개, 또는 확률이 높은 것부터 더해 합이 p에 이를 때까지의 토큰입니다.',
      ],
    },
  },

  sources: {
    title: '참고 문헌',
    about: {
      vaswani: '인코더와 디코더, 그리고 어텐션을 쓰는 세 곳.',
      bahdanau: '두 문장 사이의 부드러운 정렬. 어텐션이 시작된 논문.',
      clark: '조각의 가중치에서 낱말의 가중치를 얻는 방법.',
      jain: '가중치만으로는 설명이 되지 않는다는 주장.',
      wu: '빔 탐색, 그리고 길이가 다른 문장을 견주는 방법.',
      fan: '확률이 높은 k개 가운데서 뽑기.',
      holtzman: '확률이 높은 것부터 더해 합이 p에 이를 때까지의 토큰 가운데서 뽑기.',
    },
  },
}
