// A text cut into tokens by the steps of its tokenizer.json, each run by the library, with every
// token's place in the text as typed.
import { alignedText, checkGrowth, normalise, slice, stepsOf, type Aligned } from './align.js'
import { alignWords, placeTokens, TokenBytes, withoutOverlap, type Piece } from './spans.js'
import type {
  LibraryNormalizer,
  LibraryPreTokenizer,
  LibraryTokenizer,
} from './tokenizer-library.js'

export class TokenizerSteps {
  readonly #tokenizer: LibraryTokenizer
  readonly #normalizers: readonly LibraryNormalizer[]
  readonly #preTokenizers: readonly LibraryPreTokenizer[]
  readonly #table: TokenBytes

  constructor(tokenizer: LibraryTokenizer) {
    this.#tokenizer = tokenizer
    this.#normalizers = stepsOf(tokenizer.normalizer, ({ normalizers }) => normalizers)
    this.#preTokenizers = stepsOf(tokenizer.pre_tokenizer, ({ tokenizers }) => tokenizers)
    const of = <Key extends keyof LibraryPreTokenizer>(key: Key) =>
      this.#preTokenizers.map((step) => step[key]).find((value) => value !== undefined)
    const blank = of('str_rep')
    this.#table = new TokenBytes(
      tokenizer.model,
      of('byte_encoder'),
      blank?.length === 1 ? blank : ' ',
    )
  }

  /** Every token of `text`, without those that a post-processor puts around it. */
  pieces(text: string): Piece[] {
    const { splitter_unnormalized: splitter } = this.#tokenizer
    const sections = this.#sections(alignedText(text, 0), splitter)
    return withoutOverlap(
      sections.flatMap((section, index) => {
        const added = this.#added(section)
        if (added !== undefined) return added
        const normal = normalise(this.#normalizers, section)
        return this.#sections(normal, this.#tokenizer.splitter_normalized).flatMap(
          (part) => this.#added(part) ?? this.#wordPieces(part, index),
        )
      }),
    )
  }

  /** The section if it is an added token, nothing for an empty one; undefined for any other. */
  #added({ text, starts, ends }: Aligned): Piece[] | undefined {
    if (text === '') return []
    if (!this.#tokenizer.added_tokens_map.has(text)) return undefined
    return [{ token: text, span: [starts[0] ?? 0, ends.at(-1) ?? 0] }]
  }

  /** Cuts out the added tokens; some of them take the blanks beside them. */
  #sections(source: Aligned, splitter: LibraryTokenizer['splitter_normalized']): Aligned[] {
    let offset = 0
    const sections = splitter.split(source.text).map((text) => {
      const from = offset
      offset += text.length
      return { from, to: offset }
    })
    const textOf = ({ from, to }: { from: number; to: number }) => source.text.slice(from, to)
    sections.forEach((section, index) => {
      const added = this.#tokenizer.added_tokens_map.get(textOf(section))
      const [before, behind] = [sections[index - 1], sections[index + 1]]
      if (added?.lstrip === true && before)
        before.to = before.from + textOf(before).trimEnd().length
      if (added?.rstrip === true && behind) {
        behind.from = behind.to - textOf(behind).trimStart().length
      }
    })
    return sections.map(({ from, to }) => slice(source, from, to))
  }

  #wordPieces(section: Aligned, sectionIndex: number): Piece[] {
    let words = [section.text]
    for (const step of this.#preTokenizers) {
      words = step(words, { section_index: sectionIndex })
      checkGrowth(words.join(''), section.text.length * bytesOfCharacter)
    }
    const tokens = this.#tokenizer.model(words)
    return placeTokens(tokens, alignWords(words, section, this.#table), this.#table)
  }
}

/** Byte-level words have a letter for each byte. */
const bytesOfCharacter = 4
