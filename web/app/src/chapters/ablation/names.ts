// What heads are called where a model has several stacks: 3.1, or decoder 1.2. Pure.
import { spotName, type HeadSpot } from '../../state/ablationView'

/** The heads of one kind of attention. */
export type GroupId = 'own' | 'encoder' | 'decoder' | 'cross'

/** A row of heads: an attention of the model, as `attentionNames` counts them. */
export interface HeadRow {
  group: GroupId
  /** In its stack, from 0. */
  layer: number
}

/** From its name: `blocks.3.attn`, `encoder.0.attn`, `decoder.1.attn`, `decoder.1.cross_attn`. */
export function rowOf(attention: string): HeadRow {
  const [stack, layer, kind] = attention.split('.')
  const decoder = kind === 'cross_attn' ? 'cross' : 'decoder'
  const group = stack === 'blocks' ? 'own' : stack === 'encoder' ? 'encoder' : decoder
  return { group, layer: Number(layer) }
}

type GroupWords = Readonly<Record<Exclude<GroupId, 'own'>, string>>

export function rowName({ group, layer }: HeadRow, words: GroupWords): string {
  return group === 'own' ? String(layer) : `${words[group]} ${String(layer)}`
}

export function headName(
  { layer, head }: HeadSpot,
  rows: readonly HeadRow[],
  words: GroupWords,
): string {
  const row = rows[layer]
  if (!row || row.group === 'own') return spotName({ layer, head })
  return `${words[row.group]} ${spotName({ layer: row.layer, head })}`
}
