// A model's weights by the names that TransformerLens gives them, and in its layout: matrices are
// [in, out], those of attention one a head. Ours are [out, in] as PyTorch stores them.
import type { ModelConfig } from '../types/model.js'
import type { Tensor } from '../types/tensor.js'
import { invalidArgument } from '../errors.js'
import { describe } from '../validate/describe.js'
import { nearNamesOf } from '../validate/near-names.js'

/** From one of our parameters to the tensor that is asked for. */
type Layout = (stored: Tensor, numHeads: number) => Tensor

interface Weight {
  /** Our name. */
  parameter: string
  layout: Layout
}

const same: Layout = (stored) => stored

/** [out, in] -> [in, out] */
const transposed: Layout = ({ data, dims: [out = 0, width = 0] }) => {
  const turned = new Float32Array(data.length)
  for (let o = 0; o < out; o++) {
    for (let i = 0; i < width; i++) turned[i * out + o] = data[o * width + i] ?? NaN
  }
  return { type: 'float32', data: turned, dims: [width, out] }
}

/** [H * D, in] -> [H, in, D]: each head's rows, transposed. */
const headOutputs: Layout = ({ data, dims: [out = 0, width = 0] }, heads) => {
  const headDim = out / heads
  const parts = new Float32Array(data.length)
  for (let h = 0; h < heads; h++) {
    const [first, size] = [h * headDim * width, headDim * width]
    const rows: Tensor = {
      type: 'float32',
      data: data.subarray(first, first + size),
      dims: [headDim, width],
    }
    parts.set(transposed(rows, 1).data, first)
  }
  return { type: 'float32', data: parts, dims: [heads, width, headDim] }
}

/** [out, H * D] -> [H, D, out] */
const headInputs: Layout = (stored, heads) => {
  const { data, dims } = transposed(stored, heads)
  const [width = 0, out = 0] = dims
  return { type: 'float32', data, dims: [heads, width / heads, out] }
}

/** [H * D] -> [H, D] */
const headBiases: Layout = ({ data, dims: [width = 0] }, heads) => {
  return { type: 'float32', data, dims: [heads, width / heads] }
}

const embeddings: Record<string, string> = {
  'embed.embed.W_E': 'embed.token',
  'embed.pos_embed.W_pos': 'embed.position',
  'embed.token_type_embed.W_token_type': 'embed.token_type',
  'embed.ln.w': 'embed.ln.weight',
  'embed.ln.b': 'embed.ln.bias',
}

const blockWeights: Record<string, Weight> = {
  'attn.W_Q': { parameter: 'attn.query.weight', layout: headOutputs },
  'attn.b_Q': { parameter: 'attn.query.bias', layout: headBiases },
  'attn.W_K': { parameter: 'attn.key.weight', layout: headOutputs },
  'attn.b_K': { parameter: 'attn.key.bias', layout: headBiases },
  'attn.W_V': { parameter: 'attn.value.weight', layout: headOutputs },
  'attn.b_V': { parameter: 'attn.value.bias', layout: headBiases },
  'attn.W_O': { parameter: 'attn.output.weight', layout: headInputs },
  'attn.b_O': { parameter: 'attn.output.bias', layout: same },
  'ln1.w': { parameter: 'ln1.weight', layout: same },
  'ln1.b': { parameter: 'ln1.bias', layout: same },
  'mlp.W_in': { parameter: 'mlp.in.weight', layout: transposed },
  'mlp.b_in': { parameter: 'mlp.in.bias', layout: same },
  'mlp.W_out': { parameter: 'mlp.out.weight', layout: transposed },
  'mlp.b_out': { parameter: 'mlp.out.bias', layout: same },
  'ln2.w': { parameter: 'ln2.weight', layout: same },
  'ln2.b': { parameter: 'ln2.bias', layout: same },
}

type WeightShape = Pick<ModelConfig, 'numLayers' | 'tokenTypes'>

/** Every name, in the order of use. */
export function weightNames({ numLayers, tokenTypes }: WeightShape): string[] {
  const first = Object.keys(embeddings).filter(
    (name) => tokenTypes > 0 || !name.includes('token_type'),
  )
  const blocks = Array.from({ length: numLayers }, (_, layer) =>
    Object.keys(blockWeights).map((name) => `blocks.${layer}.${name}`),
  )
  return [...first, ...blocks.flat()]
}

/** Refuses a name that the model does not have. */
export function checkWeightName(name: unknown, config: WeightShape): asserts name is string {
  if (typeof name !== 'string') throw invalidArgument('name', 'a string', describe(name))
  const known = weightNames(config)
  if (known.includes(name)) return
  throw invalidArgument('name', nearNamesOf('model.weightNames', name, known), `'${name}'`)
}

/** What to read, and how to lay it out, for a name that the model has. */
export function weightOf(name: string): Weight {
  const table = embeddings[name]
  if (table !== undefined) return { parameter: table, layout: same }
  const [, block = '', part = ''] = /^(blocks\.\d+)\.(.+)$/.exec(name) ?? []
  const { parameter = '', layout = same } = blockWeights[part] ?? {}
  return { parameter: `${block}.${parameter}`, layout }
}
