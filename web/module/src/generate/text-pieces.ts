// From token ids, one at a time, to the text that is certain so far.

/** What stands for a character whose bytes are not all there. */
const incomplete = '\ufffd'

export class TextPieces {
  readonly #ids: number[]
  /** Text is compared from #start on: a few tokens of context, since a token's text may depend on it. */
  #start = 0
  /** The ids before it have given their text. */
  #told: number
  /** Text that may be the beginning of a stop text. */
  #held = ''

  /** `context`: ids before the text, which do not belong to it. */
  constructor(
    private readonly decode: (ids: number[]) => string,
    private readonly stops: readonly string[],
    context: readonly number[] = [],
  ) {
    this.#ids = context.slice(-8)
    this.#told = this.#ids.length
  }

  /** The text that one more token makes certain, and whether a stop text ends it. */
  push(id: number): { text: string; stopped: boolean } {
    this.#ids.push(id)
    return this.#release(this.#newText(false), false)
  }

  /** All that is left. */
  end(): string {
    return this.#release(this.#newText(true), true).text
  }

  #newText(last: boolean): string {
    const before = this.decode(this.#ids.slice(this.#start, this.#told))
    const now = this.decode(this.#ids.slice(this.#start))
    if (now.length <= before.length || (now.endsWith(incomplete) && !last)) return ''
    this.#start = this.#told
    this.#told = this.#ids.length
    return now.slice(before.length)
  }

  #release(text: string, last: boolean): { text: string; stopped: boolean } {
    const all = this.#held + text
    const places = this.stops.map((stop) => all.indexOf(stop)).filter((place) => place >= 0)
    if (places.length > 0) {
      this.#held = ''
      return { text: all.slice(0, Math.min(...places)), stopped: true }
    }
    const kept = last ? 0 : Math.max(0, ...this.stops.map((stop) => overlap(all, stop)))
    this.#held = all.slice(all.length - kept)
    return { text: all.slice(0, all.length - kept), stopped: false }
  }
}

/** How many characters at the end of the text begin the stop text. */
function overlap(text: string, stop: string): number {
  let length = Math.min(text.length, stop.length - 1)
  while (length > 0 && !text.endsWith(stop.slice(0, length))) length--
  return length
}
