// Tokens as the page shows them: a label, where they come from in the text, and which of them are
// pieces of one word or of one Korean syllable. Pure.

export interface Token {
  /** The token as the vocabulary writes it, e.g. `##able`. */
  text: string
  /** What is shown; conjoining jamo become letters that stand alone. */
  label: string
  /** [CLS], [SEP]: added by the tokenizer, not typed. */
  special: boolean
  /** Not in the vocabulary. */
  unknown: boolean
  /** UTF-16 range in the text that was typed; null for special tokens. */
  span: readonly [start: number, end: number] | null
  /** 0 for the first text, 1 for the second of a pair. */
  textIndex: number
  /** Goes on with the word of the token before; the vocabulary's `##` says so where this does not. */
  continues?: boolean
}

/** Tokens that belong together on screen. */
export interface TokenGroup {
  /** `syllable`: several tokens for one character; `word`: pieces of one word; or a token alone. */
  kind: 'single' | 'word' | 'syllable'
  /** The characters as typed, for a syllable. */
  source: string
  first: number
  tokens: readonly Token[]
}

export interface EncodingLike {
  readonly tokens: readonly string[]
  readonly spans: readonly (readonly [number, number] | null)[]
  readonly typeIds: readonly number[]
}

const initials = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ'
const medials = 'ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ'
const finals = 'ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ'

/** Conjoining jamo (U+1100...) do not stand alone in print; their compatibility letters do. */
function standAlone(text: string): string {
  return text.replace(/[\u1100-\u1112\u1161-\u1175\u11A8-\u11C2]/g, (jamo) => {
    const code = jamo.charCodeAt(0)
    if (code < 0x1161) return initials.charAt(code - 0x1100)
    if (code < 0x11a8) return medials.charAt(code - 0x1161)
    return finals.charAt(code - 0x11a8)
  })
}

export function tokensOf(encoding: EncodingLike): Token[] {
  return encoding.tokens.map((text, place) => {
    const span = encoding.spans[place] ?? null
    return {
      text,
      label: standAlone(text),
      special: span === null,
      unknown: text === '[UNK]',
      span,
      textIndex: encoding.typeIds[place] ?? 0,
    }
  })
}

/** Places of the special tokens. */
export function specialsOf(tokens: readonly Token[]): number[] {
  return tokens.flatMap((token, place) => (token.special ? [place] : []))
}

/** Whether a text has Korean in it, which an English vocabulary takes apart into jamo. */
export function hasHangul(text: string): boolean {
  return /[\u1100-\u11FF\u3130-\u318F\uAC00-\uD7A3]/.test(text)
}

/** Neighbours with the same span are one syllable; neighbours without a gap are one word. */
export function groupTokens(tokens: readonly Token[], texts: readonly string[]): TokenGroup[] {
  const groups: { first: number; tokens: Token[] }[] = []
  for (const [place, token] of tokens.entries()) {
    const group = groups.at(-1)
    const last = group?.tokens.at(-1)
    if (group && last && belongsTo(last, token)) group.tokens.push(token)
    else groups.push({ first: place, tokens: [token] })
  }
  return groups.map(({ first, tokens: members }) => {
    const span = members[0]?.span ?? null
    const source = span ? (texts[members[0]?.textIndex ?? 0] ?? '').slice(...span) : ''
    return { kind: kindOf(members), source, first, tokens: members }
  })
}

function belongsTo(last: Token, token: Token): boolean {
  if (!last.span || !token.span || last.textIndex !== token.textIndex) return false
  if (sameSpan(last, token)) return true
  // A syllable's jamo keep their own box; only plain pieces join into a word.
  const continues = token.continues ?? token.text.startsWith('##')
  const plain = continues && (token.continues !== undefined || (!isJamo(token) && !isJamo(last)))
  return plain && last.span[1] === token.span[0]
}

function isJamo(token: Token): boolean {
  return token.label !== token.text || hasHangul(token.text)
}

function sameSpan(a: Token, b: Token): boolean {
  return a.span?.[0] === b.span?.[0] && a.span?.[1] === b.span?.[1]
}

function kindOf(members: readonly Token[]): TokenGroup['kind'] {
  const [first, second] = members
  if (!first || !second) return 'single'
  return sameSpan(first, second) ? 'syllable' : 'word'
}
