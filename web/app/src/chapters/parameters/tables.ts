// The figures of chapter 5 as data. Pure.
import type { DataTable, Header } from '../../export/table'
import { kindOf, type Cost, type Shape } from './counts'

const columns = [
  'd_model',
  'heads',
  'kv_heads',
  'd_k',
  'kind',
  'weights',
  'biases',
  'parameters',
  'multiplications_per_token',
  'multiplications_per_pair',
  'cached_numbers_per_token',
] as const

/** One line for each shape. */
export function costTable(
  header: Header,
  lines: readonly { shape: Shape; cost: Cost }[],
): DataTable {
  return {
    header,
    columns,
    rows: lines.map(({ shape, cost }) => [
      shape.dModel,
      shape.heads,
      shape.kvHeads,
      shape.headDim,
      kindOf(shape),
      cost.weights,
      cost.biases,
      cost.total,
      cost.multiplications,
      cost.perKey,
      cost.cache,
    ]),
  }
}

/** One line for each matrix. */
export function matrixTable(header: Header, cost: Cost): DataTable {
  return {
    header,
    columns: ['matrix', 'inputs', 'outputs', 'slices', 'weights'],
    rows: cost.matrices.map(({ id, inputs, outputs, slices, weights }) => [
      id,
      inputs,
      outputs,
      slices,
      weights,
    ]),
  }
}
