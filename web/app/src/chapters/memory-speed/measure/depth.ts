// A recurrent layer, whose positions wait for each other, against an attention layer of the same
// width, whose positions do not.
import { createRuntime, type Runtime, type TensorLike } from 'headwise/core'
import { random, withRuntime } from './runtimes'
import type { DepthResult, Report } from './results'
import { layer } from './shapes'
import { timeInTurns, usualEffort } from './timing'

const lengths = [16, 32, 64, 128, 256, 512, 1024]
const effort = { ...usualEffort, warmUp: 120, rounds: 7 }

function attentionOf(runtime: Runtime): (x: TensorLike) => void {
  const { dModel, heads } = layer
  const matrix = () => random(dModel, dModel)
  const weights = { query: matrix(), key: matrix(), value: matrix(), output: matrix() }
  const made = runtime.createMultiHeadAttention({ dModel, numHeads: heads, weights })
  return (x) => void made.forward(x)
}

function recurrentOf(runtime: Runtime): (x: TensorLike) => void {
  const matrix = () => random(layer.dModel, layer.dModel)
  const made = runtime.createRecurrentLayer({ weights: { input: matrix(), hidden: matrix() } })
  return (x) => void made.forward(x)
}

export async function measureDepth(report: Report): Promise<DepthResult> {
  const several = await createRuntime({ onWarning: () => undefined })
  try {
    const { threads } = several.info
    const parallel = threads > 1 ? attentionOf(several) : null
    return await withRuntime({ threads: 1 }, (runtime) => {
      const kinds = [recurrentOf(runtime), attentionOf(runtime), ...(parallel ? [parallel] : [])]
      const inputs = lengths.map((length) => random(1, length, layer.dModel))
      const runs = inputs.flatMap((x) => kinds.map((run) => () => run(x)))
      const times = timeInTurns(runs, report, { effort })
      const lines = lengths.flatMap((length, place) => {
        const [recurrent, attention, faster] = times.slice(place * kinds.length)
        if (!recurrent || !attention) return []
        return [{ length, recurrent, attention, parallel: parallel ? (faster ?? null) : null }]
      })
      return { build: runtime.info.build, threads, lines }
    })
  } finally {
    several.dispose()
  }
}
