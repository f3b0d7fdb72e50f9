// Latent attention with every size and option at random: by definition it is the op on the keys and
// values that the latents stand for, and its two forms are one.
import fc from 'fast-check'
import type { LatentAttentionInputs } from 'headwise'

import { expectNear, nearWithOwnScores } from './support/compare.js'
import { length, seeds } from './support/problems.js'
import { referenceAttention, type Wide } from './support/reference.js'
import { describeProperties } from './support/runs.js'
import { Random, sizeOf, type Floats } from './support/tensors.js'

const small = (low: number, high: number) => fc.integer({ min: low, max: high })

const specs = fc.record({
  batch: small(1, 2),
  heads: small(1, 4),
  queries: length(0),
  keys: length(0),
  nope: small(1, 12),
  rope: small(1, 6),
  latent: small(1, 16),
  valueDim: small(1, 12),
  seed: seeds,
  options: fc.record(
    {
      causal: fc.boolean(),
      causalOffset: small(-3, 14),
      window: fc.tuple(small(-1, 14), small(-1, 14)),
      softcap: fc.constantFrom(2, 10),
      scale: fc.constantFrom(0, 0.1, 0.5),
    },
    { requiredKeys: [] },
  ),
  keyMask: fc.boolean(),
  headMask: fc.boolean(),
})

/** latent [B, S, L] up [H, L, W] = [B, H, S, W], beside rope [B, S, R] for every head. */
function expand(latent: Floats, up: Floats, rope?: Floats): Wide {
  const [batch = 0, count = 0, inner = 0] = latent.dims
  const [heads = 0, , width = 0] = up.dims
  const beside = rope?.dims[2] ?? 0
  const dims = [batch, heads, count, width + beside]
  const data = new Float64Array(sizeOf(dims))
  for (let place = 0; place < data.length; place++) {
    const c = place % (width + beside)
    const row = Math.floor(place / (width + beside))
    const h = Math.floor(row / count) % heads
    const position = Math.floor(row / count / heads) * count + (row % count)
    if (c >= width) {
      data[place] = rope?.data[position * beside + c - width] ?? 0
      continue
    }
    let sum = 0
    for (let d = 0; d < inner; d++) {
      sum += (latent.data[position * inner + d] ?? 0) * (up.data[(h * inner + d) * width + c] ?? 0)
    }
    data[place] = sum
  }
  return { data, dims }
}

/** Two tensors beside each other in the last axis. */
function beside(left: Floats, right: Floats): Wide {
  const [a = 0, b = 0] = [left.dims[3], right.dims[3]]
  const dims = [...left.dims.slice(0, 3), a + b]
  const data = new Float32Array(sizeOf(dims))
  for (let row = 0; row * (a + b) < data.length; row++) {
    data.set(left.data.subarray(row * a, (row + 1) * a), row * (a + b))
    data.set(right.data.subarray(row * b, (row + 1) * b), row * (a + b) + a)
  }
  return { data, dims }
}

describeProperties('latent attention', (property) => {
  property('both latent forms agree with the reference', specs, (hw, spec) => {
    const random = new Random(spec.seed)
    const { batch, heads, queries, keys, nope, rope, latent, valueDim } = spec
    const queryNope = random.normals([batch, heads, queries, nope])
    const queryRope = random.normals([batch, heads, queries, rope])
    const latents = random.normals([batch, keys, latent])
    const keyRope = random.normals([batch, keys, rope])
    const uk = random.normals([heads, latent, nope], 1 / Math.sqrt(latent))
    const uv = random.normals([heads, latent, valueDim], 1 / Math.sqrt(latent))
    const inputs: LatentAttentionInputs = {
      queryNope,
      queryRope,
      latent: latents,
      keyRope,
      weights: { uk, uv },
    }
    const options = {
      ...spec.options,
      ...(spec.keyMask && { keyMask: random.booleans([batch, keys], 0.8) }),
      ...(spec.headMask && {
        headMask: Array.from({ length: heads }, () => random.integer(-2, 2) / 2),
      }),
    }
    const expected = referenceAttention(
      beside(queryNope, queryRope),
      expand(latents, uk, keyRope),
      expand(latents, uv),
      options,
    )
    for (const form of ['expanded', 'absorbed'] as const) {
      const got = hw.latentAttention(inputs, {
        ...options,
        form,
        returnWeights: true,
        returnScores: 'scaled',
      })
      expectNear(`${form} output`, got.output, expected.output, nearWithOwnScores)
      expectNear(`${form} weights`, got.weights, expected.weights, nearWithOwnScores)
      expectNear(`${form} scores`, got.scores, expected.scaled, nearWithOwnScores)
    }
  })
})
