// Nothing leaks: many mixed calls, failing ones among them, leave the memory as it was.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { core, worker, type AnyRuntime } from './support/runtimes.js'
import { filled, noise } from './support/tensors.js'

const tensors = [1, 3, 17].map((length) => noise([2, 2, length, 8], length))

/** One of a dozen calls; every third fails. */
async function mixedCall(hw: AnyRuntime, index: number): Promise<void> {
  const tensor = tensors[index % tensors.length] ?? filled([1, 1, 1, 1], 0)
  const options = { returnWeights: index % 2 === 0, causal: index % 5 === 0 }
  if (index % 3 > 0) {
    await hw.attention(tensor, tensor, tensor, options)
    return
  }
  const bad = filled([2, 2, 5, 7], 0)
  await expect(async () => hw.attention(tensor, bad, bad, options)).rejects.toThrow('key')
}

describe.each([
  { ...core, calls: 10_000 },
  { ...worker, calls: 2_000 },
])('$name', ({ open, calls }) => {
  let hw: AnyRuntime
  beforeAll(async () => {
    hw = await open()
  })
  afterAll(() => hw.dispose())

  test(`${calls} mixed calls leave the memory flat`, async () => {
    for (let i = 0; i < 100; i++) await mixedCall(hw, i)
    const { reserved, peak } = hw.info.memory
    for (let i = 100; i < calls; i++) await mixedCall(hw, i)
    expect(hw.info.memory).toEqual({ used: 0, peak, reserved })
  })
})
