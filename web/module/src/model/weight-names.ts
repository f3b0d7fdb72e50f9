// A model's weights by the names that TransformerLens gives them, and in its layout: matrices are
// [in, out], those of attention one a head. Ours are [out, in] as PyTorch stores them.
import type { ModelConfig } from '../types/model-config.js'
import type { Tensor } from '../types/tensor.js'
import { invalidArgument } from '../errors.js'
import { describe } from '../validate/describe.js'
import { nearNamesOf } from '../validate/near-names.js'

/** From one of our parameters to the tensor that is asked for. */
type Layout = (stored: Tensor, heads: number) => Tensor

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

/** What names of parameters become, one rule after another; and what their layout is. */
const renames: readonly (readonly [RegExp, string])[] = [
  [/attn\.(.)[a-z]+\.weight$/, 'attn.W_$1'],
  [/attn\.(.)[a-z]+\.bias$/, 'attn.b_$1'],
  [/(mlp\.|embed\.)(in|gate|out|patch|project)\.weight$/, '$1W_$2'],
  [/(mlp\.|embed\.)(in|gate|out|patch|project)\.bias$/, '$1b_$2'],
  [/unembed\.weight$/, 'unembed.W_U'],
  [/unembed\.bias$/, 'unembed.b_U'],
  [/^(mlm_head\.)dense\.weight$/, '$1W'],
  [/^(mlm_head\.)dense\.bias$/, '$1b'],
  [/\.weight$/, '.w'],
  [/\.bias$/, '.b'],
  [/^(encoder|decoder)\.blocks/, '$1'],
  [/^(encoder|decoder)\.ln_final/, '$1_final_ln'],
  [/^(encoder|decoder)\.relative_bias$/, '$1.0.attn.rel_pos_bias.w'],
  [/embed\.token$/, 'embed.W_E'],
  [/embed\.class$/, 'embed.W_class'],
  [/embed\.position$/, 'pos_embed.W_pos'],
  [/embed\.token_type$/, 'token_type_embed.W_token_type'],
]

/** The name that TransformerLens gives a parameter of ours. */
function weightName(parameter: string, { kind }: Pick<ModelConfig, 'kind'>): string {
  const name = renames
    .reduce((text, [from, to]) => text.replace(from, to), parameter)
    .replace(/attn\.._.$/, (matrix) => matrix.slice(0, -1) + matrix.slice(-1).toUpperCase())
  return kind === 'encoder' && /^embed\.[a-z_]+$/.test(parameter) ? `embed.${name}` : name
}

/** Our parameters by their names as weights, in the order of use. */
export function weightsOf(
  parameters: readonly string[],
  config: Pick<ModelConfig, 'kind'>,
): Map<string, string> {
  return new Map(parameters.map((parameter) => [weightName(parameter, config), parameter]))
}

/** Refuses a name that the model does not have. */
export function checkWeightName(name: unknown, known: readonly string[]): asserts name is string {
  if (typeof name !== 'string') throw invalidArgument('name', 'a string', describe(name))
  if (known.includes(name)) return
  throw invalidArgument('name', nearNamesOf('model.weightNames', name, known), `'${name}'`)
}

/** A parameter as a weight is laid out. */
export function weightOf(
  parameter: string,
  stored: Tensor,
  { numHeads, kvHeads }: Pick<ModelConfig, 'numHeads' | 'kvHeads'>,
): Tensor {
  const isMatrix = stored.dims.length === 2
  const [, part] = /attn\.([a-z]+)\./.exec(parameter) ?? []
  if (part === 'output') return isMatrix ? headInputs(stored, numHeads) : stored
  if (part !== undefined) {
    return (isMatrix ? headOutputs : headBiases)(stored, part === 'query' ? numHeads : kvHeads)
  }
  // TransformerLens keeps the masked-LM transform and embedding tables as they are.
  const turned = isMatrix && parameter.endsWith('.weight') && !parameter.startsWith('mlm_head')
  return turned ? transposed(stored, 1) : stored
}
