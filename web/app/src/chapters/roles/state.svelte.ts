// Everything chapter 7 measures and shows. Results stay when the chapter is left and opened again.
import {
  roleExamples,
  type CoreferenceExample,
  type CoreferenceScores,
  type HeadMeasure,
  type HeadRoles,
  type RelationScores,
  type RoleDirection,
} from 'headwise'
import type { Header } from '../../export/table'
import { LongWork } from '../../runtime/long-work.svelte'
import { reader } from '../../runtime/reading.svelte'
import { messageOf, openModel, session } from '../../runtime/session.svelte'
import { subject } from '../../runtime/subject.svelte'
import type { RolesView } from '../../state/rolesView'
import { modelsOf } from '../../state/chapterModels'
import { clampToken } from '../../state/view'
import { change, linkTo, view, type Step } from '../../state/view.svelte'
import { badgesOf, headsWith, isMeasure, shapeOf, type Badge } from './badges'
import {
  fileBank,
  mostWordsWithExamples,
  ownBank,
  ownCoreference,
  textBank,
  type Bank,
} from './bank'
import { coreferenceLines, neighbourLines, relationLines, type ExampleLine } from './examples'

const rolesWork = new LongWork<HeadRoles>()
const coreferenceWork = new LongWork<CoreferenceScores>()

/** Files that were fetched or that the reader brought. */
class Shelf {
  own = $state.raw<Bank | null>(null)
  file = $state.raw<Bank | null>(null)
  pronouns = $state.raw<{ content: string; examples: readonly CoreferenceExample[] } | null>(null)
  failure = $state.raw<string | null>(null)
  #asked = false

  /** Fetches the lab's own sentences, once. */
  async fill(): Promise<void> {
    if (this.#asked) return
    this.#asked = true
    try {
      const [own, pronouns] = await Promise.all([ownBank(), ownCoreference()])
      Object.assign(this, { own, pronouns, failure: null })
    } catch (reason) {
      this.#asked = false
      this.failure = messageOf(reason)
    }
  }
}
const shelf = new Shelf()

const expected = { layers: 6, heads: 12 }

export class RolesState {
  readonly roles = rolesWork
  readonly coreference = coreferenceWork

  readonly view: RolesView = $derived(view.current.roles)
  readonly bank: Bank | null = $derived.by(() => {
    if (this.view.bank === 'own') return shelf.own
    return this.view.bank === 'file' ? shelf.file : textBank(view.current.text)
  })
  readonly pronouns = $derived(shelf.pronouns)
  /** Why a file could not be read, with its line. */
  fileFailure = $state.raw<string | null>(null)
  readonly failure = $derived(shelf.failure)
  readonly hasFile = $derived(shelf.file !== null)
  /** The fixed token of the reader's text. */
  readonly token = $derived(
    clampToken(view.current.token, reader.of(subject.name)?.tokens.length ?? 0),
  )

  readonly ready = $derived(subject.state.loaded.complete)
  /** Whether chapter 1, where a sentence can be looked at, takes the model. */
  readonly canLook = $derived(modelsOf('look').includes(subject.name))
  readonly key = $derived(
    this.bank
      ? `${subject.name} ${this.bank.id} ${this.bank.name} ${String(this.bank.content.length)} ${this.#textKey()} ${String(this.view.seed)}`
      : '',
  )
  readonly pronounKey = $derived(
    this.pronouns ? `${subject.name} pronouns ${String(this.view.seed)}` : '',
  )

  /** Results of what is on screen, whole or in part. */
  readonly shown: HeadRoles | null = $derived(rolesWork.key === this.key ? rolesWork.value : null)
  readonly whole: HeadRoles | null = $derived(rolesWork.complete ? this.shown : null)
  readonly scores: CoreferenceScores | null = $derived(
    coreferenceWork.key === this.pronounKey ? coreferenceWork.value : null,
  )

  readonly shape = $derived.by(() => {
    if (this.shown) return shapeOf(this.shown)
    const { config } = subject.state
    return config ? { layers: config.numLayers, heads: config.numHeads } : expected
  })
  readonly layer = $derived(Math.min(view.current.layer, this.shape.layers - 1))
  readonly head = $derived(Math.min(view.current.head, this.shape.heads - 1))
  readonly name = $derived(`${String(this.layer)}.${String(this.head)}`)
  readonly index = $derived(this.layer * this.shape.heads + this.head)

  readonly badges: readonly Badge[] = $derived(
    this.whole ? badgesOf(this.whole, coreferenceWork.complete ? this.scores : null) : [],
  )
  /** How many heads have no role. */
  readonly without = $derived(this.shape.layers * this.shape.heads - headsWith(this.badges))

  readonly direction: RoleDirection = $derived(
    this.view.upward ? 'dependent-to-head' : 'head-to-dependent',
  )
  readonly measure: HeadMeasure | null = $derived(isMeasure(this.view.role) ? this.view.role : null)
  /** The relation that is looked at; the first one where the address names none that there is. */
  readonly relation: RelationScores | null = $derived.by(() => {
    if (!this.shown || this.measure || this.view.role === 'coreference') return null
    const own = this.shown.relations.filter(({ direction }) => direction === this.direction)
    return own.find(({ relation }) => relation === this.view.role) ?? own[0] ?? null
  })

  /** Sentences for and against what is looked at; null where none are kept. */
  readonly examples: readonly ExampleLine[] | null = $derived.by(() => {
    const { bank, whole, scores, pronouns, index, shape } = this
    if (this.view.role === 'coreference') {
      if (!scores || !pronouns) return null
      return coreferenceLines(scores, pronouns.examples, index, shape.layers * shape.heads)
    }
    if (!bank || !whole?.predictions) return null
    const { measure, relation, layer, head } = this
    if (measure === 'previous' || measure === 'next') {
      return neighbourLines(whole, bank.sentences, measure === 'previous' ? -1 : 1, index)
    }
    if (!relation) return null
    const asked = { relation: relation.relation, direction: relation.direction, layer, head }
    return relationLines(
      roleExamples(whole, bank.sentences, asked).filter(
        ({ sentence }) => whole.half[sentence] === 2,
      ),
      bank.sentences,
    )
  })

  #textKey(): string {
    return this.view.bank === 'text' ? view.current.text : ''
  }

  set(part: Partial<RolesView>, step: Step = 'push'): void {
    change({ roles: { ...view.current.roles, ...part } }, step)
  }

  /** Opens a head at a role. */
  open({ role, upward, layer, head }: Pick<Badge, 'role' | 'upward' | 'layer' | 'head'>): void {
    change({ layer, head, roles: { ...view.current.roles, role, upward } })
  }

  async take(file: File): Promise<void> {
    try {
      shelf.file = await fileBank(file)
      this.fileFailure = null
      rolesWork.cancel()
      this.set({ bank: 'file' })
    } catch (reason) {
      this.fileFailure = `${file.name}: ${messageOf(reason)}`
    }
  }

  /** Fetches and measures what was not measured yet; run it as an effect. */
  ask(): void {
    void shelf.fill()
    if (!this.ready) return
    if (this.key !== '' && rolesWork.key !== this.key) this.measureRoles()
    if (this.pronounKey !== '' && coreferenceWork.key !== this.pronounKey) this.measurePronouns()
  }

  measureRoles(): void {
    const { bank, key } = this
    const { seed } = this.view
    if (!bank) return
    const { name } = subject
    const predictions = bank.labelled && bank.words <= mostWordsWithExamples
    void rolesWork.start(key, async (report) => {
      const model = await openModel(name)
      return model.headRoles(bank.sentences, { ...report, seed, predictions })
    })
  }

  measurePronouns(): void {
    const { pronouns, pronounKey } = this
    const { seed } = this.view
    if (!pronouns) return
    const { name } = subject
    void coreferenceWork.start(pronounKey, async (report) => {
      const model = await openModel(name)
      return model.coreference(pronouns.examples, { ...report, seed })
    })
  }

  /** Nobody waits any more: the chapter is left. */
  stop(): void {
    for (const work of [rolesWork, coreferenceWork]) {
      if (work.share === null) continue
      work.cancel()
      work.key = ''
    }
  }

  /** Shows a sentence in chapter 1, the dependent fixed, the head opened. */
  async look(text: string, at: number): Promise<void> {
    const model = await openModel(subject.name)
    const { spans } = await model.tokenizer.encode(text)
    const token = spans.findIndex((span) => span !== null && span[0] <= at && at < span[1])
    const { layer, head } = this
    change({ chapter: 'look', text, pair: '', layer, head, token: Math.max(0, token), key: null })
  }

  /** The first lines of every file. */
  header(): Header {
    return [
      ['model', subject.label],
      ['sentences', this.bank?.name ?? ''],
      [
        'measured',
        `${String(this.shown?.sentences.used ?? 0)} of ${String(this.bank?.sentences.length ?? 0)}`,
      ],
      ['seed', String(this.view.seed)],
      ['headwise', `${session.info?.version ?? ''} (${session.info?.build ?? ''})`],
      ['link', linkTo(view.current)],
    ]
  }
}
