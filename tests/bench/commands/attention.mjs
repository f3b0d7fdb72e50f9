// `npm run bench -- attention`: the op alone, on projected inputs, full and causal.

import { attentionCases } from '../cases/attention.js'
import { compare } from '../lib/compare.mjs'

export const attention = (context) =>
  compare(
    {
      kind: 'attention',
      title: 'Attention: dModel 512, 8 heads, batch 1, median ms with all copies',
      cases: attentionCases,
    },
    context,
  )
