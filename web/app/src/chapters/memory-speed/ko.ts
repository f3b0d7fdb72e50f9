// 11장의 한국어 문구. 영어를 옮긴 것이 아니라 같은 사실을 우리말로 따로 쓴 것이다.
import { math, number, part, term } from '../../i18n/inline'
import recurrent from './recurrent.inline.tex'
import type { SpeedMessages } from './en'

/** Keeps a particle on the line of its number (word joiner). */
const joined = '\u2060'

export const speed: SpeedMessages = {
  title: '시간과 메모리는 어디에 쓰일까?',
  windowTitle: '메모리와 속도',

  answer: (facts) => [
    `${facts.head} 헤드가 계산할 점수는 ${facts.tokens} × ${facts.tokens} = `,
    number(facts.scores),
    `${joined}개입니다. 그러나 한꺼번에 들고 있을 필요는 없습니다. `,
    part('tiles', `최대 ${facts.largest}인 타일 ${facts.tiles}개`),
    `${joined}로 나누어 차례로 계산해도 출력은 같습니다. 가장 큰 차이는 `,
    number(facts.difference),
    `${joined}입니다.`,
  ],
  answerWaiting: () => [
    '모든 토큰 쌍의 점수를 계산하지만 그 점수를 한꺼번에 들고 있을 필요는 없습니다. 이 층을 받는 대로 여기에 수가 나옵니다.',
  ],
  tilesText: () => [
    term('FlashAttention'),
    '은 ',
    part('tiles', '쿼리 타일 하나'),
    '마다 키와 값의 타일을 차례로 모두 거칩니다. 행마다 남기는 것은 ',
    part('rows', '셋뿐'),
    '입니다. 지금까지 나온 점수의 최댓값 m, exp 값의 합 l, 그리고 출력입니다. 더 큰 점수가 나오면 그때까지의 합과 출력에 exp(이전 m − 새 m)을 곱해 줄입니다. 근사가 아니라 정확한 계산입니다. 모든 점수에서 같은 수를 빼도 소프트맥스는 변하지 않기 때문입니다.',
  ],
  whyText: () => [
    '계산은 싸고 ',
    part('moved', '수를 옮기는 일'),
    '은 비싸니 이렇게 하면 이득입니다. 같은 까닭으로 ',
    part('loops', '모든 헤드를 곱셈 한 번으로'),
    ' 계산합니다. ',
    part('depth', '한 단계씩 차례로 계산해야 하는'),
    ' 순환 신경망이 프로세서를 놀리는 것도, ',
    part('roof', '글을 생성할 때 메모리를 기다리는 것'),
    '도 그 때문입니다. 아래에서는 이 페이지의 커널로 지금 쓰는 기기를 직접 재 봅니다.',
  ],

  parts: {
    tiles: '타일 하나씩',
    loops: '곱셈 한 번으로',
    depth: '차례로 거치는 단계',
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
    help: '채운 띠가 지금 프로세서 가까이에 있는 수입니다. 색칠한 칸은 exp(점수 − m), 짧은 줄은 계산했다가 버린 점수입니다. O의 행은 끝나는 대로 채워집니다.',
    fileTitle: (head) => `타일로 계산한 ${head} 헤드`,
    caption: '이 타일의 행',
    columns: ['쿼리', '이전 m', '새 m', '이전 l', '새 l'],
  },

  rows: {
    title: (token) => `수로 보는 ${token} 행`,
    start: () => [
      '첫 타일을 계산하기 전에 행은 m = −∞, l = 0, 그리고 모두 0인 출력에서 시작합니다.',
    ],
    hidden: '이 행에서는 마스크가 이 타일의 키를 모두 가립니다. 아무것도 바뀌지 않습니다.',
    maximum: '최댓값: 그때까지의 것과 이 타일의 것 가운데 큰 쪽',
    rescale: '그때까지의 합과 출력에 곱할 수',
    kept: '더 큰 점수가 없어 그대로 둡니다',
    sum: '합: 줄인 다음 이 타일의 exp 값을 더합니다',
    output: '출력의 첫 수: 줄인 다음 exp 값과 값 벡터를 곱해 더합니다',
    divide: '키를 모두 거쳤습니다. 나눗셈은 마지막에 한 번',
    comparison: '두 방법으로 구한 이 행의 출력',
    columns: ['수', '타일로', '어텐션 연산', '차이'],
    difference: (value) => [
      '이 헤드의 모든 행, 모든 수에서 가장 큰 차이는 ',
      number(value),
      `${joined}입니다. 더하는 순서가 달라서 생긴 단정밀도 반올림 오차입니다.`,
    ],
  },

  moved: {
    title: '메모리와 프로세서 사이를 오간 바이트',
    tiled: '타일로: 지금까지와 전체',
    matrix: '행렬을 통째로 저장할 때',
    fileTitle: '타일로 옮긴 바이트와 행렬을 통째로 저장할 때의 바이트',
    columns: ['방법', '지금까지', '전체'],
    help: '프로세서 가까이에는 타일만 들어간다고 보고 셌습니다. 행렬을 통째로 저장하면 점수를 쓰고 읽고, 가중치를 쓰고 읽습니다.',
    fewer: (times) => [
      '행렬을 통째로 저장하면 옮기는 양이 이 타일들로 계산할 때의 ',
      number(`${times}배`),
      `${joined}입니다.`,
    ],
    more: (times, half) => [
      '여기서는 타일이 오히려 ',
      number(`${times}배`),
      `${joined}를 옮깁니다. 글이 짧으면 행렬은 작은데 쿼리 타일마다 키와 값을 다시 읽어야 하기 때문입니다. 글이 길고 타일의 쿼리가 d_k / 2 = ${half}개보다 많으면 이득입니다.`,
    ],
    near: (fast, square) =>
      `한 번에 가까이 두는 양: 글의 길이와 상관없이 ${fast}. 점수 행렬 하나: ${square}.`,
  },

  measure: {
    start: '여기서 재기',
    again: '다시 재기',
    cancel: '그만두기',
    progress: '측정 진행',
    other: '지금 재고 있는 것은 멈춥니다',
    failed: '재지 못했습니다.',
    notYet:
      '아직 재지 않았습니다. 따로 만든 워커에서 몇 초 걸리며, 아무것도 이 탭 밖으로 나가지 않습니다.',
  },

  loops: {
    title: '모든 헤드를 곱셈 한 번으로',
    text: () => [
      '모든 헤드의 열은 한 행렬 안에 나란히 있습니다. 그래서 한 번만 곱하면 헤드마다 쿼리가 나옵니다. ',
      term('[B, S, H, D]'),
      ' 텐서(배치, 위치, 헤드, 헤드 차원)는 메모리로 보면 [B, S, H · D]와 같고, 읽는 인덱스만 다릅니다. 헤드를 하나씩 계산해도 출력은 같지만, 헤드마다 x를 다시 읽어야 하고 프로세서에 작은 곱셈만 맡기게 됩니다.',
    ],
    shapes: (dModel, heads, headDim) =>
      `x [1, S, ${dModel}] · W [${dModel}, 3 · ${heads} · ${headDim}] → [1, S, 3, ${heads}, ${headDim}]`,
    positions: (length) => `S = ${length}`,
    together: '층 하나에서 모든 헤드를 함께',
    looped: '헤드가 하나인 층 12개를 차례로',
    fileTitle: '모든 헤드를 함께 계산할 때와 하나씩 계산할 때의 시간',
    columns: ['S', '함께', '하나씩', '함께, 사분위', '하나씩, 사분위'],
    verdict: (ratios, difference) => [
      '여기서는 하나씩 계산하면 시간이 ',
      number(`${ratios.join(', ')}배`),
      `${joined} 걸립니다. 두 출력의 차이는 가장 큰 수의 `,
      number(difference),
      `${joined}입니다. 한꺼번에 수천 개를 계산하는 장치에서는 차이가 더 벌어질 수 있습니다. 작은 곱셈으로는 그런 장치를 다 쓰지 못하기 때문입니다.`,
    ],
    help: (build) =>
      `표본 최대 11개의 중앙값이고, 가는 선은 제1사분위에서 제3사분위까지입니다. 스레드 하나, ${build} 빌드, 모델과 같은 크기의 무작위 가중치로 쟀습니다. 값을 넣고 꺼내는 복사는 시간에 들어가고, 헤드의 출력을 더하는 일은 들어가지 않습니다.`,
  },

  depth: {
    title: '차례로 거치는 단계',
    text: (dModel) => [
      `너비 ${dModel}인 순환층은 `,
      math(recurrent, 'h_t = tanh(W x_t + U h_(t−1))'),
      `${joined}을 계산합니다. t번째는 t\u00a0−\u00a01번째를 기다려야 하므로 위치가 n개이면 n단계를 차례로 거쳐야 하고, 단계마다 벡터 하나만 곱합니다. 어텐션은 앞 위치를 기다리지 않습니다. 모든 위치를 한꺼번에, `,
      term('깊이 1'),
      '로 계산합니다. 그 대신 점수 n²개를 계산해야 합니다.',
    ],
    chart: {
      title: '글이 길어질 때 순환층과 어텐션에 드는 시간',
      length: '위치의 수',
      time: 'ms',
      recurrent: '순환층, n단계를 차례로',
      attention: '어텐션, 스레드 1개',
      parallel: (threads) => `어텐션, 스레드 ${threads}개`,
    },
    verdict: (facts) => [
      `위치 ${facts.length}개에서 순환층은 `,
      number(facts.recurrent),
      ' GFLOP/s, 어텐션은 ',
      number(facts.attention),
      ' GFLOP/s',
      ...(facts.parallel === null
        ? []
        : [`, 스레드 ${facts.threads}개로는 `, number(facts.parallel), ' GFLOP/s']),
      `${joined}로 계산합니다. 다만 어텐션은 여기서 계산할 것이 ${facts.more}배입니다. 어텐션의 계산은 코어끼리 나눌 수 있지만, 차례로 거쳐야 하는 단계는 나눌 수 없습니다.`,
    ],
    help: '중앙값입니다. 두 층의 너비가 같고 가중치는 미리 정리해 두었습니다. 코어가 하나이면 깊이가 아니라 계산량이 시간을 좌우하고, 한꺼번에 계산할 수 있는 양이 많을수록 깊이가 좌우합니다. 글이 어느 길이를 넘으면 n²이 모든 것을 앞지릅니다.',
  },

  roof: {
    title: '메모리를 기다리는 일',
    text: () => [
      '토큰 하나를 생성하려면 남겨 둔 키와 값을 모두 한 번씩 읽어야 합니다. 연산 4 · n · d번에 8 · n · d바이트, 곧 글의 길이와 상관없이 ',
      number('바이트당 0.5 FLOP'),
      '입니다. 바이트 하나를 가져오는 동안 프로세서는 연산을 여러 번 할 수 있으니 기다리게 됩니다. 헤드가 키를 함께 쓰면(GQA, MQA) 바이트당 연산이 늘고, 글 전체를 한꺼번에 계산하면 수백 번에 이릅니다.',
    ],
    chart: {
      title: '바이트당 연산과 속도',
      intensity: '바이트당 FLOP',
      speed: 'GFLOP/s',
      roof: '이 기기의 한계',
      decode: '한 토큰씩',
      prefill: '글 전체를 한꺼번에',
      points: { mha: 'MHA', gqa: 'GQA', mqa: 'MQA', prefill: '글' },
    },
    verdict: (facts) => [
      '이 기기의 스레드 하나는 ',
      number(facts.limit),
      ' GFLOP/s, ',
      number(facts.memory),
      ' GB/s입니다. 그래서 바이트당 ',
      number(facts.corner),
      ` FLOP보다 적으면 메모리가 속도를 정합니다. 바이트당 ${facts.intensity} FLOP인 디코딩은 `,
      number(facts.read),
      ' GB/s로 읽으면서 ',
      number(facts.speed),
      ' GFLOP/s로 계산하고, 토큰 1,024개를 한꺼번에 계산하면 ',
      number(facts.prefill),
      ' GFLOP/s에 이릅니다.',
    ],
    help: 'd_model = 512, 헤드 8개. GQA는 헤드 넷이, MQA는 여덟 모두가 키와 값을 함께 씁니다. 키와 값을 64 MiB만큼 두어 프로세서의 캐시에 머물지 못하게 하고 쿼리 하나를 계산했습니다. 바이트는 수마다 한 번 옮기는 것으로 셌고, 한계는 표본 사이사이에 쟀습니다.',
  },

  growth: {
    title: '길이와 메모리',
    text: (matrix, tiles, length) => [
      '점수 행렬은 글 길이의 제곱으로 늘고(',
      term('O(S²)'),
      '), 타일은 쿼리, 키, 값, 출력만 있으면 됩니다(',
      term('O(S)'),
      `). 64차원 헤드 하나에 토큰 ${length}개이면 `,
      number(matrix),
      ' 대 ',
      number(tiles),
      `${joined}입니다. 헤드가 12개이면 모두 12배입니다.`,
    ],
    chart: {
      title: '글이 길어질 때 헤드 하나의 메모리',
      length: '위치의 수',
      bytes: '바이트',
      matrixFormula: '행렬을 두면: 16 S d + 4 S²',
      tilesFormula: '타일로: 16 S d',
      matrix: '행렬을 두면, 잰 값',
      tiles: '타일로, 잰 값',
    },
    verdict: (length, matrix, tiles) => [
      `위치 ${length}개에서 모듈의 할당자가 잡았던 메모리는 가중치를 남기면 `,
      number(matrix),
      ', 남기지 않으면 ',
      number(tiles),
      `${joined}입니다.`,
    ],
    help: '파선은 식, 점은 모듈의 할당자가 가장 많이 잡았을 때의 양입니다. 크기가 일정한 작업 공간도 들어 있습니다.',
  },

  device: {
    title: '이 기기의 벤치마크',
    text: () => [
      'd_model = 512, 헤드 8개인 어텐션을 이 브라우저가 실행할 수 있는 모든 빌드로 계산합니다. ',
      term('한계'),
      '는 곱셈과 덧셈만 되풀이하는 반복문의 속도로, 어텐션을 재는 사이사이에 잽니다. 다른 프로그램, 다른 탭, 뜨거워진 프로세서에 따라 결과가 달라지니 흩어진 정도를 보고 두 번 재 보세요.',
    ],
    length: '위치의 수 n',
    build: (build, threads) =>
      ({
        scalar: 'scalar: 수를 하나씩',
        simd: 'simd: 수를 넷씩',
        relaxed: 'relaxed: 넷씩, 곱셈과 덧셈을 한 번에',
        threads: `threads: simd, 스레드 ${String(threads)}개`,
        'threads-relaxed': `threads-relaxed: 곱셈과 덧셈을 한 번에, 스레드 ${String(threads)}개`,
      })[build],
    here: (date, length) => `이 기기에서 잰 결과입니다. ${date}(UTC), n = ${length}.`,
    elsewhere: (date, length) =>
      `여기서 계산한 것이 아니라 링크에 담겨 온 결과입니다. 다른 기기에서 재었거나 전에 잰 것입니다. ${date}(UTC), n = ${length}.`,
    broken: '이 링크에 담긴 결과를 읽을 수 없습니다. 여기서 재어 보세요.',
    fileTitle: (length) => `이 기기의 어텐션, n = ${length}`,
    columns: ['빌드', '중앙값', '사분위', '표본', 'GFLOP/s', '한계에 대한 비율'],
    limits: (limit, memory, share) => [
      '스레드 하나의 한계는 ',
      number(limit),
      ' GFLOP/s, 메모리는 ',
      number(memory),
      ' GB/s입니다. 가장 나은 빌드는 한계에 스레드 수를 곱한 값의 ',
      number(share),
      `${joined}에 이릅니다.`,
    ],
    refused: (build, reason) => `재지 못한 것 – ${build}: ${reason}`,
    reasons: {
      isolation: '스레드는 교차 출처 격리(COOP, COEP 헤더)가 된 페이지에서만 쓸 수 있습니다.',
      instructions: '이 브라우저가 지원하지 않는 명령어를 씁니다.',
    },
    copy: '결과 링크 복사',
    help: '막대는 4 · n² · d_model FLOP을 중앙값으로 나눈 속도, 가는 선은 제1사분위에서 제3사분위까지입니다. 먼저 돌려 본 다음 빌드마다 번갈아 쟀습니다. 값을 넣고 꺼내는 복사도 시간에 들어갑니다.',
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
      `${joined}를 옮겼고 모든 점수를 한꺼번에 프로세서 가까이에 두었습니다.`,
    ],
    thin: () => [
      '쿼리 하나, 키 하나씩 계산해 보세요. 메모리를 가장 적게 쓰는 방법입니다. 그 대가는 무엇일까요?',
    ],
    thinEvidence: (steps, moved, times) => [
      number(steps),
      `${joined}단계에 `,
      number(moved),
      `${joined}를 옮깁니다. 행렬을 통째로 저장할 때의 `,
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
      sum: ['지금까지 더한 exp 값의 합', '이 단계까지의 최댓값을 기준으로 합니다.'],
      output: ['지금까지의 출력', '아직 합으로 나누지 않았습니다.'],
      score: ['쿼리 i와 키 j의 점수', '지금 타일의 것만 있습니다.'],
      rescale: ['줄이는 비율', '더 큰 점수가 없으면 1입니다.'],
      value: ['키 j의 값 벡터', '키와 함께 읽어 옵니다.'],
      queries: ['쿼리의 수', '토큰마다 하나입니다.'],
      keys: ['키의 수', '여기서는 쿼리의 수와 같습니다.'],
      tile: ['타일의 쿼리 수', '쿼리 타일마다 키와 값을 한 번씩 읽습니다.'],
      width: ['헤드 차원', '쿼리, 키, 값 하나에 든 수의 개수입니다.'],
      tiled: ['타일로 옮기는 수의 개수', '하나에 4바이트이고, 마스크가 없을 때입니다.'],
      whole: ['행렬을 저장할 때 옮기는 수의 개수', '점수를 쓰고 읽고, 가중치를 쓰고 읽습니다.'],
    },
  },

  sources: {
    title: '참고 문헌',
    about: {
      dao: '타일로 나누어 정확하게 계산하는 어텐션, 그리고 그때 옮기는 바이트. 여기의 반복 순서는 후속작 FlashAttention-2를 따랐다.',
      milakov: '소프트맥스의 최댓값과 합을 한 번 지나가며 구하는 방법.',
      vaswani: '4절에서 차례로 밟아야 하는 단계의 수를 세었다. 셀프 어텐션은 1, 순환층은 n.',
      shazeer: '글을 생성하는 속도가 메모리에 묶이는 까닭, 그리고 키와 값을 줄이는 해법.',
      williams: '루프라인 모델. 연산 속도와 ‘초당 바이트 × 바이트당 연산’ 가운데 작은 쪽이 속도다.',
    },
  },
}
