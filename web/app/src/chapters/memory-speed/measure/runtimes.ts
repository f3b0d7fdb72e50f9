// Runtimes of their own for measuring, and numbers to compute with.
import { createRuntime, type Runtime, type RuntimeOptions, type TensorLike } from 'headwise/core'

/** Works with a runtime, and lets its memory go afterwards. */
export async function withRuntime<T>(
  options: RuntimeOptions,
  work: (runtime: Runtime) => T,
): Promise<T> {
  const runtime = await createRuntime({ ...options, onWarning: () => undefined })
  try {
    return work(runtime)
  } finally {
    runtime.dispose()
  }
}

/** Random numbers: how long a product takes does not depend on them. */
export function random(...dims: number[]): TensorLike {
  const size = dims.reduce((a, b) => a * b)
  const spread = 2 / Math.sqrt(dims.at(-1) ?? 1)
  return { data: Float32Array.from({ length: size }, () => (Math.random() - 0.5) * spread), dims }
}
