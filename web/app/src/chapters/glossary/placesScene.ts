// Multi-head attention among its neighbours: a box for each, joined to the middle. Pure.
import { palettes, type Theme } from '../../figures/colour'
import type { Mark, Scene } from '../../figures/scene'
import { placeIds, type PlaceId } from '../../state/glossaryView'

export interface Frame {
  id: PlaceId
  x: number
  y: number
  width: number
  height: number
}

const boxHeight = 38
const rowGap = 22
/** Narrower figures have two columns in the order of the list. */
const wide = 620

const columns: readonly (readonly PlaceId[])[] = [
  ['recurrence', 'alignment', 'convolution', 'mixture'],
  ['transformer', 'multi-head', 'dot-product'],
  ['gqa', 'mqa', 'mla', 'flash'],
]
const middleRow: readonly PlaceId[] = ['self', 'cross']

/** Lines of what varies or computes it are solid, of what came before or stands beside are dashed. */
const dashed = new Set<PlaceId>(['alignment', 'recurrence', 'convolution', 'mixture'])

export function placeFrames(width: number): Frame[] {
  const frames = width < wide ? narrowFrames(width) : wideFrames(width)
  return frames.sort((a, b) => placeIds.indexOf(a.id) - placeIds.indexOf(b.id))
}

function wideFrames(width: number): Frame[] {
  const gap = Math.min(90, width * 0.1)
  const boxWidth = (width - 2 * gap) / 3
  const at = (column: number, row: number): Omit<Frame, 'id'> => ({
    x: column * (boxWidth + gap),
    y: 1 + row * (boxHeight + rowGap),
    width: boxWidth,
    height: boxHeight,
  })
  const halves = middleRow.map((id, place) => {
    const half = (boxWidth - 10) / 2
    const { x, y } = at(1, 3)
    return { id, x: x + place * (half + 10), y, width: half, height: boxHeight }
  })
  return [
    ...columns.flatMap((ids, column) => ids.map((id, row) => ({ id, ...at(column, row) }))),
    ...halves,
  ]
}

function narrowFrames(width: number): Frame[] {
  const gap = 12
  const boxWidth = (width - gap) / 2
  const [first, ...others] = placeIds
  return [
    { id: first, x: 0, y: 1, width, height: boxHeight },
    ...others.map((id, place) => ({
      id,
      x: (place % 2) * (boxWidth + gap),
      y: 1 + (1 + Math.floor(place / 2)) * (boxHeight + 12),
      width: boxWidth,
      height: boxHeight,
    })),
  ]
}

export function placesScene(
  names: Record<PlaceId, string>,
  chosen: PlaceId,
  width: number,
  title: string,
  theme: Theme,
): Scene {
  const palette = palettes[theme]
  const frames = placeFrames(width)
  const middle = frames.find(({ id }) => id === 'multi-head')
  const lines = frames.flatMap((frame): Mark[] => {
    if (!middle || frame === middle || width < wide) return []
    return [
      {
        kind: 'line',
        points: [centreOf(middle), centreOf(frame)],
        stroke: frame.id === chosen ? palette.accent : palette.strong,
        strokeWidth: frame.id === chosen ? 2.5 : 1,
        ...(dashed.has(frame.id) && { dash: [4, 4] }),
      },
    ]
  })
  const boxes = frames.flatMap((frame): Mark[] => {
    const { id, x, y, height } = frame
    const isChosen = id === chosen
    const isMiddle = id === 'multi-head'
    return [
      {
        kind: 'rect',
        x: x + 1,
        y,
        width: frame.width - 2,
        height,
        fill: isMiddle ? palette.accent : palette.background,
        stroke: isChosen ? palette.query : palette.strong,
        strokeWidth: isChosen ? 2.5 : 1,
        radius: 8,
      },
      {
        kind: 'text',
        x: x + frame.width / 2,
        y: y + height / 2 + 4.5,
        text: names[id],
        size: frame.width < 150 ? 11.5 : 13,
        fill: isMiddle ? palette.background : palette.ink,
        anchor: 'middle',
        bold: isMiddle || isChosen,
      },
    ]
  })
  const height = Math.max(...frames.map(({ y, height: high }) => y + high)) + 2
  return { width, height, background: palette.background, title, marks: [...lines, ...boxes] }
}

function centreOf({ x, y, width, height }: Frame): readonly [number, number] {
  return [x + width / 2, y + height / 2]
}
