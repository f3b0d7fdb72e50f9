// What decides the speed: arithmetic or memory. One query on a long cache, whose keys and values are
// shared by more and more heads, and many queries at once; beside them the limits of the machine.
import type { Runtime } from 'headwise/core'
import type { Limits } from '../../../limits/limits'
import { medianLimits, openLimitsHere } from './limitsHere'
import { random, withRuntime } from './runtimes'
import type { Report, RoofPointId, RoofResult } from './results'
import { attentionFlops, base, cacheBytes, operandBytes } from './shapes'
import { spreadOf, timeInTurns } from './timing'

/** Caches of equal bytes, larger than a processor keeps near: 64 MiB. */
const decoded: { id: RoofPointId; kvHeads: number; length: number }[] = [
  { id: 'mha', kvHeads: 8, length: 16_384 },
  { id: 'gqa', kvHeads: 2, length: 65_536 },
  { id: 'mqa', kvHeads: 1, length: 131_072 },
]
const prefillLength = 1024
/** Positions appended at a time. */
const chunk = 1024
/** For each limit in a round, ms. */
const limitTime = 60

/** One query on a cache of `length` positions. */
function decoding(runtime: Runtime, kvHeads: number, length: number) {
  const { dModel, headDim, heads } = base
  const cache = runtime.createKeyValueCache({ batch: 1, kvHeads, headDim, capacity: length + 1 })
  const query = random(1, 1, dModel)
  const options = { numHeads: heads, kvHeads, cache }
  const many = random(1, chunk, kvHeads * headDim)
  while (cache.length < length) runtime.attention(query, many, many, options)
  const one = random(1, 1, kvHeads * headDim)
  return {
    run: () => {
      runtime.attention(query, one, one, options)
      cache.truncate(length)
    },
    dispose: () => {
      cache.dispose()
    },
  }
}

function prefill(runtime: Runtime): () => void {
  const x = random(1, prefillLength, base.dModel)
  return () => void runtime.attention(x, x, x, { numHeads: base.heads })
}

export async function measureRoof(report: Report): Promise<RoofResult> {
  const loops = await openLimitsHere()
  const limits: Limits[] = []
  const between = () => {
    limits.push(loops.measure(3 * limitTime))
  }
  return withRuntime({ threads: 1 }, (runtime) => {
    const parts = decoded.length + 1
    const timed = (run: () => void, place: number) => {
      const [time] = timeInTurns([run], (share) => report((place + share) / parts), { between })
      return time ?? spreadOf([])
    }
    const points: RoofResult['points'][number][] = decoded.map(({ id, kvHeads, length }, place) => {
      const { run, dispose } = decoding(runtime, kvHeads, length)
      const time = timed(run, place)
      dispose()
      const flops = attentionFlops(1, length, base.dModel)
      return { id, length, kvHeads, flops, bytes: cacheBytes(length, kvHeads, base.headDim), time }
    })
    points.push({
      id: 'prefill',
      length: prefillLength,
      kvHeads: base.heads,
      flops: attentionFlops(prefillLength, prefillLength, base.dModel),
      bytes: operandBytes(prefillLength, base.dModel),
      time: timed(prefill(runtime), decoded.length),
    })
    return { build: runtime.info.build, limits: medianLimits(limits), points }
  })
}
