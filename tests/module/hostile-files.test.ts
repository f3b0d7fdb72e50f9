// Two hundred files that nobody should trust: each is a typed error that names the file and what is
// wrong, keeps no memory, and leaves the next load as good as ever.
import { HeadwiseError } from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { core, usedMemory, type AnyRuntime } from './support/runtimes.js'
import { safetensors } from './support/safetensors.js'
import { config, int8Matrix, tensors, tokenizer, withMatrix } from './support/small-bert.js'

type Json = Record<string, unknown>
type Content = Uint8Array | string

interface Hostile {
  what: string
  file: 'config.json' | 'tokenizer.json' | 'model.safetensors'
  content: Content
  /** What the error has to say, beside the file. */
  says?: string
}

const bytes = (text: string) => new TextEncoder().encode(text)
const good = {
  'config.json': bytes(JSON.stringify(config)),
  'tokenizer.json': bytes(JSON.stringify(tokenizer)),
  'model.safetensors': safetensors(tensors),
}

function withStart(start: readonly number[], content: Uint8Array): Uint8Array {
  return Uint8Array.from([...start, ...content])
}

/** What may lie in the place of any of the files. */
const anything: [what: string, make: (content: Uint8Array) => Content][] = [
  ['an empty file', () => ''],
  ['a page of HTML', () => '<!doctype html><html><title>404</title></html>'],
  [
    'a pointer of Git LFS',
    () => 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n',
  ],
  ['a message in JSON', () => '"Entry not found"'],
  ['gzip', (content) => withStart([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3], content)],
  ['a zip archive', (content) => withStart([0x50, 0x4b, 3, 4], content)],
  ['a byte order mark', (content) => withStart([0xef, 0xbb, 0xbf], content)],
  ['UTF-16', (content) => withStart([0xff, 0xfe], content)],
  ['zeros', () => new Uint8Array(4096)],
  ['the first half', (content) => content.slice(0, content.length / 2)],
  ['all but the last byte', (content) => content.slice(0, -1)],
  ['the file twice', (content) => Uint8Array.from([...content, ...content])],
  ['a byte behind the end', (content) => Uint8Array.from([...content, 1])],
  ['what is no UTF-8', (content) => content.map((byte, i) => (i === 40 ? 0xff : byte))],
]

function ofEveryKind(): Hostile[] {
  return anything.flatMap(([what, make]) =>
    (['config.json', 'tokenizer.json', 'model.safetensors'] as const).map((file): Hostile => ({
      what,
      file,
      content: make(good[file]),
    })),
  )
}

const deep = (levels: number, open: string, close: string) =>
  open.repeat(levels) + close.repeat(levels)

function configs(): Hostile[] {
  const of = (what: string, changes: Json, says: string): Hostile => ({
    what,
    file: 'config.json',
    content: JSON.stringify({ ...config, ...changes }),
    says,
  })
  const sizes = [
    'hidden_size',
    'num_hidden_layers',
    'num_attention_heads',
    'intermediate_size',
    'max_position_embeddings',
    'vocab_size',
  ]
  const values: unknown[] = [0, -1, 1.5, null, '16', 2 ** 53, 1e300, [16], {}]
  const text = JSON.stringify(config)
  const raw = (what: string, content: string, says = ''): Hostile => ({
    what,
    file: 'config.json',
    content,
    says,
  })
  return [
    ...sizes.flatMap((size) =>
      values.map((value) => of(`${size}: ${JSON.stringify(value)}`, { [size]: value }, size)),
    ),
    of('a billion layers', { num_hidden_layers: 1e9 }, 'num_hidden_layers'),
    of('heads that do not divide', { num_attention_heads: 5 }, 'num_attention_heads'),
    of('a billion heads', { num_attention_heads: 1e9 }, ''),
    of('products beyond any memory', { hidden_size: 2 ** 30, intermediate_size: 2 ** 30 }, ''),
    of('a vocabulary beyond any memory', { vocab_size: 2 ** 40 }, ''),
    of('another architecture', { model_type: 'mamba' }, 'model_type'),
    of('an architecture of the prototype', { model_type: '__proto__' }, 'model_type'),
    of('an architecture that every object has', { model_type: 'constructor' }, 'model_type'),
    of('another activation', { hidden_act: 'tanh' }, 'hidden_act'),
    of('an activation of another type', { hidden_act: { toString: 1 } }, 'hidden_act'),
    of('files elsewhere', { headwise: { files: { weights: { name: '../../x' } } } }, '../../x'),
    of('a file of a scheme', { headwise: { files: { weights: { name: 'file:///x' } } } }, 'file:'),
    of('a file of another host', { headwise: { files: { weights: { name: '//x/y' } } } }, '//x/y'),
    of('files that are none', { headwise: { files: { weights: 7 } } }, 'files'),
    of('a checksum that is none', facts({ sha256: 'abc' }), 'sha256'),
    of('bytes that are none', facts({ bytes: -1 }), 'bytes'),
    raw('a name twice', `{"hidden_size":16,${text.slice(1)}`, 'twice'),
    raw('a bomb of arrays', deep(100_000, '[', ']'), 'levels'),
    raw('a bomb of objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 'levels'),
    raw('a bomb within', text.replace('{', `{"x":${deep(5000, '[', ']')},`), 'levels'),
    raw('a list', '[]'),
    raw('a number', '1'),
    raw('nothing', 'null'),
    raw('a name of the prototype alone', '{"__proto__":{"model_type":"bert"}}', 'model_type'),
  ]
}

const facts = (weights: Json) => ({
  headwise: { files: { weights: { name: 'model.safetensors', ...weights } } },
})

/** The good weights with a header of another's making, its length told rightly or not. */
function withHeader(header: string, length?: bigint): Uint8Array {
  const file = good['model.safetensors']
  const old = Number(new DataView(file.buffer).getBigUint64(0, true))
  const text = bytes(header)
  const made = new Uint8Array(8 + text.length + file.length - 8 - old)
  new DataView(made.buffer).setBigUint64(0, length ?? BigInt(text.length), true)
  made.set(text, 8)
  made.set(file.subarray(8 + old), 8 + text.length)
  return made
}

interface Entry {
  dtype: unknown
  shape: unknown
  data_offsets: unknown
}

function goodHeader(): Record<string, Entry> {
  const file = good['model.safetensors']
  const length = Number(new DataView(file.buffer).getBigUint64(0, true))
  const text = new TextDecoder().decode(file.subarray(8, 8 + length))
  return JSON.parse(text) as Record<string, Entry>
}

function headers(): Hostile[] {
  const tensor = 'encoder.layer.1.intermediate.dense.weight'
  const text = JSON.stringify(goodHeader())
  const raw = (what: string, content: Content, says = ''): Hostile => ({
    what,
    file: 'model.safetensors',
    content,
    says,
  })
  const changed = (what: string, change: (entry: Entry) => unknown, says = tensor): Hostile => {
    const header = goodHeader()
    header[tensor] = change(header[tensor] as Entry) as Entry
    return raw(what, withHeader(JSON.stringify(header)), says)
  }
  const entry = (name: keyof Entry, value: unknown) =>
    changed(`${name}: ${JSON.stringify(value)}`, (old) => ({ ...old, [name]: value }))
  const [start = 0, end = 0] = (goodHeader()[tensor] as Entry).data_offsets as number[]
  return [
    ...[null, 7, 'F99', '', 'f32', '__proto__', 'constructor', ['F32'], 'F16', 'I8', 'F64'].map(
      (dtype) => entry('dtype', dtype),
    ),
    ...[
      null,
      24,
      '24,16',
      {},
      [],
      [24],
      [24, 17],
      [-24, -16],
      [24.5, 16],
      ['24', 16],
      [null, 16],
      [2 ** 32, 2 ** 32],
      [2 ** 53, 0.0001],
      [1e308, 1e308],
      Array.from({ length: 1000 }, () => 1),
      [24, 16, 1, 1, 1, 1, 1, 1, 1],
      [16, 24],
      [384],
    ].map((shape) => entry('shape', shape)),
    ...[
      null,
      start,
      [start],
      [start, end, end],
      [end, start],
      [-1, end],
      [start + 0.5, end + 0.5],
      [start + 4, end + 4],
      [start - 4, end - 4],
      [start, end + 4],
      [start, 2 ** 52],
      [0, end - start],
      ['0', '4'],
    ].map((offsets) => entry('data_offsets', offsets)),
    ...[null, 7, 'x', []].map((value) => changed(`an entry ${JSON.stringify(value)}`, () => value)),
    raw('a header beyond the file', withHeader(text, BigInt(2 ** 20)), 'header of 1048576'),
    raw('a header beyond all files', withHeader(text, 2n ** 62n), 'header'),
    raw('a header of all ones', withHeader(text, 2n ** 64n - 1n), 'header'),
    raw('a header cut short', withHeader(text, BigInt(text.length - 30)), 'header'),
    raw('a header of nothing', withHeader('', 0n), 'header'),
    raw('a header of seven bytes', Uint8Array.of(1, 0, 0, 0, 0, 0, 0), 'header'),
    raw('a list for a header', withHeader('[]')),
    raw('no tensors', withHeader('{}')),
    raw('no tensors and no data', safetensors({}), 'every parameter'),
    raw('a tensor twice', withHeader(text.replace('{', `{"${tensor}":{},`)), 'twice'),
    raw('a dtype twice', withHeader(text.replace('{"dtype"', '{"dtype":"F16","dtype"')), 'twice'),
    raw('a bomb', withHeader(`{"x":${deep(50_000, '[', ']')}}`), 'levels'),
    raw('a mark before the header', withHeader(`\uFEFF${text}`), 'header'),
    raw('a tensor of the prototype', withHeader(text.replace(tensor, '__proto__')), ''),
    raw('a tensor less', safetensors(without(tensor)), 'blocks.1.mlp.in.weight'),
    raw('half the tensors', safetensors(without('encoder.layer.1')), '16 of them'),
    raw('a table of another size', resized('embeddings.word_embeddings.weight', [4, 16]), ''),
    raw('a matrix turned', resized(tensor, [16, 24]), tensor),
    raw('a tensor under two names with other values', again(1), 'differ'),
    raw('integers for weights', retyped(tensor, 'I32'), tensor),
    raw('int8 without scales', retyped(tensor, 'I8'), 'mlp.in.weight'),
    ...int8(),
  ]
}

/** The weights with one of their tensors once more, under the name that older files use. */
function again(difference: number): Uint8Array {
  const name = 'embeddings.LayerNorm.bias'
  const { dims = [], array = [] } = tensors[name] ?? {}
  const other = Float32Array.from(array, (value) => value + difference)
  return safetensors({ ...tensors, [`bert.${name}`]: { dtype: 'F32', dims, array: other } })
}

function without(start: string): typeof tensors {
  return Object.fromEntries(Object.entries(tensors).filter(([name]) => !name.startsWith(start)))
}

function resized(name: string, dims: number[]): Uint8Array {
  const size = dims.reduce((a, b) => a * b)
  return safetensors({ ...tensors, [name]: { dtype: 'F32', dims, array: new Float32Array(size) } })
}

function retyped(name: string, dtype: 'I8' | 'I32'): Uint8Array {
  const { dims = [], array = [] } = tensors[name] ?? {}
  const integers = dtype === 'I8' ? new Int8Array(array.length) : new Int32Array(array.length)
  return safetensors({ ...tensors, [name]: { dtype, dims, array: integers } })
}

function int8(): Hostile[] {
  const { name, stored } = int8Matrix()
  const of = (what: string, changes: typeof stored): Hostile => ({
    what: `int8: ${what}`,
    file: 'model.safetensors',
    content: withMatrix(name, { ...stored, ...changes }),
    says: '',
  })
  const positions = (...places: number[]) => ({
    [`${name}_outlier_positions`]: { dtype: 'I32', dims: [2, 2], array: Int32Array.from(places) },
  })
  return [
    of('scales of another length', {
      [`${name}_scale`]: { dtype: 'F32', dims: [3], array: new Float32Array(3) },
    }),
    of('scales of another type', {
      [`${name}_scale`]: { dtype: 'F16', dims: [16], array: new Uint16Array(16) },
    }),
    of('an outlier in no row', positions(99, 5, 15, 23)),
    of('an outlier before all columns', positions(3, -5, 15, 23)),
  ]
}

function tokenizers(): Hostile[] {
  const of = (what: string, changes: Json, says = ''): Hostile => ({
    what,
    file: 'tokenizer.json',
    content: JSON.stringify({ ...tokenizer, ...changes }),
    says,
  })
  const model = (what: string, changes: Json, says = '') =>
    of(what, { model: { ...tokenizer.model, ...changes } }, says)
  const replace = (pattern: Json, content: unknown) => ({ type: 'Replace', pattern, content })
  const grows = replace({ Regex: '(?=.)' }, 'x'.repeat(50))
  const sequence = (normalizers: unknown[]) => ({ normalizer: { type: 'Sequence', normalizers } })
  return [
    of('no model', { model: null }),
    of('a model of another type', { model: { type: 'Nonsense' } }),
    of('a model of the prototype', { model: { type: '__proto__' } }),
    of('a normalizer of another type', { normalizer: { type: 'Nonsense' } }),
    of('a pre-tokenizer of another type', { pre_tokenizer: { type: 'Nonsense' } }),
    of('a post-processor of another type', { post_processor: { type: 'Nonsense' } }),
    of('a decoder of another type', { decoder: { type: 'Nonsense' } }),
    of('added tokens that are none', { added_tokens: 7 }),
    of('added tokens without a text', { added_tokens: [{ id: 1 }] }),
    of('an added token of null', { added_tokens: [null] }),
    of('a pattern that is none', sequence([replace({ Regex: '(' }, '')])),
    of('a pattern of another language', sequence([replace({ Regex: '(?P<x>a)(?P=x)' }, '')])),
    of('a text that grows and grows', sequence(Array.from({ length: 20 }, () => grows)), 'length'),
    of('pieces of no length', { pre_tokenizer: { type: 'FixedLength', length: 0 } }, 'length'),
    of('pieces of no length within', {
      pre_tokenizer: {
        type: 'Sequence',
        pretokenizers: [{ type: 'Sequence', pretokenizers: [{ type: 'FixedLength', length: -1 }] }],
      },
    }),
    of('a template without a pair and a text', {
      post_processor: { type: 'TemplateProcessing', single: [], pair: [] },
    }),
    of('a template that is none', {
      post_processor: { type: 'TemplateProcessing', single: 7, pair: 7 },
    }),
    of('a template of an unknown token', {
      post_processor: {
        type: 'TemplateProcessing',
        single: [{ SpecialToken: { id: 'nobody', type_id: 0 } }, { Sequence: { id: 'A' } }],
        pair: [],
      },
      model: { ...tokenizer.model, unk_token: 'missing' },
    }),
    ...[null, 0.5, -1, { valueOf: 1, toString: 1 }].map((type_id) =>
      of(`a type id of ${JSON.stringify(type_id)}`, {
        post_processor: {
          type: 'TemplateProcessing',
          single: [{ Sequence: { id: 'A', type_id } }],
          pair: [],
        },
      }),
    ),
    of('BertProcessing without its tokens', { post_processor: { type: 'BertProcessing' } }),
    model('no vocabulary', { vocab: null }),
    model('a vocabulary of numbers', { vocab: 7 }),
    model('ids that are texts', ids(String)),
    model(
      'ids that are fractions',
      ids((id) => id + 0.5),
    ),
    model(
      'ids below zero',
      ids((id) => -1 - id),
    ),
    model(
      'ids beyond the model',
      ids((id) => id + 1000),
      '1',
    ),
    model(
      'ids beyond all numbers',
      ids((id) => id + 2 ** 40),
    ),
    model(
      'ids of nothing',
      ids(() => null),
    ),
    model('BPE without merges', { type: 'BPE' }),
    model('BPE of merges that are none', { type: 'BPE', merges: [null] }),
    model('Unigram of a vocabulary that is none', { type: 'Unigram', vocab: [] }),
    model('Unigram of nothing', { type: 'Unigram', vocab: [null], unk_id: 0 }),
    model('Unigram with an unknown that is none', {
      type: 'Unigram',
      vocab: [['x', 0]],
      unk_id: 9,
    }),
    { what: 'a bomb', file: 'tokenizer.json', content: deep(1e6, '[', ']'), says: 'levels' },
    { what: 'a list', file: 'tokenizer.json', content: '[]' },
  ]
}

/** The small vocabulary with other ids; the specials come from it alone. */
function ids(change: (id: number) => unknown): Json {
  const entries = Object.entries(tokenizer.model.vocab)
  return { vocab: Object.fromEntries(entries.map(([word, id]) => [word, change(id)])) }
}

const hostile = [...ofEveryKind(), ...configs(), ...headers(), ...tokenizers()]

test('there are two hundred of them', () => {
  expect(hostile.length).toBeGreaterThanOrEqual(200)
})

describe('each is an error that names its file', () => {
  let hw: AnyRuntime
  let expected: unknown
  beforeAll(async () => {
    hw = await core.open({ build: 'simd' })
    expected = await outcomeOf(hw, good)
    expect(expected).toBeInstanceOf(Float32Array)
  })
  afterAll(() => hw.dispose())

  test.each(hostile)('$file: $what', async ({ file, content, says = '' }) => {
    const error = await outcomeOf(hw, { ...good, [file]: content })
    expect(error).toBeInstanceOf(HeadwiseError)
    const { code, message } = error as HeadwiseError
    expect(['CORRUPT_FILE', 'UNSUPPORTED', 'OUT_OF_MEMORY', 'INVALID_ARGUMENT']).toContain(code)
    expect(message).toContain(says)
    // An id that the model does not have is found where it is used.
    expect(message).toMatch(code === 'INVALID_ARGUMENT' ? /^ids/ : file)
    expect(await usedMemory(hw)).toBe(0)
    expect(await outcomeOf(hw, good)).toEqual(expected)
  })
})

test('a tensor under two names is no harm where both say the same', async () => {
  const hw = await core.open({ build: 'simd' })
  const twice = { ...good, 'model.safetensors': again(0) }
  expect(await outcomeOf(hw, twice)).toEqual(await outcomeOf(hw, good))
  hw.dispose()
})

/** The output of a run of these files, or the error. */
async function outcomeOf(hw: AnyRuntime, files: Record<string, Content>): Promise<unknown> {
  const given = Object.entries(files).map(
    ([name, content]) => new File([content as BlobPart], name),
  )
  try {
    const model = await hw.loadModel(given)
    try {
      return (await model.run('the cat sat')).output?.data
    } finally {
      model.dispose()
    }
  } catch (error) {
    return error
  }
}
