// A tokenizer from tokenizer.json, through @huggingface/tokenizers, with spans into the text as
// typed. Truncation and padding of the file are left out: they belong to one use of the model.
import { corruptFile, HeadwiseError, invalidArgument } from '../errors.js'
import type { Encoding, TokenizerOf } from '../types/tokens.js'
import type { CallOptions } from '../types/runtime.js'
import { describe } from '../validate/describe.js'
import { checkCallOptions, checkOptions } from '../validate/options.js'
import type { Piece } from './spans.js'
import { checkTokenizer } from './tokenizer-checks.js'
import { loadLibrary, type LibraryTokenizer } from './tokenizer-library.js'
import { TokenizerSteps } from './tokenizer-steps.js'

const file = 'tokenizer.json'

/** Told when the tokenizer's own patterns begin to run, and when they have ended. */
export type WatchTokenizing = (isRunning: boolean) => void

export class CoreTokenizer implements TokenizerOf<'sync'> {
  readonly #tokenizer: LibraryTokenizer
  readonly #steps: TokenizerSteps
  readonly #watch: WatchTokenizing

  private constructor(tokenizer: LibraryTokenizer, watch: WatchTokenizing) {
    this.#tokenizer = tokenizer
    this.#steps = new TokenizerSteps(tokenizer)
    this.#watch = watch
  }

  static async create(
    json: object,
    watch: WatchTokenizing = () => undefined,
  ): Promise<CoreTokenizer> {
    const library = await loadLibrary()
    checkTokenizer(json)
    const settings = { ...json, truncation: null, padding: null }
    return guarded(watch, () => new CoreTokenizer(new library.Tokenizer(settings, {}), watch))
  }

  encode(text: string, pair?: string, options: Pick<CallOptions, 'signal'> = {}): Encoding {
    if (typeof text !== 'string') throw invalidArgument('text', 'a string', describe(text))
    if (pair !== undefined && typeof pair !== 'string') {
      throw invalidArgument('pair', 'a string', describe(pair))
    }
    checkOptions(options, 'options', ['signal'])
    checkCallOptions(options)
    options.signal?.throwIfAborted()
    const second = pair === undefined || pair === '' ? undefined : pair
    return guarded(this.#watch, () => this.#encode(text, second))
  }

  /** The text of these tokens, without special ones. */
  decode(ids: number[]): string {
    const options = { skip_special_tokens: true, clean_up_tokenization_spaces: false }
    return guarded(this.#watch, () => this.#tokenizer.decode(ids, options))
  }

  /** The content of one token. */
  tokenOf(id: number): string {
    return this.#tokenizer.id_to_token(id) ?? `[${id}]`
  }

  /** The id that fills short rows of a batch. */
  get padId(): number {
    return this.#tokenizer.token_to_id('[PAD]') ?? 0
  }

  #encode(text: string, pair: string | undefined): Encoding {
    const first = this.#steps.pieces(text)
    const second = pair === undefined ? undefined : this.#steps.pieces(pair)
    const { tokens, typeIds, places } = this.#processed(first, second)
    const spans = tokens.map((): Piece['span'] => null)
    const place = (pieces: readonly Piece[], at: number) =>
      pieces.forEach(({ token, span }, index) => {
        // Where the post-processor did otherwise there is no span rather than a wrong one.
        if (tokens[at + index] === token) spans[at + index] = span
      })
    place(first, places[0])
    place(second ?? [], places[1])
    return { ids: tokens.map((token) => this.#idOf(token)), tokens, spans, typeIds }
  }

  /** With the tokens that the post-processor adds, and where each text begins among them. */
  #processed(first: readonly Piece[], second: readonly Piece[] | undefined) {
    const own = [first, second ?? []].map((pieces) => pieces.map(({ token }) => token))
    const [a = [], b = []] = own
    const processor = this.#tokenizer.post_processor
    if (processor === null) {
      const typeIds = own.flatMap((tokens, index) => tokens.map(() => index))
      return { tokens: own.flat(), typeIds, places: [0, a.length] as const }
    }
    const pair = second && b
    const processed = processor(a, pair ?? null, true)
    const { tokens, token_type_ids: typeIds = tokens.map(() => 0) } = processed
    // Two letters that no token has show where the texts go.
    const [markA, markB] = ['\u0000a', '\u0000b']
    const marked = processor([markA], pair ? [markB] : null, true).tokens
    const [before, between] = [marked.indexOf(markA), marked.indexOf(markB)]
    if (before < 0 || (pair && between < 0)) {
      const which = before < 0 ? 'a text' : 'a pair of texts'
      throw unsupported(`a post_processor that takes ${which}`)
    }
    if (!typeIds.every(isId)) {
      throw corruptFile(file, 'type ids that are whole numbers', describe(typeIds))
    }
    const places = [before, between - 1 + a.length] as const
    return { tokens, typeIds, places }
  }

  #idOf(token: string): number {
    const { added_tokens_map: added, model } = this.#tokenizer
    const id: unknown = added.get(token)?.id ?? model.tokens_to_ids.get(token) ?? model.unk_token_id
    if (isId(id)) return id
    throw corruptFile(file, `an id for the token ${describe(token)}`, describe(id))
  }
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && (value | 0) === value
}

/** Runs what the file brought along; whatever that throws is the file's fault. */
function guarded<T>(watch: WatchTokenizing, work: () => T): T {
  watch(true)
  try {
    return work()
  } catch (cause) {
    if (cause instanceof HeadwiseError) throw cause
    throw new HeadwiseError(
      {
        code: 'CORRUPT_FILE',
        argument: file,
        expected: 'a tokenizer of Hugging Face',
        received: String(cause).slice(0, 500),
      },
      { cause },
    )
  } finally {
    watch(false)
  }
}

function unsupported(expected: string): HeadwiseError {
  return new HeadwiseError({ code: 'UNSUPPORTED', argument: file, expected, received: 'none' })
}
