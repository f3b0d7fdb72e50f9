// What chapter 4 shows, as a part of the view, and its form in the address. Pure.

/** Head dimensions that are tried: powers of two. */
export const headDims = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] as const

export interface ScaleView {
  /** d_k of the random queries and keys; one of `headDims`. */
  headDim: number
  /** Of the random numbers. */
  seed: number
  /** Power of two that the model's own scale is multiplied with, in quarters: -3 to 4. */
  power: number
}

export const largestSeed = 9999
export const [leastPower, mostPower] = [-3, 4]

export const defaultScale: ScaleView = { headDim: 64, seed: 1, power: 2.5 }

function number(text: string | null, otherwise: number): number {
  return text !== null && /^-?\d{1,4}(\.\d{1,2})?$/.test(text) ? Number(text) : otherwise
}

export function parseScale(given: URLSearchParams): ScaleView {
  const headDim = number(given.get('dk'), defaultScale.headDim)
  const seed = number(given.get('seed'), defaultScale.seed)
  const power = number(given.get('power'), defaultScale.power)
  const right = {
    headDim: headDims.some((each) => each === headDim),
    seed: Number.isInteger(seed) && seed >= 1 && seed <= largestSeed,
    power: Number.isInteger(power * 4) && power >= leastPower && power <= mostPower,
  }
  return {
    headDim: right.headDim ? headDim : defaultScale.headDim,
    seed: right.seed ? seed : defaultScale.seed,
    power: right.power ? power : defaultScale.power,
  }
}

/** d_k always where the chapter is open; the rest where it differs from the default. */
export function writeScale(view: ScaleView, open: boolean, query: URLSearchParams): void {
  if (open || view.headDim !== defaultScale.headDim) query.set('dk', String(view.headDim))
  if (view.seed !== defaultScale.seed) query.set('seed', String(view.seed))
  if (view.power !== defaultScale.power) query.set('power', String(view.power))
}
