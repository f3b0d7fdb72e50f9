// Everything the translation of chapter 12 derives from the view and the translator, in one place.
import type { Header } from '../../export/table'
import type { Token } from '../../figures/tokens'
import { whyModelMissing } from '../../frame/waiting'
import { messages } from '../../i18n/messages.svelte'
import { Computed } from '../../runtime/computed.svelte'
import { openModel, session, shipped, type ModelName } from '../../runtime/session.svelte'
import { wasTyped } from '../../state/typing'
import { change, linkTo, view, type Step as HistoryStep } from '../../state/view.svelte'
import { choose, type CrossView } from '../../state/crossView'
import {
  align,
  isPunctuation,
  meanOf,
  mergePieces,
  wordsOf,
  type Join,
  type Weights,
  type Words,
} from './alignment'
import {
  decodeGreedy,
  idsOf,
  searchBeams,
  takenOf,
  type Hypothesis,
  type Next,
  type Step,
} from './decoding'
import { isSpecialPiece, labelOf, textOf } from '../../figures/pieces'
import {
  endsOf,
  mapsOf,
  nextFor,
  sourceOf,
  type Maps,
  type PlaceId,
  type Source,
} from './translator'

export const translator: ModelName = 'translate-en-fr'

export interface Translation {
  source: Source
  steps: readonly Step[]
  /** Whether the last step is there. */
  complete: boolean
  /** What the beams came to, best first; null for greedy decoding. */
  beams: readonly Hypothesis[] | null
  /** Null while the text is not complete. */
  maps: Maps | null
}

/** What was asked of the model for one sentence: chapters open again, and links go back. */
let asked: { model: unknown; source: Source; next: Next } | null = null
const answers = new Computed<Translation>()

export class CrossState {
  /** A row and a column under the pointer, in one of the maps. */
  hovered = $state.raw<{ place: PlaceId; row: number; column: number } | null>(null)

  readonly view: CrossView = $derived(view.current.cross)
  readonly model = shipped(translator)
  readonly #key = $derived(
    JSON.stringify([view.current.text, this.view.choices, this.view.beams, session.generation]),
  )
  /** What is being written, as far as it is there; else the translation before. */
  readonly draft: Translation | null = $derived(answers.partOf(this.#key) ?? answers.latest)
  /** What the maps are of: the newest translation that is complete. */
  readonly translation: Translation | null = $derived(answers.of(this.#key) ?? answers.latest)
  /** Whether what is on screen is the answer to what is asked. */
  readonly current = $derived(answers.of(this.#key) !== null)
  /** Why there is nothing to show; null while something is on its way. */
  readonly failure = $derived(whyModelMissing(translator) ?? answers.failureOf(this.#key))
  readonly halted = $derived(answers.isHalted(this.#key))
  readonly writing = $derived(!this.current && !this.halted && this.failure === null)
  /** A newer text is on its way, and shown are the words of the one before. */
  readonly stale = $derived(this.translation !== null && !this.current && this.failure === null)

  readonly source = $derived(this.translation?.source ?? null)
  readonly steps = $derived(this.translation?.steps ?? [])
  readonly maps = $derived(this.translation?.maps ?? null)
  /** Tokens of the sentence, as the text bar shows them. */
  readonly tokens: readonly Token[] = $derived(this.draft ? tokensOf(this.draft.source) : [])
  readonly english: readonly string[] = $derived(this.source?.tokens.map(labelOf) ?? [])
  readonly french: readonly string[] = $derived(this.steps.map(labelOfStep))
  readonly draftSteps = $derived(this.draft?.steps ?? [])
  readonly draftFrench: readonly string[] = $derived(this.draftSteps.map(labelOfStep))

  /** Whether the text came to as many tokens as may be, and not to its end token. */
  readonly cut = $derived.by(() => {
    const last = this.draftSteps.at(-1)
    const end = this.model.state.config?.generation?.endIds ?? []
    return this.draft?.complete === true && last !== undefined && !end.includes(takenOf(last).id)
  })

  /** The step that is looked at. */
  readonly step = $derived(
    this.view.step === null
      ? this.#surestStep()
      : Math.max(0, Math.min(this.view.step, this.steps.length - 1)),
  )
  /** The same in what is being written: the newest one while it goes on. */
  readonly draftStep = $derived(
    this.draft === this.translation
      ? this.step
      : Math.max(0, Math.min(this.view.step ?? Infinity, this.draftSteps.length - 1)),
  )
  /** Steps from here on come after the one that is looked at; none while nobody goes through them. */
  readonly later = $derived(this.view.step === null ? this.steps.length : this.step + 1)
  readonly token = $derived(Math.max(0, Math.min(this.view.token, this.english.length - 1)))
  readonly layers = $derived(this.maps?.cross.length ?? this.model.state.config?.decoderLayers ?? 1)
  readonly heads = $derived(this.maps?.cross[0]?.length ?? this.model.state.config?.numHeads ?? 1)
  readonly layer = $derived(Math.min(this.view.layer, this.layers - 1))
  readonly head = $derived(Math.min(this.view.head, this.heads - 1))
  readonly name = $derived(`${String(this.layer)}.${String(this.head)}`)

  readonly sourceWords: Words | null = $derived(
    this.source ? wordsOf(this.source.tokens, isSpecialPiece) : null,
  )
  readonly writtenWords: Words = $derived(
    wordsOf(
      this.steps.map((step) => takenOf(step).token),
      isSpecialPiece,
    ),
  )
  /** Weights between words of the chosen heads, from French to English. */
  readonly joining: Weights | null = $derived.by(() => {
    const maps = this.#joiningMaps()
    if (!maps || !this.sourceWords) return null
    return mergePieces(meanOf(maps), this.writtenWords, this.sourceWords)
  })
  readonly joins: readonly Join[] = $derived(
    this.joining && this.sourceWords
      ? align(this.joining, this.writtenWords, this.sourceWords)
      : [],
  )
  /** What every single head joins, by layer and head. */
  readonly everyJoin: readonly (readonly (readonly Join[])[])[] = $derived.by(() => {
    const { maps, sourceWords, writtenWords } = this
    if (!maps || !sourceWords) return []
    return maps.cross.map((heads) =>
      heads.map((map) =>
        align(mergePieces(map, writtenWords, sourceWords), writtenWords, sourceWords),
      ),
    )
  })

  /** The step that writes the word which the head joins with the most weight: worth a first look. */
  #surestStep(): number {
    const { sourceWords, writtenWords } = this
    const map = this.mapOf('cross')
    if (!map || !sourceWords) return 0
    const joins = align(mergePieces(map, writtenWords, sourceWords), writtenWords, sourceWords)
    const words = joins.filter(({ row }) => !isPunctuation(writtenWords.labels[row] ?? ''))
    const [surest] = words.toSorted((a, b) => b.weight - a.weight)
    return surest ? writtenWords.of.indexOf(surest.row) : 0
  }

  #joiningMaps(): readonly Weights[] | null {
    const { maps, layer, head } = this
    if (!maps) return null
    if (this.view.join === 'all') return maps.cross.flat()
    const ofLayer = maps.cross[layer] ?? []
    return this.view.join === 'layer' ? ofLayer : ofLayer.slice(head, head + 1)
  }

  /** Steps as a text: pieces without a mark go on with the word before. */
  textOf(steps: readonly Step[]): string {
    return textOf(steps.map((step) => takenOf(step).token))
  }

  /** One of the three maps of the chosen layer and head. */
  mapOf(place: PlaceId): Weights | null {
    const layers = this.maps?.[place] ?? []
    return layers[Math.min(this.layer, layers.length - 1)]?.[this.head] ?? null
  }

  set(part: Partial<CrossView>, step: HistoryStep = 'push'): void {
    change({ cross: { ...view.current.cross, ...part } }, step)
  }

  /** Writes another token in place of one that was written, and goes on behind it. */
  take(step: number, id: number): void {
    this.set({ choices: choose(this.view.choices, { step, id }), step })
  }

  /** Run it as an effect: asks whenever the text, the choices or the way of decoding change. */
  ask(): void {
    const { text } = view.current
    const { choices, beams } = this.view
    // Choices belong to the sentence they were made in.
    if (choices.length > 0 && wasTyped(text) && this.source !== null && this.source.text !== text) {
      this.set({ choices: [], step: null }, 'replace')
      return
    }
    // Asked again when the reader has it loaded once more.
    if (whyModelMissing(translator) !== null) return
    void answers.ask(this.#key, (signal, show) => translate(text, choices, beams, signal, show))
  }

  stop(): void {
    answers.stop()
  }

  /** The reader is content with what is written. */
  halt(): void {
    answers.halt(this.#key)
  }

  resume(): void {
    answers.resume()
  }

  header(): Header {
    const { info } = session
    return [
      ['model', `${translator} (${this.model.state.config?.dtype ?? ''})`],
      ['chapter', messages.frame.chapterNames.cross],
      ['text', this.source?.text ?? ''],
      ['translation', this.textOf(this.steps)],
      ['layer', String(this.layer)],
      ['head', String(this.head)],
      ['headwise', `${info?.version ?? ''} (${info?.build ?? ''})`],
      ['link', linkTo(view.current)],
    ]
  }
}

const labelOfStep = (step: Step): string => labelOf(takenOf(step).token)

/** The sentence as the text bar has it. */
function tokensOf({ tokens, spans }: Source): Token[] {
  const words = wordsOf(tokens, isSpecialPiece)
  return tokens.map((text, place) => ({
    text,
    label: labelOf(text),
    special: (spans[place] ?? null) === null,
    unknown: text === '<unk>',
    span: spans[place] ?? null,
    textIndex: 0,
    continues: place > 0 && words.of[place] === words.of[place - 1],
  }))
}

async function translate(
  text: string,
  choices: CrossView['choices'],
  width: number,
  signal: AbortSignal,
  show: (part: Translation) => void,
): Promise<Translation> {
  const model = await openModel(translator)
  signal.throwIfAborted()
  if (asked?.model !== model || asked.source.text !== text) {
    const source = await sourceOf(model, text, signal)
    asked = { model, source, next: nextFor(model, source) }
  }
  const { source, next } = asked
  const ends = endsOf(model, source)
  const part = { source, complete: false, beams: null, maps: null }
  let steps = await decodeGreedy(next, ends, choices, signal, (before) => {
    show({ ...part, steps: before })
  })
  let beams: Hypothesis[] | null = null
  if (width > 1) {
    const fixed = Math.max(0, ...choices.map(({ step }) => step + 1))
    beams = await searchBeams(next, ends, width, steps.slice(0, fixed), signal)
    steps = beams[0]?.steps ?? steps
  }
  const maps = await mapsOf(model, source, idsOf(steps), signal)
  return { source, steps, complete: true, beams, maps }
}
