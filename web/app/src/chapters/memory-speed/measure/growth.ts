// Memory as the text grows, as the module's allocator counts it: one head of 64, with its matrix of
// weights kept, and without.
import { random, withRuntime } from './runtimes'
import type { GrowthResult, Report } from './results'

const lengths = [64, 128, 256, 512, 1024, 2048, 4096]
const headDim = 64

/** The allocator's peak after each length, from the shortest on. */
function peaks(returnWeights: boolean, onStep: () => void) {
  return withRuntime({ threads: 1 }, (runtime) => {
    const found = lengths.map((length) => {
      const x = random(1, 1, length, headDim)
      runtime.attention(x, x, x, { returnWeights })
      onStep()
      return runtime.info.memory.peak
    })
    return { build: runtime.info.build, found }
  })
}

export async function measureGrowth(report: Report): Promise<GrowthResult> {
  let steps = 0
  const onStep = () => {
    steps += 1
    report(steps / (2 * lengths.length))
  }
  const tiles = await peaks(false, onStep)
  const matrix = await peaks(true, onStep)
  return {
    build: tiles.build,
    lines: lengths.map((length, place) => ({
      length,
      tiles: tiles.found[place] ?? NaN,
      matrix: matrix.found[place] ?? NaN,
    })),
  }
}
