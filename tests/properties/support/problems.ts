// Calls to the op with shapes and options at random: a short specification, which fast-check makes
// and shrinks, and the tensors that follow from it.
import fc from 'fast-check'
import type { AttentionOptions, AttentionResult } from 'headwise'
import type { Runtime } from 'headwise/core'

import { referenceAttention, type ReferenceOptions, type ReferenceResult } from './reference.js'
import { join, Random, type Floats } from './tensors.js'

interface MaskSpec {
  boolean: boolean
  rank: number
  /** Whether the axes before the last are of size 1. */
  ones: readonly boolean[]
  /** How many keys the last axis lacks. */
  short: number
}

/** Which options a call has; the data of each follow from the seed. */
export interface OptionSpec {
  causal?: boolean
  causalOffset?: number
  window?: [number, number]
  softcap?: number
  scale?: number
  mask?: MaskSpec
  keyMask?: boolean
  headMask?: boolean
  kvLengths?: boolean
  past?: number
}

export interface Spec extends OptionSpec {
  batch: number
  kvHeads: number
  group: number
  queries: number
  keys: number
  headDim: number
  valueDim: number
  seed: number
}

export interface Problem {
  spec: Spec
  query: Floats
  key: Floats
  value: Floats
  past: { key: Floats; value: Floats } | undefined
  /** Keys of the past too. */
  totalKeys: number
  options: Omit<ReferenceOptions, 'pastLength'>
}

/** Mostly small; now and then beyond the tiles of the kernels. */
export const length = (low: number): fc.Arbitrary<number> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 9, arbitrary: fc.integer({ min: low, max: 12 }) },
    { weight: 1, arbitrary: fc.integer({ min: 13, max: 80 }) },
  )

export const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 })

export const sizes = {
  batch: fc.integer({ min: 1, max: 3 }),
  kvHeads: fc.integer({ min: 1, max: 3 }),
  group: fc.integer({ min: 1, max: 4 }),
  queries: length(0),
  keys: length(0),
  headDim: length(1),
  valueDim: length(1),
  seed: seeds,
}

const bound = fc.integer({ min: -1, max: 14 })

const options = {
  causal: fc.boolean(),
  causalOffset: fc.integer({ min: -14, max: 14 }),
  window: fc.tuple(bound, bound),
  softcap: fc.double({ min: 0.5, max: 20, noNaN: true }),
  scale: fc.double({ min: -0.5, max: 1.5, noNaN: true }),
  mask: fc.record({
    boolean: fc.boolean(),
    rank: fc.integer({ min: 1, max: 4 }),
    ones: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
    short: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 14 })),
  }),
  keyMask: fc.constant(true),
  headMask: fc.constant(true),
  kvLengths: fc.constant(true),
  past: fc.integer({ min: 0, max: 12 }),
}

type OptionName = keyof typeof options
export const allOptions = Object.keys(options) as OptionName[]

/** Calls with any of the named options. */
export function specs(names: readonly OptionName[]): fc.Arbitrary<Spec> {
  const chosen = Object.fromEntries(names.map((name) => [name, options[name]]))
  const given = fc.record(chosen, { requiredKeys: [] }) as fc.Arbitrary<OptionSpec>
  return fc.tuple(fc.record(sizes), given).map(([size, option]) => ({ ...size, ...option }))
}

function maskOf({ boolean, rank, ones, short }: MaskSpec, full: number[], random: Random) {
  const keys = full[3] ?? 0
  const last = keys - short
  // A last axis of one key among several is refused, and the reason is tested elsewhere.
  const dims = full.map((dim, axis) =>
    axis === 3 ? (last > 1 ? last : keys) : ones[axis] ? 1 : dim,
  )
  const shape = dims.slice(4 - rank)
  if (boolean) return random.booleans(shape, 0.7)
  const bias = random.normals(shape)
  for (const i of bias.data.keys()) if (random.chance(0.2)) bias.data[i] = -Infinity
  return bias
}

export function build(spec: Spec): Problem {
  const random = new Random(spec.seed)
  const { batch, kvHeads, queries, keys, headDim, valueDim } = spec
  const heads = kvHeads * spec.group
  const totalKeys = keys + (spec.past ?? 0)
  const result: Problem = {
    spec,
    query: random.normals([batch, heads, queries, headDim]),
    key: random.normals([batch, kvHeads, keys, headDim]),
    value: random.normals([batch, kvHeads, keys, valueDim]),
    past: undefined,
    totalKeys,
    options: {},
  }
  const { options: given } = result
  if (spec.causal !== undefined) given.causal = spec.causal
  if (spec.causalOffset !== undefined) given.causalOffset = spec.causalOffset
  if (spec.window !== undefined) given.window = spec.window
  if (spec.softcap !== undefined) given.softcap = Math.fround(spec.softcap)
  if (spec.scale !== undefined) given.scale = spec.scale / Math.sqrt(headDim)
  if (spec.mask) given.mask = maskOf(spec.mask, [batch, heads, queries, totalKeys], random)
  if (spec.keyMask) given.keyMask = random.booleans([batch, totalKeys], 0.8)
  if (spec.headMask) {
    given.headMask = Array.from({ length: heads }, () => random.integer(-2, 2) / 2)
  }
  if (spec.past !== undefined) {
    result.past = {
      key: random.normals([batch, kvHeads, spec.past, headDim]),
      value: random.normals([batch, kvHeads, spec.past, valueDim]),
    }
  } else if (spec.kvLengths) {
    given.kvLengths = Array.from({ length: batch }, () => random.integer(0, keys))
  }
  return result
}

export function callOptions({ options: given, past }: Problem): AttentionOptions {
  return { ...given, ...(past && { pastKey: past.key, pastValue: past.value }) }
}

export function attend(
  hw: Runtime,
  problem: Problem,
  extra: AttentionOptions = {},
): AttentionResult {
  const { query, key, value } = problem
  return hw.attention(query, key, value, { ...callOptions(problem), ...extra })
}

export function reference({ query, key, value, past, options }: Problem): ReferenceResult {
  if (past === undefined) return referenceAttention(query, key, value, options)
  return referenceAttention(query, join(past.key, key, 2), join(past.value, value, 2), {
    ...options,
    pastLength: past.key.dims[2] ?? 0,
  })
}

/** Whether the scores are of unit variance. */
export function hasUnitScores({ options: { mask, scale } }: Problem): boolean {
  return scale === undefined && !(mask?.data instanceof Float32Array)
}
