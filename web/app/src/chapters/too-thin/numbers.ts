// How norms are written: powers of two in halves, with at most two decimals.
export const shownNorm = (norm: number): string => String(Number(norm.toFixed(2)))
