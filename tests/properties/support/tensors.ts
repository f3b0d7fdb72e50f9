// Seeded data, and the few rearrangements of tensors that the properties are made of.

export interface Floats {
  data: Float32Array
  dims: readonly number[]
}

export interface Booleans {
  data: Uint8Array
  dims: readonly number[]
}

type AnyTensor = Floats | Booleans

export function sizeOf(dims: readonly number[]): number {
  return dims.reduce((product, dim) => product * dim, 1)
}

export const range = (first: number, end: number): number[] =>
  Array.from({ length: end - first }, (_, i) => first + i)

/** Reproducible random numbers (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** In [0, 1). */
  uniform(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  chance(probability: number): boolean {
    return this.uniform() < probability
  }

  integer(low: number, high: number): number {
    return low + Math.floor(this.uniform() * (high - low + 1))
  }

  /** Of unit variance. */
  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()))
    return radius * Math.cos(2 * Math.PI * this.uniform())
  }

  normals(dims: number[], deviation = 1): Floats {
    const data = Float32Array.from({ length: sizeOf(dims) }, () => deviation * this.normal())
    return { data, dims }
  }

  booleans(dims: number[], probability: number): Booleans {
    const data = Uint8Array.from({ length: sizeOf(dims) }, () => Number(this.chance(probability)))
    return { data, dims }
  }

  permutation(length: number): number[] {
    const order = range(0, length)
    for (let i = length - 1; i > 0; i--) {
      const j = this.integer(0, i)
      ;[order[i], order[j]] = [order[j] as number, order[i] as number]
    }
    return order
  }
}

/** The slices of an axis in the given order; an index may come again or not at all. */
export function take<T extends AnyTensor>(tensor: T, axis: number, order: readonly number[]): T {
  const { data, dims } = tensor
  const inner = sizeOf(dims.slice(axis + 1))
  const outer = sizeOf(dims.slice(0, axis))
  const length = dims[axis] ?? 0
  const taken = data.slice(0, 0)
  const result = new (taken.constructor as Float32ArrayConstructor)(outer * order.length * inner)
  for (let o = 0; o < outer; o++) {
    order.forEach((index, i) => {
      const start = (o * length + index) * inner
      result.set(data.subarray(start, start + inner), (o * order.length + i) * inner)
    })
  }
  return {
    data: result,
    dims: dims.map((dim, i) => (i === axis ? order.length : dim)),
  } as AnyTensor as T
}

/** One after the other along an axis. */
export function join(first: Floats, second: Floats, axis: number): Floats {
  const dims = first.dims.map((dim, i) => (i === axis ? dim + (second.dims[i] ?? 0) : dim))
  const data = new Float32Array(sizeOf(dims))
  const widths = [first, second].map((tensor) => sizeOf(tensor.dims.slice(axis)))
  const [left = 0, right = 0] = widths
  for (let o = 0; o * (left + right) < data.length; o++) {
    data.set(first.data.subarray(o * left, (o + 1) * left), o * (left + right))
    data.set(second.data.subarray(o * right, (o + 1) * right), o * (left + right) + left)
  }
  return { data, dims }
}

/** [B, H, S, D] as [B, S, H * D]. */
export function pack({ data, dims }: Floats): Floats {
  const [batch = 0, heads = 0, length = 0, width = 0] = dims
  const packed = new Float32Array(data.length)
  for (let b = 0; b < batch; b++) {
    for (let h = 0; h < heads; h++) {
      for (let i = 0; i < length; i++) {
        const start = ((b * heads + h) * length + i) * width
        packed.set(data.subarray(start, start + width), ((b * length + i) * heads + h) * width)
      }
    }
  }
  return { data: packed, dims: [batch, length, heads * width] }
}

/** Broadcast to four dimensions, the first three to `full`'s. */
export function spread<T extends AnyTensor>(mask: T, full: readonly number[]): T {
  let result = { ...mask, dims: [...Array<number>(4 - mask.dims.length).fill(1), ...mask.dims] }
  for (const axis of [0, 1, 2]) {
    if (result.dims[axis] === 1 && full[axis] !== 1) {
      result = take(result, axis, Array<number>(full[axis] ?? 0).fill(0))
    }
  }
  return result
}
