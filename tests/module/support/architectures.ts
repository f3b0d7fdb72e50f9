// The tiny checkpoints of tests/golden/architectures, and what an independent implementation makes of
// each.
import { readFileSync } from 'node:fs'

import type { ModelFiles } from 'headwise'

import { SafetensorsReader } from '../../../web/module/dist/model/safetensors.js'

const folder = new URL('../../golden/architectures/', import.meta.url)

const encoders = ['bert', 'distilbert', 'roberta', 'electra'] as const
const decoders = ['gpt2', 'llama', 'llama-linear', 'mistral', 'qwen2', 'gemma', 'gemma2'] as const
const vision = ['vit', 'deit'] as const
const encoderDecoders = ['marian', 'bart', 't5', 't5-gated'] as const

/** Every checkpoint by its folder. */
export const checkpoints = { encoders, decoders, vision, encoderDecoders }
export const all = [...encoders, ...decoders, ...vision, ...encoderDecoders] as const
export type Checkpoint = (typeof all)[number]

const readJson = (path: string) =>
  JSON.parse(readFileSync(new URL(path, folder), 'utf8')) as Record<string, unknown>

/** The files of a checkpoint. */
export function filesOf(
  name: Checkpoint,
): Required<Omit<ModelFiles, 'generation'>> & { config: Record<string, unknown> } {
  return {
    config: readJson(`${name}/config.json`),
    weights: new Uint8Array(readFileSync(new URL(`${name}/model.safetensors`, folder))),
    tokenizer: readJson('tokenizer.json'),
  }
}

interface GoldenTensor {
  dims: number[]
  data: Float32Array | Int32Array
}

/** Inputs, activations by name, and for models that generate a prompt and what follows it. */
export class Golden {
  readonly #tensors = new Map<string, GoldenTensor>()

  constructor(name: Checkpoint) {
    const path = new URL(`${name}/golden.safetensors`, folder)
    const reader = new SafetensorsReader(`${name}/golden.safetensors`)
    for (const { name: own, dtype, dims, bytes } of reader.push(readFileSync(path))) {
      const data = dtype === 'I32' ? new Int32Array(bytes.buffer) : new Float32Array(bytes.buffer)
      this.#tensors.set(own, { dims, data })
    }
    reader.end()
  }

  has(name: string): boolean {
    return this.#tensors.has(name)
  }

  floats(name: string): { dims: number[]; data: Float32Array } {
    const { dims, data } = this.#tensors.get(name) ?? {}
    if (dims === undefined || !(data instanceof Float32Array)) throw new Error(`no golden ${name}`)
    return { dims, data }
  }

  /** Empty where there are none. */
  ids(name: string): number[] {
    return [...(this.#tensors.get(name)?.data ?? [])]
  }

  get activationNames(): string[] {
    return [...this.#tensors.keys()].filter((name) => name.includes('hook_'))
  }
}
