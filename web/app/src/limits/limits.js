// Measures the machine's limit for WebAssembly on one thread: in `npm run bench` as if it were a
// runtime among the others, and on the page beside the reader's own builds.

import { bytesPerStep, flopsPerStep, loopModule } from './loops.js'

/** Larger than any cache: what is read comes from memory. */
const largeMegabytes = 256

async function instantiate(megabytes, relaxed) {
  const { instance } = await WebAssembly.instantiate(loopModule({ megabytes, relaxed }))
  const { memory } = instance.exports
  new Int32Array(memory.buffer).fill(1) // so that every page is really there
  return instance.exports
}

/** Work per millisecond of `run(amount)`, for about `milliseconds`. */
function speedOf(run, workPerUnit, milliseconds) {
  let amount = 1
  for (;;) {
    const start = performance.now()
    run(amount)
    const elapsed = performance.now() - start
    if (elapsed >= milliseconds) return (amount * workPerUnit) / elapsed
    amount = Math.ceil(amount * Math.min(8, (1.2 * milliseconds) / Math.max(elapsed, 0.01)))
  }
}

/** Relaxed SIMD is left out where the engine does not know it; it then has no limit. */
export async function openLimits({ megabytes = largeMegabytes } = {}) {
  const relaxed = WebAssembly.validate(loopModule({ megabytes: 1, relaxed: true }))
  const loops = await instantiate(megabytes, relaxed)
  // The engine replaces its first, slow code between calls, never within a running loop.
  for (let call = 0; call < 500; call++) {
    if (relaxed) loops.relaxedMultiplyAdd(20)
    loops.multiplyThenAdd(20)
    loops.read(0, 16 * bytesPerStep)
  }
  const readAll = (times) => {
    for (let i = 0; i < times; i++) loops.read(0, megabytes << 20)
  }
  return {
    /** { relaxedMultiplyAdd, multiplyThenAdd: GFLOP/s, memory: GB/s } */
    measure(milliseconds) {
      const each = milliseconds / 3
      const flopsOf = (name) => speedOf(loops[name], flopsPerStep, each) / 1e6
      return {
        ...(relaxed && { relaxedMultiplyAdd: flopsOf('relaxedMultiplyAdd') }),
        multiplyThenAdd: flopsOf('multiplyThenAdd'),
        memory: speedOf(readAll, megabytes << 20, each) / 1e6,
      }
    },
  }
}
