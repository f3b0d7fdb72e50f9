// Figures as they were published, not measured here: what each paper reports of its own models.

export interface PublishedFigure {
  /** The model or variant. */
  who: string
  /** Two figures each, as printed. */
  cells: readonly [string, string]
}

export const publishedIds = ['shazeer', 'ainslie', 'deepseek'] as const
export type PublishedId = (typeof publishedIds)[number]

export const published: Record<PublishedId, readonly PublishedFigure[]> = {
  // WMT14 En-De: BLEU on the test set with beam 4; decoder, greedy, TPUv2-microseconds per token.
  shazeer: [
    { who: 'multi-head', cells: ['28.4', '46'] },
    { who: 'multi-query', cells: ['28.5', '3.8'] },
  ],
  // Table 1: average over tasks; seconds per sample.
  ainslie: [
    { who: 'MHA-XXL', cells: ['47.2', '1.51'] },
    { who: 'GQA-8-XXL', cells: ['47.1', '0.28'] },
    { who: 'MQA-XXL', cells: ['46.6', '0.24'] },
    { who: 'MHA-Large', cells: ['46.0', '0.37'] },
  ],
  // Table 1 with the model's own sizes: numbers cached for a token in a layer; against MHA.
  deepseek: [
    { who: 'MHA, 128 × 128', cells: ['32,768', '1'] },
    { who: 'MLA, 512 + 64', cells: ['576', '1/57'] },
  ],
}
