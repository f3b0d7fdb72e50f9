// Tokens as the vocabularies of other models than BERT write them, made readable. Pure.

/** `</s>`, `<pad>`: they end and begin texts, and stand for no word. */
export const isSpecialPiece = (piece: string): boolean =>
  /^<\/?[a-z]+>$/.test(piece) && piece !== '<unk>'

/** Without the mark of a new word; a mark alone is shown as itself. */
export function labelOf(piece: string): string {
  const label = piece.replaceAll('▁', '')
  return label === '' ? piece : label
}

/** The text of pieces, without those that stand for no word. */
export function textOf(pieces: readonly string[]): string {
  const words = pieces.filter((piece) => !isSpecialPiece(piece)).join('')
  return words.replaceAll('▁', ' ').trim()
}

/** The bytes that stand for themselves in a byte-level vocabulary; the others follow from U+0100 on. */
function isPlain(byte: number): boolean {
  return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae
}

const byteOf = new Map<string, number>()
for (let byte = 0, moved = 0; byte < 256; byte++) {
  byteOf.set(String.fromCodePoint(isPlain(byte) ? byte : 256 + moved++), byte)
}

/**
 * A token of a byte-level vocabulary (Radford et al. 2019) as text: spaces and line breaks as signs
 * that can be seen, bytes that make no character by themselves as a replacement character.
 */
export function byteText(token: string): string {
  if (isSpecialPiece(token)) return token
  const bytes = Array.from(token, (letter) => byteOf.get(letter))
  if (bytes.includes(undefined)) return token
  const text = new TextDecoder().decode(Uint8Array.from(bytes as number[]))
  return text.replaceAll(' ', '␣').replaceAll('\n', '⏎')
}
