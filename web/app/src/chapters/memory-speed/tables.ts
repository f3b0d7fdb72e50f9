// The figures of chapter 11 as data.
import { version, type TileTrace } from 'headwise'
import type { DataTable, Header } from '../../export/table'
import { messages } from '../../i18n/messages.svelte'
import { linkTo, view } from '../../state/view.svelte'
import { movedBytes, rowStep, type Tile } from './tiles'

/** One line for each row of each step. */
export function traceTable(
  header: Header,
  trace: TileTrace,
  tiles: readonly Tile[],
  tokens: readonly string[],
): DataTable {
  const moved = movedBytes(trace, tiles)
  const rows = tiles.flatMap((tile, place) =>
    Array.from({ length: tile.lastQuery - tile.firstQuery }, (_, step) => {
      const query = tile.firstQuery + step
      const { after, rescale } = rowStep(trace, query, tile)
      return [
        place + 1,
        query,
        tokens[query] ?? '',
        tile.firstKey,
        tile.lastKey - 1,
        after.maximum,
        rescale,
        after.sum,
        moved[place + 1] ?? NaN,
      ]
    }),
  )
  return {
    header,
    columns: [
      'step',
      'query_index',
      'query',
      'first_key',
      'last_key',
      'maximum',
      'rescale',
      'sum',
      'bytes_moved',
    ],
    rows,
  }
}

/** The first lines of a file of measurements. */
export function measuredHeader(more: Header): Header {
  return [
    ['chapter', messages.frame.chapterNames.speed],
    ...more,
    ['headwise', version],
    ['link', linkTo(view.current)],
  ]
}
