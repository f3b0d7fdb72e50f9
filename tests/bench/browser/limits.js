// Measures the machine's limit for WebAssembly on one thread, as if it were a runtime among the
// others: the same rounds, the same minutes, in a Worker.

import { bytesPerStep, flopsPerStep, loopModule } from '../limits/loops.js'

/** Larger than any cache: what is read comes from memory. */
const largeMegabytes = 256

async function instantiate() {
  const { instance } = await WebAssembly.instantiate(loopModule({ megabytes: largeMegabytes }))
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

export async function openLimits() {
  const loops = await instantiate()
  // The engine replaces its first, slow code between calls, never within a running loop.
  for (let call = 0; call < 500; call++) {
    loops.relaxedMultiplyAdd(20)
    loops.multiplyThenAdd(20)
    loops.read(0, 16 * bytesPerStep)
  }
  const readAll = (times) => {
    for (let i = 0; i < times; i++) loops.read(0, largeMegabytes << 20)
  }
  return {
    /** { relaxedMultiplyAdd, multiplyThenAdd: GFLOP/s, memory: GB/s } */
    measure(milliseconds) {
      const each = milliseconds / 3
      const flopsOf = (name) => speedOf(loops[name], flopsPerStep, each) / 1e6
      return {
        relaxedMultiplyAdd: flopsOf('relaxedMultiplyAdd'),
        multiplyThenAdd: flopsOf('multiplyThenAdd'),
        memory: speedOf(readAll, largeMegabytes << 20, each) / 1e6,
      }
    },
  }
}
