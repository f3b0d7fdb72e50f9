// One instance of the WebAssembly module: its memory, and tensors in and out of it.
import type { Bindings, Dims, Status, TensorValue } from '../bindings.js'
import { buildFiles, buildOfUrl, chooseBuild } from '../builds.js'
import { defaultWarning } from '../environment.js'
import { disposedError, HeadwiseError, type ErrorCode } from '../errors.js'
import { loadWasm } from '../load-wasm.js'
import type { Build, RuntimeInfo, RuntimeOptions } from '../types/runtime.js'
import type { Tensor } from '../types/tensor.js'
import { version } from '../version.js'

/** The value that stands for "no tensor". */
export const noTensor: TensorValue = { address: 0, rank: 0, dims: [0, 0, 0, 0, 0, 0, 0, 0] }

export class Engine {
  #bindings: Bindings | undefined

  constructor(
    bindings: Bindings,
    readonly build: Build,
  ) {
    this.#bindings = bindings
  }

  get bindings(): Bindings {
    if (this.#bindings === undefined) throw disposedError('runtime')
    return this.#bindings
  }

  get alive(): boolean {
    return this.#bindings !== undefined
  }

  /** Lets go of the module and with it of all its memory. */
  dispose(): void {
    this.#bindings = undefined
  }

  info(): RuntimeInfo {
    const use = this.#bindings?.memory()
    return {
      build: this.build,
      threads: 1,
      version,
      memory: {
        used: use?.used ?? 0,
        peak: use?.peak ?? 0,
        reserved: this.#bindings?.HEAPU8.byteLength ?? 0,
      },
    }
  }

  /** Allocations held now; zero once every handle is disposed. */
  blocks(): number {
    return this.#bindings?.memory().blocks ?? 0
  }

  /** A copy of a tensor in WebAssembly memory. */
  read(value: TensorValue): Tensor {
    const dims = value.dims.slice(0, value.rank)
    const start = value.address / Float32Array.BYTES_PER_ELEMENT
    const size = dims.reduce((product, dim) => product * dim, 1)
    return { type: 'float32', data: this.bindings.HEAPF32.slice(start, start + size), dims }
  }

  /** The same, for a result that was not asked for. */
  readOptional(value: TensorValue): Tensor | undefined {
    return value.rank === 0 ? undefined : this.read(value)
  }
}

/** Throws what a status says, unless it is success. */
export function check(status: Status): void {
  if (status.code !== '') {
    throw new HeadwiseError({ ...status, code: status.code as ErrorCode })
  }
}

export function tensorValue(address: number, dims: readonly number[]): TensorValue {
  const padded = Array.from({ length: 8 }, (_, axis) => dims[axis] ?? 0) as Dims
  return { address, rank: dims.length, dims: padded }
}

/** Loads the build that the options ask for. */
export async function createEngine(options: RuntimeOptions): Promise<Engine> {
  const source = options.wasm
  const named =
    typeof source === 'string' || source instanceof URL ? buildOfUrl(String(source)) : undefined
  const build = chooseBuild(
    options.build === undefined || options.build === 'auto' ? named : options.build,
  )
  const files = buildFiles(build)
  const [module, { default: createBindings }] = await Promise.all([
    loadWasm(source ?? files.wasm()),
    files.bindings(),
  ])
  const warn = options.onWarning ?? defaultWarning
  const bindings = await new Promise<Bindings>((resolve, reject) => {
    // Every step of starting fails where the file is that of another build.
    const refuse = (cause: unknown) => reject(mismatch(build, cause))
    createBindings({
      printErr: warn,
      instantiateWasm: (imports, done) => {
        WebAssembly.instantiate(module, imports)
          .then((instance) => done(instance, module))
          .catch(refuse)
        return {}
      },
    }).then(resolve, refuse)
  })
  if (options.maximumMemory !== undefined) bindings.limitMemory(options.maximumMemory)
  return new Engine(bindings, build)
}

function mismatch(build: Build, cause: unknown): HeadwiseError {
  return new HeadwiseError(
    {
      code: 'UNSUPPORTED',
      argument: 'wasm',
      expected: `the file headwise-${build}.wasm of version ${version}`,
      received: `a module that does not fit (${String(cause)})`,
    },
    { cause },
  )
}
