// A tokenizer from tokenizer.json, through @huggingface/tokenizers, with spans into the text as
// typed. Truncation and padding of the file are left out: they belong to one use of the model.
import { HeadwiseError, invalidArgument } from '../errors.js'
import type { Encoding, TokenizerOf, TokenSpan } from '../types/model.js'
import { describe } from '../validate/describe.js'
import { piecesOf, type Piece } from './spans.js'
import { loadLibrary, type LibraryTokenizer } from './tokenizer-library.js'

export class CoreTokenizer implements TokenizerOf<'sync'> {
  readonly #tokenizer: LibraryTokenizer

  private constructor(tokenizer: LibraryTokenizer) {
    this.#tokenizer = tokenizer
  }

  static async create(json: object): Promise<CoreTokenizer> {
    const library = await loadLibrary()
    const settings = { ...json, truncation: null, padding: null }
    try {
      return new CoreTokenizer(new library.Tokenizer(settings, {}))
    } catch (cause) {
      throw new HeadwiseError(
        {
          code: 'CORRUPT_FILE',
          argument: 'tokenizer.json',
          expected: 'a tokenizer of Hugging Face',
          received: String(cause),
        },
        { cause },
      )
    }
  }

  encode(text: string, pair?: string): Encoding {
    if (typeof text !== 'string') throw invalidArgument('text', 'a string', describe(text))
    if (pair !== undefined && typeof pair !== 'string') {
      throw invalidArgument('pair', 'a string', describe(pair))
    }
    const second = pair === undefined || pair === '' ? null : pair
    const encoded = this.#tokenizer.encode(text, {
      text_pair: second,
      return_token_type_ids: true,
    })
    const { ids, tokens, token_type_ids: typeIds } = encoded
    return { ids, tokens, typeIds, spans: this.#spans(tokens, text, second) }
  }

  /** The content of one token. */
  tokenOf(id: number): string {
    return this.#tokenizer.id_to_token(id) ?? `[${id}]`
  }

  /** The id that fills short rows of a batch. */
  get padId(): number {
    return this.#tokenizer.token_to_id('[PAD]') ?? 0
  }

  #spans(tokens: string[], text: string, pair: string | null): (TokenSpan | null)[] {
    const spans = Array<TokenSpan | null>(tokens.length).fill(null)
    const first = piecesOf(this.#tokenizer, text)
    const second = pair === null ? [] : piecesOf(this.#tokenizer, pair)
    const [before, between] = this.#specialTokens(pair !== null)
    const place = (pieces: readonly Piece[], start: number) =>
      pieces.forEach(({ token, span }, index) => {
        // Where the library cut otherwise there is no span rather than a wrong one.
        if (tokens[start + index] === token) spans[start + index] = span
      })
    place(first, before)
    place(second, before + first.length + between)
    return spans
  }

  /** How many tokens the post-processor puts before the first text, and between the two. */
  #specialTokens(isPair: boolean): [before: number, between: number] {
    const processor = this.#tokenizer.post_processor
    if (processor === null) return [0, 0]
    const [a, b] = ['\u0000a', '\u0000b']
    const { tokens } = processor([a], isPair ? [b] : null, true)
    const before = tokens.indexOf(a)
    return [before, isPair ? tokens.indexOf(b) - before - 1 : 0]
  }
}
