// One text in the making: the past in a cache, unless that is not wanted, a token a time.
import type { BoundTransformerRun } from '../bindings.js'
import { HeadwiseError, invalidArgument } from '../errors.js'
import { Sampler } from '../generate/sampler.js'
import { TextPieces } from '../generate/text-pieces.js'
import type { CoreTokenizer } from '../model/tokenizer.js'
import type { Candidate, GeneratedPart, GenerateOptions } from '../types/model.js'
import { noTensor } from './record.js'
import { stepsOf } from './run.js'
import { Scope } from './scope.js'
import { timed, type Steps } from './steps.js'
import type { CoreTransformer } from './transformer.js'

/** Logits of the last position, in C++'s numbers. */
const lastOutput = 3

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
  finished = false

  constructor(
    private readonly transformer: CoreTransformer,
    private readonly tokenizer: CoreTokenizer,
    prompt: readonly number[],
    options: GenerateOptions,
  ) {
    const { engine, config } = transformer
    if (config.head !== 'lm') {
      throw new HeadwiseError({
        code: 'UNSUPPORTED',
        argument: 'generate',
        expected: 'a model with a language-model head',
        received: `${config.modelType} with the head '${config.head}'`,
      })
    }
    const { maxTokens = 64, temperature = 0, topK, topP, seed = 0, stop = [] } = options
    const { startIds = [], suppressedIds: suppressed = [] } = config.generation ?? {}
    const answers = config.kind === 'encoder-decoder'
    if (!answers && options.decoderIds !== undefined) {
      const expected = 'nothing: the model has no decoder beside an encoder'
      throw invalidArgument('decoderIds', expected, 'ids')
    }
    this.#source = answers ? prompt : []
    this.#ids = answers ? Array.from(options.decoderIds ?? startIds) : prompt
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
    this.#scope = new Scope(engine)
    const caches = options.cache ?? true
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
    if (this.transformer.engine.alive) this.#scope.end()
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
    const { engine, bound } = this.transformer
    const scope = new Scope(engine)
    const given = (ids: readonly number[], name: string) =>
      ids.length === 0 ? noTensor : { ...scope.integerList(ids, name), dims: [1, ids.length] }
    const answers = this.transformer.config.kind === 'encoder-decoder'
    try {
      engine.record
        .begin()
        .tensor(given(answers ? this.#source : this.#ids, 'ids'))
        .tensor(answers ? given(this.#ids, 'decoderIds') : noTensor)
        .tensor(noTensor)
        .number(0)
        .number(0)
        .number(-1)
        .number(lastOutput)
        .send()
      engine.check(this.#run.begin(bound, this.#cache, ''))
    } finally {
      scope.end()
    }
    yield* stepsOf(this.#run, engine)
    if (this.#cache) {
      this.#source = []
      this.#length += this.#ids.length
    } else this.#length = this.#ids.length
    this.#run.output()
    const [logits] = engine.results(1)
    return logits?.data ?? new Float32Array()
  }
}
