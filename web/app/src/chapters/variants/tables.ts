// The figures of chapter 10 as data. Pure.
import type { DataTable, Header } from '../../export/table'
import type { HeadWeights } from '../../figures/measures'
import { cacheBytes, nameOf } from './prices'
import type { Line } from './state.svelte'

/** One line for each variant. */
export function pricesTable(
  header: Header,
  lines: readonly Line[],
  heads: number,
  layers: number,
  context: number,
): DataTable {
  return {
    header,
    columns: [
      'kind',
      'kv_heads',
      'latent',
      'parameters',
      'cached_numbers_per_token',
      'flops_per_token',
      'cache_bytes_of_the_model',
      'relative_error',
    ],
    rows: lines.map(({ variant, price, error }) => [
      nameOf(variant, heads),
      variant.kind === 'grouped' ? variant.kvHeads : NaN,
      variant.kind === 'latent' ? variant.rank : NaN,
      price.parameters,
      price.cached,
      price.flops,
      cacheBytes(price.cached, layers, context),
      error,
    ]),
  }
}

/** One line for each pair of tokens. */
export function mapsTable(
  header: Header,
  [whole, changed]: readonly [HeadWeights, HeadWeights],
  tokens: readonly string[],
): DataTable {
  return {
    header,
    columns: ['query_index', 'query', 'key_index', 'key', 'trained', 'variant'],
    rows: Array.from(whole.weights, (weight, cell) => {
      const [query, key] = [Math.floor(cell / whole.size), cell % whole.size]
      return [
        query,
        tokens[query] ?? '',
        key,
        tokens[key] ?? '',
        weight,
        changed.weights[cell] ?? NaN,
      ]
    }),
  }
}
