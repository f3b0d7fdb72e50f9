// Where attention by tiles stands: which tile of Q, K, V and O is near, which scores exist at this
// moment, which were there and are gone. Pure.
import { palettes, rampOf, rampStep, type Theme } from '../../figures/colour'
import { mapLabel } from '../../figures/mapLayout'
import {
  roughWidth,
  type Mark,
  type RectMark,
  type Scene,
  type TextMark,
} from '../../figures/scene'
import type { Tile, Tiling } from './tiles'

export interface TilesPicture {
  tiling: Tiling
  tiles: readonly Tile[]
  /** Tiles worked through; the last of them is the one on screen. */
  step: number
  labels: readonly string[]
  /** The row whose arithmetic stands beside the picture. */
  query: number
  /** [Sq, Skv], 0 to 1. */
  exponentials: Float32Array
  title: string
}

export interface TilesLayout {
  width: number
  height: number
  /** Upper left corner of the scores. */
  left: number
  top: number
  /** Side of one score. */
  cell: number
  /** Whether rows and columns have room for their tokens. */
  named: boolean
}

/** Thickness of the strips that stand for Q, K, V and O. */
const strip = 15
const gap = 5
const labelSize = 12
const largestCell = 26
const smallestNamedCell = 13

export function layoutTiles(picture: TilesPicture, width: number): TilesLayout {
  const { queries, keys } = picture.tiling
  const longest = Math.max(...picture.labels.map((each) => roughWidth(mapLabel(each), labelSize)))
  const names = Math.ceil(longest) + 8
  const strips = 2 * (strip + gap)
  const roomNamed = (width - names - strips) / keys
  const named = roomNamed >= smallestNamedCell
  const left = (named ? names : 0) + strip + gap
  const cell = Math.min(largestCell, (width - left - strip - gap) / keys)
  const top = 2 * strip + 2 * gap + 2
  return { width, height: Math.ceil(top + cell * queries + labelSize + 6), left, top, cell, named }
}

export function tilesScene(picture: TilesPicture, layout: TilesLayout, theme: Theme): Scene {
  return {
    width: layout.width,
    height: layout.height,
    background: palettes[theme].background,
    title: picture.title,
    marks: [
      ...strips(picture, layout, theme),
      ...tileMarks(picture, layout, theme),
      ...currentCells(picture, layout, theme),
      ...names(picture, layout, theme),
    ],
  }
}

const current = ({ tiles, step }: TilesPicture): Tile | undefined => tiles[step - 1]

interface Look {
  fill: string
  stroke: string
}

/** Near: filled and outlined. Otherwise only an outline. */
function look(near: boolean, theme: Theme): Look {
  const { accent, line } = palettes[theme]
  return { fill: near ? accent : 'none', stroke: near ? accent : line }
}

function spans(length: number, size: number): [first: number, last: number][] {
  const count = Math.ceil(length / size)
  return Array.from({ length: count }, (_, i) => [i * size, Math.min((i + 1) * size, length)])
}

/** Q left, O right, K and V on top, cut into tiles; those that are near are filled. */
function strips(picture: TilesPicture, layout: TilesLayout, theme: Theme): Mark[] {
  const { tiling } = picture
  const { left, top, cell } = layout
  const now = current(picture)
  const right = left + tiling.keys * cell
  const rows = spans(tiling.queries, tiling.queryTile).flatMap(([first, last], row) => {
    const y = top + first * cell
    const height = (last - first) * cell - 1
    const near = row === now?.row
    return [
      bar(left - gap - strip, y, strip, height, look(near, theme)),
      bar(right + gap, y, strip, height, outputLook(picture, row, theme)),
    ]
  })
  const columns = spans(tiling.keys, tiling.keyTile).flatMap(([first, last], column) => {
    const x = left + first * cell
    const width = (last - first) * cell - 1
    const each = look(column === now?.column, theme)
    return [
      bar(x, top - gap - strip, width, strip, each),
      bar(x, top - 2 * (gap + strip), width, strip, each),
    ]
  })
  const nameOf = (text: string, x: number, y: number): TextMark => {
    return { kind: 'text', x, y, text, size: 11, fill: palettes[theme].muted, anchor: 'middle' }
  }
  const middle = strip / 2
  const bottom = top + tiling.queries * cell + labelSize
  return [
    ...rows,
    ...columns,
    nameOf('Q', left - gap - middle, bottom),
    nameOf('O', right + gap + middle, bottom),
    nameOf('K', right + gap + middle, top - 2 * (gap + strip) + 11.5),
    nameOf('V', right + gap + middle, top - gap - strip + 11.5),
  ]
}

function bar(
  x: number,
  y: number,
  width: number,
  height: number,
  { fill, stroke }: Look,
): RectMark {
  return {
    kind: 'rect',
    x: x + 0.5,
    y: y + 0.5,
    width: Math.max(0.5, width),
    height: Math.max(0.5, height),
    fill,
    stroke,
    strokeWidth: 1,
    radius: 2,
  }
}

/** Stored where all keys have passed, near while they pass. */
function outputLook(picture: TilesPicture, row: number, theme: Theme): Look {
  const now = current(picture)
  const next = picture.tiles[picture.step]
  const stored = now !== undefined && (row < now.row || (row === now.row && next?.row !== row))
  const colour = rampOf(theme, 'contribution').css[170] ?? 'none'
  if (stored) return { fill: colour, stroke: colour }
  return look(row === now?.row, theme)
}

/** Up to so many tiles each one that is gone has its own sign. */
const mostSigns = 150

/**
 * Lines between the tiles, and a pale fill where scores were and are gone: by rows of tiles, not tile
 * by tile, so that a step redraws little however many there are.
 */
function tileMarks(picture: TilesPicture, layout: TilesLayout, theme: Theme): Mark[] {
  const { tiles, step } = picture
  const { muted } = palettes[theme]
  const pale = rampOf(theme, 'weight').css[22] ?? 'none'
  const gone = new Map<number, Tile>()
  for (const tile of tiles.slice(0, Math.max(0, step - 1))) {
    const before = gone.get(tile.row)
    gone.set(tile.row, { ...tile, firstKey: before?.firstKey ?? tile.firstKey })
  }
  const fills = Array.from(gone.values(), (tile): RectMark => {
    return { kind: 'rect', ...boxOf(tile, layout), fill: pale, radius: 2 }
  })
  const signs =
    tiles.length > mostSigns
      ? []
      : tiles.slice(0, Math.max(0, step - 1)).flatMap((tile) => {
          const { x, y, width, height } = boxOf(tile, layout)
          return Math.min(width, height) < 14 ? [] : [dash(x + width / 2, y + height / 2, muted)]
        })
  return [...fills, ...grid(picture, layout, theme), ...signs]
}

/** A frame around every row of tiles, and a line behind every column. */
function grid({ tiles }: TilesPicture, layout: TilesLayout, theme: Theme): RectMark[] {
  const { line } = palettes[theme]
  const rows = new Map<number, Tile>()
  const columns = new Map<number, Tile>()
  for (const tile of tiles) {
    rows.set(tile.row, { ...tile, firstKey: 0 })
    const above = columns.get(tile.column)
    columns.set(tile.column, { ...tile, firstQuery: above?.firstQuery ?? tile.firstQuery })
  }
  const frames = Array.from(rows.values(), (tile): RectMark => {
    const shape = { kind: 'rect', ...boxOf(tile, layout), fill: 'none', stroke: line } as const
    return { ...shape, strokeWidth: 1, radius: 2 }
  })
  const lines = Array.from(columns.values(), (tile): RectMark => {
    const { x, y, width, height } = boxOf(tile, layout)
    return { kind: 'rect', x: x + width, y, width: 1, height, fill: line }
  })
  return [...frames, ...lines]
}

/** The sign for "was here": a short line, so that colour is not alone in saying it. */
function dash(x: number, y: number, fill: string): RectMark {
  return { kind: 'rect', x: x - 4, y: y - 0.75, width: 8, height: 1.5, fill, opacity: 0.7 }
}

function boxOf(tile: Tile, { left, top, cell }: TilesLayout) {
  return {
    x: left + tile.firstKey * cell + 0.5,
    y: top + tile.firstQuery * cell + 0.5,
    width: (tile.lastKey - tile.firstKey) * cell - 1,
    height: (tile.lastQuery - tile.firstQuery) * cell - 1,
  }
}

/** The scores that exist now, as exponentials. Too small to be seen one by one, they are one box. */
function currentCells(picture: TilesPicture, layout: TilesLayout, theme: Theme): Mark[] {
  const tile = current(picture)
  if (!tile) return []
  const { accent } = palettes[theme]
  const frame: RectMark = {
    ...{ kind: 'rect', ...boxOf(tile, layout), fill: 'none', stroke: accent, strokeWidth: 2.5 },
    radius: 2,
  }
  if (layout.cell < 4) return [{ ...frame, fill: rampOf(theme, 'weight').css[120] ?? 'none' }]
  const marks: Mark[] = []
  for (let query = tile.firstQuery; query < tile.lastQuery; query++) {
    for (let key = tile.firstKey; key < tile.lastKey; key++) {
      marks.push(...cellMarks(picture, layout, query, key, theme))
    }
  }
  return [...marks, frame]
}

function cellMarks(
  { exponentials, tiling }: TilesPicture,
  { left, top, cell }: TilesLayout,
  query: number,
  key: number,
  theme: Theme,
): Mark[] {
  const ramp = rampOf(theme, 'weight')
  const value = exponentials[query * tiling.keys + key] ?? 0
  const step = rampStep(value, 1)
  const [x, y] = [left + key * cell, top + query * cell]
  const side = cell - (cell >= 10 ? 1.5 : 0.5)
  const rect: RectMark = {
    ...{ kind: 'rect', x: x + 0.75, y: y + 0.75, width: side, height: side },
    fill: ramp.css[step] ?? 'none',
  }
  if (cell < 22 || value < 0.005) return [rect]
  const text = value >= 0.995 ? '1' : value.toFixed(2).replace(/^0/, '')
  const middle = cell / 2
  return [
    rect,
    {
      ...{ kind: 'text', x: x + middle, y: y + middle + 3.4, text, size: 9.5 },
      fill: ramp.ink[step] ?? 'none',
      anchor: 'middle',
    },
  ]
}

/** The tokens of the rows, the one that is worked out in numbers among them. */
function names(picture: TilesPicture, layout: TilesLayout, theme: Theme): TextMark[] {
  if (!layout.named) return []
  const { muted, query } = palettes[theme]
  return picture.labels.map((label, place) => ({
    kind: 'text',
    x: layout.left - strip - 2 * gap,
    y: layout.top + place * layout.cell + layout.cell / 2 + 4,
    text: mapLabel(label),
    size: labelSize,
    fill: place === picture.query ? query : muted,
    bold: place === picture.query,
    anchor: 'end',
  }))
}
