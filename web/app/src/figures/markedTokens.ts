// Tokens of vocabularies that mark where words begin, as the translator's and the language model's do.
// Pure; fetched with the first such model.
import { byteText, labelOf } from './pieces'
import { tokensOf, type EncodingLike, type Token } from './tokens'

/** What stands in the place of a word's space. */
const marks = { metaspace: '▁', bytes: 'Ġ' } as const

/** Tokens without these marks; pieces behind the first of a word go on with it. */
export function markedTokensOf(encoding: EncodingLike): Token[] {
  const { tokens } = encoding
  const mark = Object.values(marks).find((each) => tokens.some((text) => text.startsWith(each)))
  return tokensOf(encoding).map((token, place) => ({
    ...token,
    label: mark === marks.metaspace ? labelOf(token.text) : withoutSpace(byteText(token.text)),
    unknown: token.text === '<unk>',
    continues: !startsWith(token.text, mark) && isWordPiece(token.text, tokens[place - 1]),
  }))
}

const startsWith = (text: string, mark: string | undefined): boolean =>
  mark !== undefined && text.startsWith(mark)

/** A space alone is shown as itself. */
const withoutSpace = (text: string): string => text.replace(/^␣(?=.)/u, '')

/** Letters or digits behind letters or digits; signs stand alone. */
function isWordPiece(text: string, before = ''): boolean {
  return /^[\p{L}\p{N}]/u.test(text) && /[\p{L}\p{N}]$/u.test(before)
}
