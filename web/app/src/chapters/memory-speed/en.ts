// Chapter 11 in English. Its type is the contract for the other language.
import type { Build } from 'headwise'
import { math, number, part, term, type Inline } from '../../i18n/inline'
import recurrent from './recurrent.inline.tex'

/** What the stepper has found, ready to be set. */
export interface TilesFacts {
  head: string
  tokens: string
  scores: string
  tiles: string
  largest: string
  difference: string
}

export const speed = {
  title: 'Where do the time and the memory go?',
  windowTitle: 'Memory and speed',

  answer: (facts: TilesFacts): Inline[] => [
    'Head ',
    facts.head,
    ` has ${facts.tokens} × ${facts.tokens} = `,
    number(facts.scores),
    ' scores to compute, yet they never need to exist together: ',
    part('tiles', `${facts.tiles} tiles of at most ${facts.largest}`),
    ', one after another, give the same output. The largest difference is ',
    number(facts.difference),
    '.',
  ],
  answerWaiting: (): Inline[] => [
    'Every token is scored against every other one, yet the scores never need to exist together. The numbers appear here as soon as the layer has arrived.',
  ],
  tilesText: (): Inline[] => [
    term('FlashAttention'),
    ' takes ',
    part('tiles', 'a tile of queries'),
    ' past all tiles of keys and values. For each row it keeps ',
    part('rows', 'three things only'),
    ': the largest score so far, m, the sum of exponentials l, and the output so far. When a larger score turns up, sum and output are scaled down by exp(m before − m after). That is exact, not an approximation: softmax does not change when the same number is taken off every score.',
  ],
  whyText: (): Inline[] => [
    'It pays because arithmetic is cheap and ',
    part('moved', 'moving numbers'),
    ' is not. The same reason explains why ',
    part('loops', 'all heads are computed as one product'),
    ', why a recurrent network, which ',
    part('depth', 'has to take its steps in a row'),
    ', leaves a processor idle, and why ',
    part('roof', 'generating text waits for memory'),
    '. Below, your own device is measured, with the kernels of this page.',
  ],

  parts: {
    tiles: 'Tile by tile',
    loops: 'One product',
    depth: 'Steps in a row',
    roof: 'Waiting for memory',
    growth: 'Memory as it grows',
    device: 'Benchmark this device',
    tries: 'Things to try',
    formula: 'The formula',
    sources: 'Sources',
  },

  tiles: {
    title: (head: string) => `Head ${head}, tile by tile`,
    layer: 'layer',
    head: 'head',
    queryTile: 'queries in a tile',
    keyTile: 'keys in a tile',
    causal: 'Causal mask',
    stepper: {
      label: 'Step',
      first: 'Start',
      back: 'One step back',
      forward: 'One step forward',
      play: 'Play',
      pause: 'Pause',
    },
    stepOf: (step: string, all: string) => `Step ${step} of ${all}`,
    nothing: 'nothing loaded yet',
    range: (first: number, last: number) =>
      first === last ? String(first) : `${String(first)}–${String(last)}`,
    against: (queries: string, keys: string) => `queries ${queries} against keys ${keys}`,
    skipped: (skipped: string, all: string) =>
      `The mask leaves ${skipped} of ${all} tiles without anything to see; they are skipped, here and in the kernels.`,
    help: 'Filled strips are near the processor now. Coloured cells are exp(score − m); a dash marks scores that were there and are gone. Rows of O fill as they are finished.',
    fileTitle: (head: string) => `Head ${head} by tiles`,
    caption: 'The rows of this tile',
    columns: ['query', 'm before', 'm after', 'l before', 'l after'],
  },

  rows: {
    title: (token: string) => `The row of ${token}, in numbers`,
    start: (): Inline[] => [
      'Before the first tile a row starts from m = −∞, l = 0 and an output of zeros.',
    ],
    hidden: 'The mask hides every key of this tile from this row; nothing changes.',
    maximum: 'Largest score: of what was known, and of this tile',
    rescale: 'What the old sum and output are multiplied by',
    kept: 'no larger score here: nothing to rescale',
    sum: 'Sum: rescaled, plus this tile’s exponentials',
    output: 'Output, first of its numbers: rescaled, plus exponentials times values',
    divide: 'All keys have passed. Divided once, at the end',
    comparison: 'The output of this row, both ways',
    columns: ['number', 'by tiles', 'attention op', 'difference'],
    difference: (value: string): Inline[] => [
      'Over all rows and all numbers of the head the largest difference is ',
      number(value),
      ': rounding of single precision, for sums were taken in another order.',
    ],
  },

  moved: {
    title: 'Bytes moved between memory and processor',
    tiled: 'by tiles, so far and in all',
    matrix: 'writing the whole matrix down',
    fileTitle: 'Bytes moved by tiles and with the whole matrix',
    columns: ['way', 'so far', 'in all'],
    help: 'Counted as if only the tiles fitted near the processor. Whole matrix: scores out and in, weights out and in.',
    fewer: (times: string): Inline[] => [
      'With these tiles the whole matrix would move ',
      number(`${times} times`),
      ' as much.',
    ],
    more: (times: string, half: string): Inline[] => [
      'Here tiles move ',
      number(`${times} times`),
      ` as much: for a short text the matrix is smaller than the keys and values that each tile of queries loads again. Long texts gain, with more than d_k / 2 = ${half} queries in a tile.`,
    ],
    near: (fast: string, square: string) =>
      `Near at one time: ${fast}, whatever the length of the text. One matrix of scores: ${square}.`,
  },

  measure: {
    start: 'Measure here',
    again: 'Measure again',
    cancel: 'Cancel',
    progress: 'How far the measurement is',
    other: 'ends what is being measured now',
    failed: 'The measurement failed.',
    notYet:
      'Not measured yet. It takes some seconds, in a Worker of its own; nothing leaves this tab.',
  },

  loops: {
    title: 'All heads are one product',
    text: (): Inline[] => [
      'The columns of all heads stand side by side in one matrix. One product gives every head its queries: a tensor ',
      term('[B, S, H, D]'),
      ' (batch, positions, heads, head dimension) is the same memory as [B, S, H · D], only read with another index. Looping over heads gives the same output, reads x again for each head, and offers the processor small products.',
    ],
    shapes: (dModel: string, heads: string, headDim: string) =>
      `x [1, S, ${dModel}] · W [${dModel}, 3 · ${heads} · ${headDim}] → [1, S, 3, ${heads}, ${headDim}]`,
    positions: (length: string) => `S = ${length}`,
    together: 'one layer, all heads',
    looped: '12 layers of one head each',
    fileTitle: 'Time of all heads together and head by head',
    columns: ['S', 'together', 'looped', 'together, quartiles', 'looped, quartiles'],
    verdict: (ratios: readonly string[], difference: string): Inline[] => [
      'Head by head takes ',
      number(ratios.join(', ')),
      ' times as long here. Both outputs agree to ',
      number(difference),
      ' of their largest number. On hardware with thousands of lanes the gap can be wider: small products cannot fill them.',
    ],
    help: (build: string) =>
      `Median of up to 11 samples, whiskers from the first to the third quartile; one thread, build ${build}, random weights in the model’s shape. Copies in and out are part of each call; adding the heads’ outputs is not counted.`,
  },

  depth: {
    title: 'Steps in a row',
    text: (dModel: string): Inline[] => [
      `A recurrent layer of width ${dModel} computes `,
      math(recurrent, 'h_t = tanh(W x_t + U h_(t−1))'),
      `: position t waits for t\u00a0−\u00a01, so n positions are n steps in a row, each a product with a single vector. Attention has no such chain: all positions at once, `,
      term('depth 1'),
      ', for the price of n² scores.',
    ],
    chart: {
      title: 'Time of a recurrent layer and of attention as the text grows',
      length: 'positions',
      time: 'ms',
      recurrent: 'recurrent: n steps in a row',
      attention: 'attention: one thread',
      parallel: (threads: string) => `attention: ${threads} threads`,
    },
    verdict: (facts: {
      length: string
      recurrent: string
      attention: string
      threads: string
      parallel: string | null
      more: string
    }): Inline[] => [
      `At ${facts.length} positions the recurrent layer runs at `,
      number(facts.recurrent),
      ' GFLOP/s, attention at ',
      number(facts.attention),
      ...(facts.parallel === null
        ? []
        : [`, with ${facts.threads} threads at `, number(facts.parallel)]),
      ` – but attention has ${facts.more} times as much to compute there. Cores can share its work; they cannot share steps that wait for each other.`,
    ],
    help: 'Medians; both layers of the same width, weights packed beforehand. On one core the amount of work decides, not the depth; the depth decides where there are many lanes. Beyond some length n² outgrows everything.',
  },

  roof: {
    title: 'Waiting for memory',
    text: (): Inline[] => [
      'To write one token, every kept key and value is read once: 4 · n · d FLOP for 8 · n · d bytes, ',
      number('0.5 FLOP per byte'),
      ', however long the text. A processor can do many operations in the time one byte takes, so it waits. Heads that share keys (GQA, MQA) do more with each byte; a whole text at once does hundreds of operations with it.',
    ],
    chart: {
      title: 'Speed against FLOP per byte',
      intensity: 'FLOP per byte',
      speed: 'GFLOP/s',
      roof: 'limit of this device',
      decode: 'one token at a time',
      prefill: 'a whole text at once',
      points: { mha: 'MHA', gqa: 'GQA', mqa: 'MQA', prefill: 'text' },
    },
    verdict: (facts: {
      limit: string
      memory: string
      corner: string
      intensity: string
      speed: string
      read: string
      prefill: string
    }): Inline[] => [
      'One thread here: ',
      number(facts.limit),
      ' GFLOP/s and ',
      number(facts.memory),
      ' GB/s, so below ',
      number(facts.corner),
      ` FLOP per byte memory decides. Decoding with ${facts.intensity} reaches `,
      number(facts.speed),
      ' GFLOP/s while reading ',
      number(facts.read),
      ' GB/s; a text of 1,024 tokens at once reaches ',
      number(facts.prefill),
      '.',
    ],
    help: 'd_model = 512, 8 heads; in GQA four heads share their keys and values, in MQA all eight. One query on a cache of 64 MiB, so that it does not stay in the processor’s own caches. Bytes are counted as if each number moved once. The limit is measured between the samples.',
  },

  growth: {
    title: 'Memory as the text grows',
    text: (matrix: string, tiles: string, length: string): Inline[] => [
      'A matrix of scores grows with the square of the text, ',
      term('O(S²)'),
      '; tiles need queries, keys, values and outputs only, ',
      term('O(S)'),
      `. For one head of 64 and ${length} tokens: `,
      number(matrix),
      ' against ',
      number(tiles),
      '. Twelve heads need twelve times that.',
    ],
    chart: {
      title: 'Memory of one head as the text grows',
      length: 'positions',
      bytes: 'bytes',
      matrixFormula: 'with the matrix: 16 S d + 4 S²',
      tilesFormula: 'by tiles: 16 S d',
      matrix: 'with the matrix, measured',
      tiles: 'by tiles, measured',
    },
    verdict: (length: string, matrix: string, tiles: string): Inline[] => [
      `At ${length} positions the module’s allocator held `,
      number(matrix),
      ' with the weights kept, ',
      number(tiles),
      ' without.',
    ],
    help: 'Dashed: the formula. Dots: the highest mark of the module’s allocator, a workspace of constant size included.',
  },

  device: {
    title: 'Benchmark this device',
    text: (): Inline[] => [
      'Attention of d_model = 512 with 8 heads, by every build of the module that this browser can run. Its ',
      term('limit'),
      ' is a loop of multiply-adds that does nothing else, measured in the same minutes. Other programs, other tabs and a warm processor change the result: look at the spread, and measure twice.',
    ],
    length: 'positions n',
    build: (build: Build, threads: number) =>
      ({
        scalar: 'scalar: one number at a time',
        simd: 'simd: four numbers at a time',
        relaxed: 'relaxed: four at a time, multiply-add fused',
        threads: `threads: simd on ${String(threads)} threads`,
        'threads-relaxed': `threads-relaxed: fused, on ${String(threads)} threads`,
      })[build],
    here: (date: string, length: string) =>
      `Measured on this device, ${date} (UTC), n = ${length}.`,
    elsewhere: (date: string, length: string) =>
      `Not computed here: this result came with the link. It was measured on another device or another visit, ${date} (UTC), n = ${length}.`,
    broken: 'The result in this link cannot be read. Measure here to have one.',
    fileTitle: (length: string) => `Attention on this device, n = ${length}`,
    columns: ['build', 'median', 'quartiles', 'samples', 'GFLOP/s', 'of the limit'],
    limits: (limit: string, memory: string, share: string): Inline[] => [
      'Limit of one thread: ',
      number(limit),
      ' GFLOP/s; memory ',
      number(memory),
      ' GB/s. The best build reaches ',
      number(share),
      ' of the limit times its threads.',
    ],
    refused: (build: string, reason: string) => `Not measured – ${build}: ${reason}`,
    reasons: {
      isolation: 'threads need a page that is cross-origin isolated (headers COOP and COEP).',
      instructions: 'this browser does not know its instructions.',
    },
    copy: 'Copy a link with this result',
    help: 'Bars: 4 · n² · d_model FLOP divided by the median time; whiskers from the first to the third quartile. Builds take turns, after a warm-up. Copies in and out count.',
  },

  tries: {
    title: 'Things to try',
    now: 'Now:',
    one: (): Inline[] => [
      'Make a single tile of the whole text. What is left of the online softmax then?',
    ],
    oneEvidence: (moved: string): Inline[] => [
      '1 step, no rescaling: the softmax of a textbook. ',
      number(moved),
      ' moved, and every score near at once.',
    ],
    thin: (): Inline[] => [
      'Take one query and one key at a time: the smallest memory there is. What does it cost?',
    ],
    thinEvidence: (steps: string, moved: string, times: string): Inline[] => [
      number(steps),
      ' steps and ',
      number(moved),
      ' moved, ',
      number(times),
      ' times the bytes of the whole matrix: each query loads all keys and values again.',
    ],
    long: (): Inline[] => [
      'Take a text of some 500 tokens and 64 queries in a tile. When do tiles begin to pay?',
    ],
    longEvidence: (tokens: string, tiled: string, matrix: string): Inline[] => [
      number(tokens),
      ' tokens: ',
      number(tiled),
      ' by tiles, ',
      number(matrix),
      ' with the matrix.',
    ],
  },

  formula: {
    title: 'The formula',
    help: 'Choose a symbol to see what it is, and what it is now.',
    now: 'now',
    symbols: {
      maximum: ['largest score so far', 'Kept for each row; it only ever grows.'],
      sum: ['sum of exponentials so far', 'Relative to the largest score known at this step.'],
      output: ['output so far', 'Not yet divided by the sum.'],
      score: ['score of query i and key j', 'Only those of the present tile exist.'],
      rescale: ['rescaling', '1 where no larger score turned up.'],
      value: ['value vector of key j', 'Loaded together with its key.'],
      queries: ['queries', 'One for each token.'],
      keys: ['keys', 'As many as queries here.'],
      tile: ['queries in a tile', 'Keys and values are loaded once for each tile of queries.'],
      width: ['width of a head', 'Numbers in a query, a key or a value.'],
      tiled: ['numbers moved by tiles', 'Four bytes each; without a mask.'],
      whole: ['numbers moved with the matrix', 'Scores out and in, weights out and in.'],
    },
  },

  sources: {
    title: 'Sources',
    about: {
      dao: 'Attention by tiles, exact, and how many bytes it moves; the order of loops here is that of its successor, FlashAttention-2.',
      milakov: 'The running maximum and sum of softmax, in one pass.',
      vaswani:
        'Section 4 counts the steps that have to follow one another: 1 for self-attention, n for a recurrent layer.',
      shazeer: 'Why generating text is bound by memory, and fewer keys and values as the way out.',
      williams:
        'The roofline: speed as the smaller of arithmetic and bytes per second times FLOP per byte.',
    },
  },
}

export type SpeedMessages = typeof speed
