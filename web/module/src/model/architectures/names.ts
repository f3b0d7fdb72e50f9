// From the tensors of a checkpoint to the parameters of a transformer: tables of names, and what is
// laid out otherwise than ours.
import { HeadwiseError } from '../../errors.js'
import type { ModelConfig } from '../../types/model-config.js'

/** Float32 numbers on their way to a parameter, or to some rows of one. */
export interface Part {
  parameter: string
  values: Float32Array
  dims: number[]
  rowIds?: Int32Array
}

/** Turns a tensor as it is stored into parts as they are needed. */
export type Layout = (part: Part) => Part[]

/** Where a tensor goes. Without a layout it is as we need it. */
export interface Place {
  parameter: string
  layout?: Layout | undefined
}

/** Module paths, without `.weight` and `.bias`, to ours. */
export type Modules = Readonly<Record<string, string>>

/** How the tensors of a kind of checkpoint are called. */
export interface Names {
  /** May stand before any name, or not: checkpoints without a head lack it. */
  root?: string
  /** Numbered blocks: what stands before the number, theirs and ours, and the modules of one. */
  blocks: readonly (readonly [theirs: string, ours: string, modules: Modules])[]
  modules: Modules
  /** Tensors by their whole names. */
  tensors: Readonly<Record<string, string>>
  /** What such checkpoints carry and the model does not need. */
  skipped: RegExp
  layoutOf?: (parameter: string) => Layout | undefined
}

/** Older checkpoints say gamma and beta where newer ones say weight and bias. */
const kinds: Readonly<Record<string, string>> = {
  weight: 'weight',
  bias: 'bias',
  gamma: 'weight',
  beta: 'bias',
}

function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** Our name; undefined for a name that is none of the checkpoint's. */
function parameterOf(name: string, names: Names, config: ModelConfig): string | undefined {
  const whole = own(names.tensors, name)
  if (whole !== undefined) return whole
  const [, path = '', ending = ''] = /^(.+)\.(\w+)$/.exec(name) ?? []
  const kind = own(kinds, ending)
  if (kind === undefined) return undefined
  const module = own(names.modules, path)
  if (module !== undefined) return `${module}.${kind}`
  for (const [theirs, ours, modules] of names.blocks) {
    if (!path.startsWith(theirs)) continue
    const [, number, inside = ''] = /^(\d+)\.(.+)$/.exec(path.slice(theirs.length)) ?? []
    const count = ours.startsWith('decoder') ? config.decoderLayers : config.numLayers
    const part = own(modules, inside)
    if (part !== undefined && Number(number) < count) return `${ours}${number}.${part}.${kind}`
  }
  return undefined
}

/** Heads that the model was made without, and matrices that the token table stands for. */
function isLeftOut(parameter: string, { head, tiedHead, headBias }: ModelConfig): boolean {
  if (parameter.startsWith('mlm_head')) return head !== 'masked-lm'
  if (parameter.startsWith('head')) return head !== 'classifier'
  if (!parameter.startsWith('unembed')) return false
  if (head !== 'lm' && head !== 'masked-lm') return true
  return parameter === 'unembed.weight' ? tiedHead : !headBias
}

/**
 * Where a tensor goes; undefined where the model does not need it. A tensor that no such checkpoint
 * has is an error: a model without it might be another one than the file means.
 */
export function placeOf(name: string, names: Names, config: ModelConfig): Place | undefined {
  const { root = '' } = names
  const inside = name.startsWith(root) ? name.slice(root.length) : name
  const parameter = parameterOf(inside, names, config)
  if (parameter !== undefined) {
    if (isLeftOut(parameter, config)) return undefined
    return { parameter, layout: names.layoutOf?.(parameter) }
  }
  if (names.skipped.test(inside)) return undefined
  throw new HeadwiseError({
    code: 'CORRUPT_FILE',
    argument: name,
    expected: `a tensor of a ${config.modelType} model of ${config.numLayers} layers`,
    received: 'one that it does not have',
  })
}

/** [in, out] -> [out, in] */
export const transposed: Layout = ({ parameter, values, dims }) => {
  const [rows = 1, columns = 1] = dims
  const turned = new Float32Array(values.length)
  for (let c = 0; c < columns; c++) {
    for (let r = 0; r < rows; r++) turned[c * rows + r] = values[r * columns + c] ?? NaN
  }
  return [{ parameter, values: turned, dims: [columns, rows] }]
}

/** The same numbers in one axis, or in two: the first behind leading axes of 1, and the rest. */
export const flattened =
  (axes: 1 | 2): Layout =>
  ({ parameter, values, dims }) => {
    const [first = 1, ...rest] = dims[0] === 1 && dims.length > 2 ? dims.slice(1) : dims
    const size = rest.reduce((product, dim) => product * dim, 1)
    return [{ parameter, values, dims: axes === 1 ? [values.length] : [first, size] }]
  }
