// `npm run bench -- block`: three projections, attention and the output projection, without biases.

import { blockCases } from '../cases/attention.js'
import { compare } from '../lib/compare.mjs'

export const block = (context) =>
  compare(
    {
      kind: 'block',
      title: 'Whole block: dModel 512, 8 heads, batch 1, median ms with all copies',
      cases: blockCases,
    },
    context,
  )
