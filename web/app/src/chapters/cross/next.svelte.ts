// The language model of chapter 12: what it writes behind the prompt, and what each token took.
import type { GeneratedPart } from 'headwise'
import type { Header } from '../../export/table'
import { whyModelMissing } from '../../frame/waiting'
import { messages } from '../../i18n/messages.svelte'
import { betweenParts, Computed } from '../../runtime/computed.svelte'
import { Framed } from '../../runtime/framed.svelte'
import { openModel, session, shipped, type ModelName } from '../../runtime/session.svelte'
import type { NextView } from '../../state/crossView'
import { change, linkTo, view, type Step } from '../../state/view.svelte'

export const novelist: ModelName = 'novels-lm'

/** Candidates of each token that are shown. */
export const shownTokens = 12

export interface Writing {
  /** Tokens of the prompt. */
  prompt: readonly string[]
  parts: readonly GeneratedPart[]
}

/** How long each token of a text took, with and without the cache: of the last run of each. */
export interface Times {
  /** What was written: times of different texts are not compared. */
  key: string
  kept: readonly number[]
  anew: readonly number[]
}

const writings = new Computed<Writing>()
const times = new Framed<Times>(betweenParts)

export class NextState {
  readonly view: NextView = $derived(view.current.cross.next)
  readonly model = shipped(novelist)
  /** What is written does not depend on the cache. */
  readonly #text = $derived(
    JSON.stringify([{ ...this.view, cache: true, at: null }, session.generation]),
  )
  readonly #key = $derived(`${this.#text} ${String(this.view.cache)}`)
  readonly writing = $derived(writings.partOf(this.#key) ?? writings.latest)
  readonly complete = $derived(writings.of(this.#key) !== null)
  readonly halted = $derived(writings.isHalted(this.#key))
  /** The model does not come; its own line says why. */
  readonly missing = $derived(whyModelMissing(novelist) !== null)
  readonly failure = $derived(this.missing ? null : writings.failureOf(this.#key))
  readonly parts = $derived(this.writing?.parts ?? [])
  /** The token that is looked at: the chosen one; while writing the newest. */
  readonly at = $derived(
    Math.max(0, Math.min(this.view.at ?? (this.complete ? 0 : Infinity), this.parts.length - 1)),
  )
  readonly times: Times | null = $derived(times.shown?.key === this.#text ? times.shown : null)

  set(part: Partial<NextView>, step: Step = 'push'): void {
    const { cross } = view.current
    change({ cross: { ...cross, next: { ...cross.next, ...part } } }, step)
  }

  /** Run it as an effect: writes whenever the prompt or what it is drawn with changes. */
  ask(): void {
    // Asked again when the reader has it loaded once more.
    if (this.missing) return
    const [wanted, text, key] = [this.view, this.#text, this.#key]
    void writings.ask(key, (signal, show) =>
      write(wanted, signal, (writing) => {
        show(writing)
        noteTimes(text, wanted.cache, writing.parts)
      }),
    )
  }

  /** The reader is content with what is written. */
  halt(): void {
    writings.halt(this.#key)
  }

  resume(): void {
    writings.resume()
  }

  stop(): void {
    writings.stop()
  }

  header(): Header {
    const { info } = session
    const { prompt, temperature, topK, topP, seed, cache } = this.view
    return [
      ['model', `${novelist} (${this.model.state.config?.dtype ?? ''})`],
      ['chapter', messages.frame.chapterNames.cross],
      ['prompt', prompt],
      ['text', this.parts.map((part) => part.text).join('')],
      ['temperature', String(temperature)],
      ['top-k', topK === null ? 'all' : String(topK)],
      ['top-p', String(topP)],
      ['seed', String(seed)],
      ['cache', cache ? 'on' : 'off'],
      ['headwise', `${info?.version ?? ''} (${info?.build ?? ''})`],
      ['link', linkTo(view.current)],
    ]
  }
}

function noteTimes(key: string, cache: boolean, parts: readonly GeneratedPart[]): void {
  const { newest } = times
  const before = newest?.key === key ? newest : { key, kept: [], anew: [] }
  const now = parts.map(({ milliseconds = NaN }) => milliseconds)
  times.show({ ...before, ...(cache ? { kept: now } : { anew: now }) })
}

async function write(
  { prompt, temperature, topK, topP, seed, length, cache }: NextView,
  signal: AbortSignal,
  show: (writing: Writing) => void,
): Promise<Writing> {
  const model = await openModel(novelist)
  const { tokens } = await model.tokenizer.encode(prompt, undefined, { signal })
  let writing: Writing = { prompt: tokens, parts: [] }
  const options = {
    maxTokens: length,
    temperature,
    ...(topK !== null && { topK }),
    topP,
    seed,
    cache,
    candidates: shownTokens,
    signal,
  }
  for await (const part of model.generate(prompt, options)) {
    writing = { ...writing, parts: [...writing.parts, part] }
    show(writing)
  }
  return writing
}
