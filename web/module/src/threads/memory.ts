// Memory that threads share: its address space is reserved at once, up to what the module may take.
import { HeadwiseError } from '../errors.js'

const page = 65536
/** What the builds with threads are linked to start with (cmake/wasm_module.cmake). */
const initial = (16 << 20) / page
/** 4 GiB, all that 32-bit addresses reach. */
const most = 65536
/** With less than this, one thread whose memory grows does better. */
const least = (128 << 20) / page

function tryMemory(maximum: number): WebAssembly.Memory | undefined {
  try {
    return new WebAssembly.Memory({ initial, maximum, shared: true })
  } catch {
    return undefined
  }
}

/**
 * As much memory as is wanted, or half of it, and so on, where a device refuses.
 *
 * @throws HeadwiseError `OUT_OF_MEMORY`
 */
export function sharedMemory(
  maximumMemory: number | undefined,
  warn: (message: string) => void,
): WebAssembly.Memory {
  const wanted = Math.min(most, Math.max(initial, Math.ceil((maximumMemory ?? Infinity) / page)))
  const enough = Math.min(wanted, least)
  for (let pages = wanted; pages >= enough; pages = Math.floor(pages / 2)) {
    const memory = tryMemory(pages)
    if (memory === undefined) continue
    if (pages < wanted) {
      warn(`headwise: this device shares ${pages / 16} of ${wanted / 16} MiB between threads.`)
    }
    return memory
  }
  throw new HeadwiseError({
    code: 'OUT_OF_MEMORY',
    argument: 'maximumMemory',
    expected: 'memory to share between threads',
    received: `a device that refuses ${enough / 16} MiB`,
  })
}
