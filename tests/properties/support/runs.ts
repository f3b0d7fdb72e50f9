// How many cases each property gets, and from which seed.
//
//   npm run test:properties -- --runs 500000 --seed 7
//
// `npm test` runs 20,000 from a fixed seed, `npm run test:all` 200,000, the command above as many as
// it is told, or 500,000. Failures name the case: a short
// description that the data follow from.
import fc from 'fast-check'
import { createRuntime, type Runtime } from 'headwise/core'
import { afterAll, beforeAll, describe, test } from 'vitest'

import { builds } from '../../module/support/runtimes.js'

/** Each property's part of all cases, in every build. */
const parts = {
  'agrees with the reference': 30,
  'the same bits with and without weights, and again': 8,
  'inputs are unchanged': 5,
  'nothing hidden reaches the result': 8,
  'permuting heads permutes results': 6,
  'permuting keys with their mask changes nothing': 6,
  'a causal prefix equals the shorter run': 6,
  'a cache in any chunking equals one pass': 7,
  'a past in any chunking equals one pass': 6,
  'packed equals unpacked': 6,
  'grouped heads equal repeated heads': 6,
  'the layer agrees with its reference': 8,
  'one fused matrix gives the bits of three': 4,
  'a layer with a cache equals one pass': 4,
  'both latent forms agree with the reference': 8,
}
export type PropertyName = keyof typeof parts

const long = process.env['HEADWISE_LONG'] === '1'
const total = Number(process.env['HEADWISE_PROPERTY_RUNS'] ?? (long ? 200_000 : 20_000))
const firstSeed = Number(process.env['HEADWISE_PROPERTY_SEED'] ?? 1)
const allParts = Object.values(parts).reduce((sum, part) => sum + part, 0) * builds.length

/** Cases between which the test runner may speak. */
const slice = 500

export type Property = <Spec>(
  name: PropertyName,
  specs: fc.Arbitrary<Spec>,
  check: (hw: Runtime, spec: Spec) => void,
) => void

/** Declares properties that hold in every build. */
export function describeProperties(title: string, declare: (property: Property) => void): void {
  describe(title, () => {
    describe.each(builds)('%s', (build) => {
      let hw: Runtime
      let cases = 0
      beforeAll(async () => {
        hw = await createRuntime({ build })
      })
      afterAll(() => {
        hw.dispose()
        process.stdout.write(`properties of ${title}, ${build}: ${cases} cases\n`)
      })
      declare((name, specs, check) => {
        const runs = Math.ceil((total * parts[name]) / allParts)
        const property = fc.property(specs, (spec) => {
          check(hw, spec)
          cases++
        })
        test(`${name} (${runs} cases)`, async () => {
          for (let done = 0; done < runs; done += slice) {
            const numRuns = Math.min(slice, runs - done)
            fc.assert(property, { numRuns, seed: firstSeed + done })
            await new Promise(setImmediate)
          }
        })
      })
    })
  })
}
