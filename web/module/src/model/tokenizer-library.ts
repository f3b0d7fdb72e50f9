// The part of @huggingface/tokenizers that is used here, in types of our own: those of the package
// do not resolve for ES modules. The build copies the library into dist (scripts/build.mjs): a
// page without a bundler knows no package names.

import { imported } from '../import-file.js'

/** A class whose instances are called like functions. */
type Callable<Arguments extends unknown[], Result> = (...args: Arguments) => Result

/** A normalizer; `normalizers` are those of a `Sequence`, `pattern` is that of a `Replace`. */
export type LibraryNormalizer = Callable<[text: string], string> & {
  config: { type: string; content?: string | null }
  normalizers?: (LibraryNormalizer | null)[]
  pattern?: RegExp | null
}

/** A pre-tokenizer; `tokenizers` are those of a `Sequence`. */
export type LibraryPreTokenizer = Callable<
  [text: string | string[], options: { section_index: number }],
  string[]
> & {
  config?: { type?: string }
  tokenizers?: (LibraryPreTokenizer | null)[]
  /** What a `Metaspace` puts in the place of a blank. */
  str_rep?: string
  /** There in a `ByteLevel`: the letter that stands for each byte. */
  byte_encoder?: Record<number, string>
}

interface LibraryAddedToken {
  id: number
  content: string
  lstrip: boolean
  rstrip: boolean
}

interface Splitter {
  /** The words of a dictionary, and what is between them. */
  split(text: string): string[]
}

export interface LibraryTokenizer {
  normalizer: LibraryNormalizer | null
  pre_tokenizer: LibraryPreTokenizer | null
  model: Callable<[words: string[]], string[]> & {
    unk_token?: string
    unk_token_id?: number
    tokens_to_ids: Map<string, number>
    config: {
      type?: string
      byte_fallback?: boolean
      continuing_subword_prefix?: string
    }
    end_of_word_suffix?: string
    continuing_subword_suffix?: string | null
  }
  post_processor: Callable<
    [tokens: string[], pair: string[] | null, addSpecialTokens: boolean],
    { tokens: string[]; token_type_ids?: number[] }
  > | null
  added_tokens_map: Map<string, LibraryAddedToken>
  splitter_unnormalized: Splitter
  splitter_normalized: Splitter
  decode(
    ids: number[],
    options: { skip_special_tokens: boolean; clean_up_tokenization_spaces: boolean },
  ): string
  token_to_id(token: string): number | undefined
  id_to_token(id: number): string | undefined
}

interface Library {
  Tokenizer: new (tokenizer: object, config: object) => LibraryTokenizer
}

/** Loads the library now, not before. */
export async function loadLibrary(): Promise<Library> {
  const file = import('../tokenizers/tokenizers.js')
  const library: unknown = await imported('tokenizers/tokenizers.js', file)
  return library as Library
}
