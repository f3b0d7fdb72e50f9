// Everything chapter 3 derives from the view and the layer's numbers, in one place, and the fleeting
// things that are in neither: what is hovered, and how far a step has moved.
import type { Header } from '../../export/table'
import { largestKey, rowOf } from '../../figures/measures'
import { specialsOf } from '../../figures/tokens'
import { messages } from '../../i18n/messages.svelte'
import { reader } from '../../runtime/reading.svelte'
import { session } from '../../runtime/session.svelte'
import { subject } from '../../runtime/subject.svelte'
import { stageIds, type Cell, type StepsView } from '../../state/stepsView'
import { tinyShape } from '../../state/tinyCells'
import { clampToken } from '../../state/view'
import { change, linkTo, view, type Step } from '../../state/view.svelte'
import { headName } from '../look/facts'
import { differenceFor, numbersFor, type Wanted } from './loaded.svelte'
import { norm, norms } from './matrix'
import { equationOf, hasCell, matrixOf, resultOf, type Focus } from './stages'
import { sumOf, type Sum } from './sums'
import { tinyLabels } from './tiny'

/** The shape before the model has told it: that of the model this site ships. */
const expected = { layers: 6, heads: 12 }

export class StepsState {
  /** A cell under the crosshair. */
  hovered = $state.raw<Cell | null>(null)
  /** Where the player is while it moves; null at rest. */
  moving = $state<number | null>(null)

  readonly view: StepsView = $derived(view.current.steps)
  readonly tiny = $derived(this.view.layer === 'tiny')
  readonly reading = $derived(reader.of(subject.name))
  readonly layers = $derived(this.reading?.layers ?? expected.layers)
  readonly heads = $derived(this.tiny ? tinyShape.heads : (this.reading?.heads ?? expected.heads))
  readonly layer = $derived(Math.min(view.current.layer, this.layers - 1))
  readonly head = $derived(
    Math.min(this.tiny ? this.view.tinyHead : view.current.head, this.heads - 1),
  )
  readonly name = $derived(this.tiny ? String(this.head) : headName(this.layer, this.head))

  readonly tokens = $derived(this.reading?.tokens ?? [])
  readonly labels: readonly string[] = $derived(
    this.tiny ? tinyLabels : this.tokens.map((token) => token.label),
  )
  readonly specials = $derived(this.tiny ? [] : specialsOf(this.tokens))
  /** The query token. */
  readonly token = $derived(
    this.tiny
      ? this.view.tinyToken
      : this.reading
        ? clampToken(view.current.token, this.tokens.length)
        : view.current.token,
  )

  readonly wanted: Wanted | null = $derived.by(() => {
    const { head } = this
    const { causal, edits } = this.view
    if (this.tiny) return { kind: 'tiny', edits, head, causal }
    const { reading, layer } = this
    return reading ? { kind: 'model', reading, layer, head, causal } : null
  })
  readonly numbers = $derived(numbersFor(this.wanted))
  readonly difference = $derived(differenceFor(this.wanted))

  /** 0 to 5; the fraction is how much of the next matrix has been made. */
  readonly place = $derived(this.moving ?? stageIds.indexOf(this.view.stage))
  readonly stage = $derived(stageIds[Math.ceil(this.place)] ?? 'project')
  readonly made = $derived(Number.isInteger(this.place) ? 1 : this.place - Math.floor(this.place))

  readonly focus: Focus = $derived({
    stage: this.stage,
    part: this.view.part,
    whole: this.view.whole,
    head: this.head,
  })
  readonly items = $derived(this.numbers ? equationOf(this.numbers, this.focus) : [])
  readonly result = $derived(resultOf(this.focus))
  /** What is asked about: the crosshair, the fixed cell, or one of the token's row. */
  readonly cell: Cell = $derived.by(() => {
    const { numbers, focus } = this
    for (const cell of [this.hovered, this.view.cell]) {
      if (cell && numbers && hasCell(numbers, cell, focus)) return cell
    }
    return this.#usual()
  })
  readonly sum: Sum | null = $derived(
    this.numbers ? sumOf(this.numbers, this.cell, this.focus) : null,
  )

  /** The row of the query token in the opened head. */
  readonly row = $derived.by(() => {
    if (!this.numbers) return null
    const { tokens, pattern } = this.numbers
    const weights = pattern.subarray(this.head * tokens ** 2, (this.head + 1) * tokens ** 2)
    return rowOf({ layer: this.layer, head: this.head, size: tokens, weights }, this.token)
  })
  /** |alpha v W_O| for each key of that row. */
  readonly contributions = $derived.by(() => {
    if (!this.numbers || !this.row) return null
    const { tokens, valueNorms } = this.numbers
    return this.row.map((weight, key) => weight * (valueNorms[this.head * tokens + key] ?? NaN))
  })
  readonly key = $derived.by(() => {
    const { key } = view.current
    if (!this.tiny && key !== null && key < this.labels.length) return key
    return this.row ? largestKey(this.row, this.specials) : 0
  })

  /** What each head adds for the query token, how long it is, and the bias and their sum. */
  readonly adds = $derived.by(() => {
    if (!this.numbers) return null
    const { weights, parts, output } = this.numbers
    const { dModel, heads, outputBias } = weights
    const start = this.token * heads * dModel
    return {
      heads: norms(parts.subarray(start, start + heads * dModel), dModel),
      bias: outputBias ? norm(outputBias) : null,
      output: norm(output.subarray(this.token * dModel, (this.token + 1) * dModel)),
    }
  })

  #usual(): Cell {
    const { result, numbers } = this
    const row = this.token
    if (result === 'scores' || result === 'weights')
      return { matrix: result, row, column: this.key }
    const cut = result === 'concat' || (this.view.whole && this.stage === 'project')
    const headDim = numbers?.weights.headDim ?? 0
    return { matrix: result, row, column: cut ? this.head * headDim : 0 }
  }

  set(part: Partial<StepsView>, step: Step = 'push'): void {
    change({ steps: { ...view.current.steps, ...part } }, step)
  }

  /** The player moves through the steps; they are one step of the browser's history. */
  move(place: number, arrived: boolean): void {
    this.hovered = null
    this.moving = arrived ? null : place
    const stage = stageIds[Math.round(place)]
    if (arrived && stage && stage !== this.view.stage) this.set({ stage, cell: null }, 'replace')
  }

  chooseHead(head: number): void {
    if (this.tiny) this.set({ tinyHead: head, cell: null })
    else change({ head, key: null })
  }

  chooseToken(token: number): void {
    if (this.tiny) this.set({ tinyToken: token, cell: null })
    else change({ token, key: null, steps: { ...view.current.steps, cell: null } })
  }

  /** A key under the pointer beside the figure is pointed at in it, where the figure has it. */
  hoverKey(key: number | null): void {
    const { stage, token } = this
    const matrix = stage === 'scores' ? 'scores' : 'weights'
    this.hovered = key === null ? null : { matrix, row: token, column: key }
  }

  label(place: number): string {
    return this.labels[place] ?? ''
  }

  /** What a cell is called by the tokens of its row and column. */
  indexOf(cell: Cell): { row: string; column: string } {
    const item = this.items.find((each) => each.kind === 'matrix' && each.id === cell.matrix)
    const axes = item?.kind === 'matrix' ? item.axes : []
    const named = (axis: string | undefined, place: number) =>
      axis === 'tokens' ? this.label(place) : String(place)
    return { row: named(axes[0], cell.row), column: named(axes[1], cell.column) }
  }

  /** The first lines of every file. */
  header(): Header {
    const { current } = view
    const shared: Header = [
      ['causal', String(this.view.causal)],
      ['head', String(this.head)],
      ['query', `${String(this.token)} ${this.label(this.token)}`],
      ['headwise', `${session.info?.version ?? ''} (${session.info?.build ?? ''})`],
      ['link', linkTo(current)],
    ]
    const chapter: Header[number] = ['chapter', messages.frame.chapterNames.steps]
    if (this.tiny) return [chapter, ['layer', 'tiny'], ...shared]
    return [
      chapter,
      ['model', subject.label],
      ['text', this.reading?.text ?? current.text],
      ...(current.pair === '' ? [] : [['pair', current.pair] satisfies Header[number]]),
      ['layer', String(this.layer)],
      ...shared,
    ]
  }

  /** Every number of the equation on screen. */
  equationTable() {
    const { numbers, focus } = this
    const rows = numbers
      ? this.items.flatMap((item) => {
          if (item.kind !== 'matrix') return []
          const matrix = matrixOf(numbers, item.id, focus)
          return Array.from({ length: matrix.rows * matrix.columns }, (_, i) => {
            const [row, column] = [Math.floor(i / matrix.columns), i % matrix.columns]
            const at = this.indexOf({ matrix: item.id, row, column })
            return [item.id, row, at.row, column, at.column, matrix.at(row, column)]
          })
        })
      : []
    const columns = ['matrix', 'row', 'row_label', 'column', 'column_label', 'value']
    return { header: this.header(), columns, rows }
  }
}
