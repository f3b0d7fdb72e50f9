// `npm run bench -- decode`: one query on keys and values that stay with the runtime. Every key and
// value is read once, so the bound is the memory's speed rather than the processor's.

import { dModel, decodeCases } from '../cases/attention.js'
import { compare } from '../lib/compare.mjs'
import { digits, percent, table } from '../lib/report.mjs'

/** Gigabytes of keys and values a second, beside what reading alone reaches. */
function bandwidthTable({ cases }) {
  const rows = cases.flatMap(({ shape, limit, results }) => {
    const bytes = 2 * shape.keys * dModel * Float32Array.BYTES_PER_ELEMENT
    return results.flatMap(({ peer, milliseconds }) => {
      if (milliseconds === undefined) return []
      const speed = bytes / milliseconds.median / 1e6
      return [
        [
          `${shape.name} ${peer}`,
          digits(speed),
          digits(limit.memory.median),
          percent(speed / limit.memory.median),
        ],
      ]
    })
  })
  return [table(['keys and values', 'GB/s', 'memory', 'share'], rows)]
}

export const decode = (context) =>
  compare(
    {
      kind: 'decode',
      title: 'Decode: 1 query on resident keys, dModel 512, 8 heads, median ms',
      cases: decodeCases,
      more: bandwidthTable,
    },
    context,
  )
