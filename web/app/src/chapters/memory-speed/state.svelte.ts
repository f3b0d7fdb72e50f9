// Everything that the stepper of chapter 11 derives from the reading, the trace and the view, in one
// place, and how it changes the view.
import { rowOf } from '../../figures/measures'
import { headOf, reader, type Reading } from '../../runtime/reading.svelte'
import { session } from '../../runtime/session.svelte'
import { subject } from '../../runtime/subject.svelte'
import type { Header } from '../../export/table'
import type { SpeedView } from '../../state/speedView'
import { clampToken } from '../../state/view'
import { change, linkTo, view, type Step } from '../../state/view.svelte'
import { version } from 'headwise'
import {
  largestDifference,
  movedBytes,
  nearestSize,
  rowStep,
  tilesOf,
  tileSizes,
  type RowStep,
  type Tile,
  type Tiling,
} from './tiles'
import { traced, type HeadTrace } from './trace.svelte'

/** The model's shape before it has told it. */
const expected = { layers: 6, heads: 12 }

export class TilesState {
  readonly view: SpeedView = $derived(view.current.speed)
  readonly reading: Reading | null = $derived(reader.of(subject.name))
  readonly layers = $derived(this.reading?.layers ?? expected.layers)
  readonly heads = $derived(this.reading?.heads ?? expected.heads)
  readonly layer = $derived(Math.min(view.current.layer, this.layers - 1))
  readonly head = $derived(Math.min(view.current.head, this.heads - 1))
  readonly name = $derived(`${String(this.layer)}.${String(this.head)}`)

  readonly tokens = $derived(this.reading?.tokens ?? [])
  readonly labels = $derived(this.tokens.map((token) => token.label))
  readonly fixed = $derived(
    this.reading ? clampToken(view.current.token, this.tokens.length) : view.current.token,
  )
  /** What the fixed token's row gives to each token, shown under the tokens. */
  readonly shade = $derived.by(() => {
    const map = this.reading ? headOf(this.reading, this.layer, this.head) : null
    return map ? { head: this.name, weights: rowOf(map, this.fixed) } : null
  })

  readonly sizes = $derived(tileSizes(Math.max(1, this.tokens.length)))
  // One by one, so that a step forward does not look like other tiles.
  readonly queryTile = $derived(nearestSize(this.sizes, this.view.queryTile))
  readonly keyTile = $derived(nearestSize(this.sizes, this.view.keyTile))
  readonly causal = $derived(this.view.causal)
  /** What is traced: the sizes of the view as far as this text can be cut so. */
  readonly tiling: Tiling | null = $derived.by(() => {
    const { queryTile, keyTile, causal } = this
    const length = this.tokens.length
    return length === 0 ? null : { queries: length, keys: length, queryTile, keyTile, causal }
  })

  /** The trace of what is on screen, or of what was before it. */
  readonly traced: HeadTrace | null = $derived(traced.current)
  /** Whether the trace is of the text and the head that are chosen now. */
  readonly isSameHead = $derived(
    this.traced !== null &&
      this.traced.ids === this.reading?.ids &&
      this.traced.layer === this.layer &&
      this.traced.head === this.head,
  )
  /** Whether it is of the tiles that are chosen now too. */
  readonly isCurrent = $derived(this.isSameHead && this.traced?.tiling === this.tiling)
  readonly tiles: readonly Tile[] = $derived(this.traced ? tilesOf(this.traced.tiling) : [])
  /** All tiles there are, those that the mask skips among them. */
  readonly allTiles = $derived(this.traced ? this.traced.trace.moved.data.length : 0)
  readonly step = $derived(Math.min(this.view.step, this.tiles.length))
  readonly tile: Tile | null = $derived(this.tiles[this.step - 1] ?? null)
  /** The row that is worked out in numbers: the fixed one where the tile has it. */
  readonly row = $derived.by(() => {
    const { tile, fixed } = this
    if (!tile || (fixed >= tile.firstQuery && fixed < tile.lastQuery)) return fixed
    return tile.firstQuery
  })
  readonly rowStep: RowStep | null = $derived(
    this.traced && this.tile ? rowStep(this.traced.trace, this.row, this.tile) : null,
  )
  /** Whether the row on screen has met all its keys. */
  readonly rowDone = $derived(this.tile !== null && this.tiles[this.step]?.row !== this.tile.row)
  readonly moved = $derived(this.traced ? movedBytes(this.traced.trace, this.tiles) : [0])
  readonly difference = $derived(
    this.traced ? largestDifference(this.traced.trace.output.data, this.traced.output) : null,
  )

  set(part: Partial<SpeedView>, step: Step = 'push'): void {
    change({ speed: { ...view.current.speed, ...part } }, step)
  }

  goTo(step: number): void {
    this.set({ step: Math.max(0, Math.min(step, this.tiles.length)) }, 'replace')
  }

  label(place: number): string {
    return this.labels[place] ?? ''
  }

  /** The first lines of every file. */
  header(): Header {
    const { current } = view
    const tiling = this.traced?.tiling ?? this.tiling
    return [
      ['model', subject.label],
      ['text', this.reading?.text ?? current.text],
      ['layer', String(this.layer)],
      ['head', String(this.head)],
      ['query_tile', String(tiling?.queryTile ?? '')],
      ['key_tile', String(tiling?.keyTile ?? '')],
      ['causal', String(tiling?.causal ?? false)],
      ['headwise', `${version} (${session.info?.build ?? ''})`],
      ['link', linkTo(current)],
    ]
  }
}
