// The part of @huggingface/tokenizers that is used here, in types of our own: those of the package
// do not resolve for ES modules. The build copies the library into dist (scripts/build.mjs): a
// page without a bundler knows no package names.

import { imported } from '../import-file.js'

/** A class whose instances are called like functions. */
type Callable<Arguments extends unknown[], Result> = (...args: Arguments) => Result

export interface LibraryTokenizer {
  normalizer: Callable<[text: string], string> | null
  pre_tokenizer: Callable<[text: string], string[]> | null
  model: Callable<[words: string[]], string[]> | null
  post_processor: Callable<
    [tokens: string[], pair: string[] | null, addSpecialTokens: boolean],
    { tokens: string[] }
  > | null
  encode(
    text: string,
    options: { text_pair: string | null; return_token_type_ids: true },
  ): { ids: number[]; tokens: string[]; token_type_ids: number[] }
  token_to_id(token: string): number | undefined
  id_to_token(id: number): string | undefined
  get_added_tokens_decoder(): Map<number, { content: string }>
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
