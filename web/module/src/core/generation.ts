// One text in the making: the past in a cache, unless that is not wanted, a token a time.
import type { BoundTransformerRun } from '../bindings.js'
import { invalidArgument } from '../errors.js'
import { Sampler } from '../generate/sampler.js'
import { TextPieces } from '../generate/text-pieces.js'
import type { CoreTokenizer } from '../model/tokenizer.js'
import type { Candidate, GenerateOptions, GeneratedPart } from '../types/generation.js'
import type { GenerationDefaults, ModelConfig } from '../types/model-config.js'
import { noTensor } from './record.js'
import { stepsOf } from './run.js'
import { Scope } from './scope.js'
import { timed, type Steps } from './steps.js'
import type { CoreTransformer } from './transformer.js'

/** What a run gives, in C++'s numbers: the hidden state, or the logits of the last position. */
const outputs = { hidden: 1, last: 3 } as const

/** Multiply-adds between two pauses, some 50 ms. */
const sliceProducts = 1e9

/** Tokens of a prompt that a decoder's block reads in one slice; whole register tiles of rows. */
function tokensOfSlice({ config, parameterCount }: CoreTransformer): number {
  const tokens = (sliceProducts * config.numLayers) / parameterCount
  return Math.max(12, Math.floor(tokens / 12) * 12)
}

/** How many tokens are added where the caller does not say. */
function checkPrompt(prompt: readonly number[], { vocabulary, maxPositions }: ModelConfig): void {
  if (prompt.length === 0) throw invalidArgument('prompt', 'at least one token', 'none')
  const place = prompt.findIndex((id) => !(id >= 0 && id < vocabulary))
  if (place >= 0) {
    const expected = `an id from 0 to ${vocabulary - 1}`
    throw invalidArgument(`prompt[${place}]`, expected, String(prompt[place]))
  }
  if (maxPositions > 0 && prompt.length > maxPositions) {
    throw invalidArgument('prompt', `at most ${maxPositions} tokens`, String(prompt.length))
  }
}

function usualTokens({ maxTokens, maxLength }: GenerationDefaults, read: number): number {
  if (maxTokens !== undefined) return maxTokens
  return maxLength === undefined ? 64 : Math.max(maxLength - read, 1)
}

export class Generation {
  readonly #scope: Scope
  readonly #run: BoundTransformerRun
  /** Null: the whole text is computed anew for each token. */
  readonly #cache
  readonly #sampler: Sampler
  readonly #pieces: TextPieces
  /** What the encoder reads; with a cache once. */
  #source: readonly number[]
  /** What is read next. */
  #ids: readonly number[]
  #length = 0
  readonly #candidates: number
  #left: number
  /** As many ids are read at once. */
  readonly #most: number
  finished = false

  constructor(
    private readonly transformer: CoreTransformer,
    private readonly tokenizer: CoreTokenizer,
    prompt: readonly number[],
    options: GenerateOptions,
    sliceTokens = tokensOfSlice(transformer),
  ) {
    const { engine, config } = transformer
    const { startIds = [], suppressedIds: suppressed = [], defaults = {} } = config.generation ?? {}
    const { temperature = defaults.temperature ?? 0, seed = 0 } = options
    const { topK = defaults.topK, topP = defaults.topP, stop = defaults.stop ?? [] } = options
    const answers = config.kind === 'encoder-decoder'
    if (!answers && options.decoderIds !== undefined) {
      const expected = 'nothing: the model has no decoder beside an encoder'
      throw invalidArgument('decoderIds', expected, 'ids')
    }
    checkPrompt(prompt, config)
    this.#source = answers ? prompt : []
    this.#ids = answers ? Array.from(options.decoderIds ?? startIds) : prompt
    const maxTokens = options.maxTokens ?? usualTokens(defaults, this.#ids.length)
    this.#left = maxTokens
    this.#candidates = options.candidates ?? 0
    this.#sampler = new Sampler({ temperature, topK, topP, seed, suppressed })
    this.#pieces = new TextPieces(
      (ids) => tokenizer.decode(ids),
      typeof stop === 'string' ? [stop] : stop,
      this.#ids,
    )
    const most = config.maxPositions > 0 ? config.maxPositions : Infinity
    const capacity = Math.min(this.#ids.length + maxTokens, most)
    const caches = options.cache ?? true
    this.#most = !answers && caches ? sliceTokens : Infinity
    this.#scope = new Scope(engine)
    this.#cache = caches ? this.#scope.own(new engine.bindings.DecodingCache()) : null
    this.#run = this.#scope.own(new engine.bindings.TransformerRun())
    try {
      if (this.#cache) engine.check(this.#cache.create(transformer.bound, Math.max(capacity, 1)))
    } catch (error) {
      this.end()
      throw error
    }
  }

  /** The next token; of several steps, between which messages may be heard. */
  *next(): Steps<GeneratedPart> {
    const { value: logits, milliseconds } = yield* timed(this.#logits())
    const seen = this.#candidates > 0 ? this.#seen(logits, milliseconds) : {}
    return { ...this.#part(this.#sampler.choose(logits)), ...seen }
  }

  #part(id: number): GeneratedPart {
    const { maxPositions, generation } = this.transformer.config
    this.#ids = this.#cache ? [id] : [...this.#ids, id]
    this.#left--
    if (generation?.endIds.includes(id) === true) return this.#last(id, '', 'end')
    const { text, stopped } = this.#pieces.push(id)
    if (stopped) return this.#last(id, text, 'stop', false)
    const full = maxPositions > 0 && this.#length >= maxPositions
    return this.#left === 0 || full ? this.#last(id, text, 'length') : { id, text }
  }

  /** Frees the memory. */
  end(): void {
    this.finished = true
    this.#scope.end()
  }

  #seen(
    logits: Float32Array,
    milliseconds: number,
  ): { candidates: readonly Candidate[]; milliseconds: number } {
    const chances = this.#sampler.chances(logits, this.#candidates)
    const candidates = chances.map((chance) => ({
      ...chance,
      token: this.tokenizer.tokenOf(chance.id),
    }))
    return { candidates, milliseconds }
  }

  #last(
    id: number,
    text: string,
    finished: NonNullable<GeneratedPart['finished']>,
    rest = true,
  ): GeneratedPart {
    this.finished = true
    return { id, text: rest ? text + this.#pieces.end() : text, finished }
  }

  *#logits(): Steps<Float32Array> {
    const { engine } = this.transformer
    const ids = this.#ids
    let from = 0
    // A block of a long prompt would take long: the cache takes it in pieces, with the same bits.
    for (; ids.length - from > this.#most; from += this.#most) {
      yield* this.#read(ids.slice(from, from + this.#most), outputs.hidden)
    }
    yield* this.#read(ids.slice(from), outputs.last)
    if (this.#cache) this.#source = []
    this.#run.output()
    const [logits] = engine.results(1)
    return logits?.data ?? new Float32Array()
  }

  *#read(next: readonly number[], output: number): Steps<void> {
    const { engine, bound } = this.transformer
    const scope = new Scope(engine)
    const given = (ids: readonly number[], name: string) =>
      ids.length === 0 ? noTensor : { ...scope.integerList(ids, name), dims: [1, ids.length] }
    const answers = this.transformer.config.kind === 'encoder-decoder'
    try {
      engine.record
        .begin()
        .tensor(given(answers ? this.#source : next, 'ids'))
        .tensor(answers ? given(next, 'decoderIds') : noTensor)
        .tensor(noTensor)
        .number(0)
        .number(0)
        .number(-1)
        .number(output)
        .send()
      engine.check(this.#run.begin(bound, this.#cache, ''))
    } finally {
      scope.end()
    }
    yield* stepsOf(this.#run, engine)
    this.#length = this.#cache ? this.#length + next.length : next.length
  }
}
