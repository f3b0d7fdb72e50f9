// The native library as a runtime for the cases: cpp/tools/headwise_op in a process of its own,
// computing by its kernels or by the double-precision reference. cpp/tools/op/message.hpp has the
// format of what goes over its pipes. Only what the cases call, and stateless.
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

import {
  HeadwiseError,
  type AttentionOptions,
  type AttentionResult,
  type ErrorCode,
  type LatentAttentionInputs,
  type LatentAttentionRunOptions,
  type MultiHeadAttentionForwardOptions,
  type MultiHeadAttentionOptions,
  type MultiHeadAttentionResult,
  type Tensor,
  type TensorLike,
} from 'headwise'

type TypedArray = Float32Array | Int32Array | Uint8Array

interface NamedTensor {
  name: string
  data: TypedArray
  dims: readonly number[]
}

/** A call taken apart: the names of what lies within an object are joined by dots. */
class Message {
  readonly tensors: NamedTensor[] = []
  readonly options: string[] = []

  add(name: string, value: string | number | boolean | object | undefined): void {
    if (value === undefined) return
    if (value instanceof Float32Array || value instanceof Int32Array) {
      this.tensors.push({ name, data: value, dims: [value.length] })
    } else if (Array.isArray(value)) {
      this.#addNumbers(name, value as number[])
    } else if (typeof value === 'object') {
      this.#addObject(name, value)
    } else {
      this.options.push(`option ${name} ${String(value)}\n`)
    }
  }

  #addObject(name: string, value: object): void {
    if ('dims' in value && 'data' in value) {
      this.tensors.push({ name, ...(value as { data: TypedArray; dims: number[] }) })
    } else {
      for (const [part, inner] of Object.entries(value))
        this.add(`${name}.${part}`, inner as object)
    }
  }

  /** Lists of lengths, positions and factors are tensors, the window is an option. */
  #addNumbers(name: string, numbers: number[]): void {
    if (name === 'window') this.options.push(`option window ${numbers.join(' ')}\n`)
    else if (name === 'headMask') this.add(name, Float32Array.from(numbers))
    else this.add(name, Int32Array.from(numbers))
  }

  send(call: string, stream: Writable): void {
    const tensors = this.tensors.map(({ name, data, dims }) => {
      const type =
        data instanceof Float32Array ? 'float32' : data instanceof Int32Array ? 'int32' : 'bool'
      return `tensor ${type} ${name} ${dims.join(' ')}\n`
    })
    stream.write(`call ${call}\n${this.options.join('')}${tensors.join('')}data\n`)
    for (const { data } of this.tensors) {
      stream.write(Buffer.from(data.buffer, data.byteOffset, data.byteLength))
    }
  }
}

/** Takes lines and bytes from a stream as they come. */
class Reader {
  #bytes = Buffer.alloc(0)
  #more: (() => void) | undefined
  #ended = false

  constructor(stream: Readable) {
    stream.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk])
      this.#more?.()
    })
    stream.on('end', () => {
      this.#ended = true
      this.#more?.()
    })
  }

  async line(): Promise<string> {
    let end = this.#bytes.indexOf('\n')
    while (end < 0) {
      await this.#wait()
      end = this.#bytes.indexOf('\n')
    }
    return this.#take(end + 1)
      .toString()
      .slice(0, -1)
  }

  async bytes(count: number): Promise<Buffer> {
    while (this.#bytes.length < count) await this.#wait()
    return this.#take(count)
  }

  #take(count: number): Buffer {
    const taken = this.#bytes.subarray(0, count)
    this.#bytes = this.#bytes.subarray(count)
    return taken
  }

  async #wait(): Promise<void> {
    if (this.#ended) throw new Error('headwise_op ended before its reply')
    await new Promise<void>((resolve) => {
      this.#more = resolve
    })
  }
}

export class NativeRuntime {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>
  readonly #reader: Reader
  /** Replies come in the order of the calls. */
  #last: Promise<unknown> = Promise.resolve()
  readonly info = { memory: { used: 0 } }

  constructor(program: string, args: readonly string[]) {
    this.#process = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#reader = new Reader(this.#process.stdout)
  }

  attention(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    options: AttentionOptions = {},
  ): Promise<AttentionResult> {
    return this.#call('attention', { query, key, value, ...options })
  }

  /** Nothing is kept between calls: each one sends the weights again. */
  createMultiHeadAttention(layer: MultiHeadAttentionOptions) {
    return Promise.resolve({
      forward: (query: TensorLike, options: MultiHeadAttentionForwardOptions = {}) =>
        this.#call<MultiHeadAttentionResult>('multi_head_attention', {
          ...layer,
          query,
          ...options,
        }),
      dispose: () => undefined,
    })
  }

  latentAttention(
    inputs: LatentAttentionInputs,
    options: LatentAttentionRunOptions = {},
  ): Promise<AttentionResult> {
    return this.#call('latent_attention', { ...inputs, ...options })
  }

  dispose(): void {
    this.#process.stdin.end()
  }

  #call<Result>(call: string, parts: object): Promise<Result> {
    const message = new Message()
    for (const [name, value] of Object.entries(parts)) message.add(name, value as object)
    message.send(call, this.#process.stdin)
    const reply = this.#last.then(() => this.#reply())
    this.#last = reply.catch(() => undefined)
    return reply as Promise<Result>
  }

  async #reply(): Promise<Record<string, Tensor>> {
    const lines: string[][] = []
    for (let line = await this.#reader.line(); line !== 'data'; line = await this.#reader.line()) {
      lines.push(line.split(' '))
    }
    const result: Record<string, Tensor> = {}
    for (const [kind, , name = '', ...numbers] of lines) {
      if (kind !== 'tensor') continue
      const dims = numbers.map(Number)
      const bytes = await this.#reader.bytes(4 * dims.reduce((product, dim) => product * dim, 1))
      result[name] = { type: 'float32', data: new Float32Array(new Uint8Array(bytes).buffer), dims }
    }
    const [, used] = (await this.#reader.line()).split(' ')
    this.info.memory.used = Number(used)
    if (lines[0]?.[0] !== 'ok') throw refusal(lines)
    return result
  }
}

function refusal(lines: string[][]): HeadwiseError {
  const facts = Object.fromEntries(lines.map(([kind = '', ...words]) => [kind, words.join(' ')]))
  return new HeadwiseError({
    code: facts['error'] as ErrorCode,
    argument: facts['argument'] ?? '',
    expected: facts['expected'] ?? '',
    received: facts['received'] ?? '',
  })
}

/** The command, as `npm test` builds it; HEADWISE_NATIVE_OP names another. */
function nativeProgram(): string | null {
  const built = fileURLToPath(new URL('../../../build/native/headwise_op', import.meta.url))
  const program = process.env['HEADWISE_NATIVE_OP'] ?? built
  if (existsSync(program)) return program
  process.stderr.write(
    'skipped: the native command is not built (cmake --preset native, ' +
      'cmake --build --preset native --target headwise_op)\n',
  )
  return null
}

const program = nativeProgram()

/** The reference and the native kernels, where the command is built. */
export const nativeConfigurations =
  program === null
    ? []
    : [
        { name: 'reference, native', args: ['--reference'] },
        { name: 'kernels, native', args: [] },
      ].map(({ name, args }) => ({
        name,
        open: () => Promise.resolve(new NativeRuntime(program, args)),
      }))
