// The heads of encoder, decoder and cross-attention side by side. Pure.
import type { HeadImportance } from 'headwise'
import { isSure } from './compare'
import type { GroupId, HeadRow } from './names'

export interface GroupSummary {
  group: Exclude<GroupId, 'own'>
  heads: number
  /** Heads whose interval leaves 0 out. */
  sure: number
  /** Of the change of the loss. */
  mean: number
  /** Index of the head whose change is the largest, and the change. */
  largest: { index: number; change: number }
}

export const groupIds = ['encoder', 'decoder', 'cross'] as const

/** What leaving out one head costs in each kind of attention. */
export function groupsOf(ranks: HeadImportance, rows: readonly HeadRow[]): GroupSummary[] {
  const [, heads = 1] = ranks.change.dims
  const { data } = ranks.change
  return groupIds.map((group) => {
    const own = [...data.keys()].filter((index) => rows[Math.floor(index / heads)]?.group === group)
    const at = (index: number): number => data[index] ?? NaN
    const sure = own.filter((index) =>
      isSure({ low: ranks.low.data[index] ?? NaN, high: ranks.high.data[index] ?? NaN }),
    )
    const index = own.reduce((best, each) => (at(each) > at(best) ? each : best), own[0] ?? 0)
    return {
      group,
      heads: own.length,
      sure: sure.length,
      mean: own.reduce((sum, each) => sum + at(each), 0) / own.length,
      largest: { index, change: at(index) },
    }
  })
}
