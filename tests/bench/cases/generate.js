// Text from a random model of the shape of GPT-2 small: reading a prompt, and one more token.

export const gpt2 = {
  model_type: 'gpt2',
  architectures: ['GPT2LMHeadModel'],
  activation_function: 'gelu_new',
  n_embd: 768,
  n_head: 12,
  n_layer: 12,
  n_positions: 1024,
  vocab_size: 50257,
  layer_norm_epsilon: 1e-5,
  bos_token_id: null,
  eos_token_id: null,
}

const { n_embd: width, n_layer: layers, vocab_size: vocabulary } = gpt2
/** Weights of the matrices that every position passes, and of the head. */
const blockWeights = layers * 12 * width ** 2
const headWeights = vocabulary * width

export const generateCases = [
  { name: 'prompt of 64', kind: 'prompt', tokens: 64 },
  { name: 'prompt of 512', kind: 'prompt', tokens: 512 },
  { name: 'token after 128', kind: 'token', tokens: 128 },
]

/** Useful arithmetic: the head for the last position only, nothing of what is hidden. */
export function flopsOf({ kind, tokens }) {
  if (kind === 'token') return 2 * (blockWeights + headWeights) + 4 * layers * tokens * width
  const attention = 2 * layers * tokens * (tokens + 1) * width
  return 2 * (tokens * blockWeights + headWeights) + attention
}

/** Bytes of weights that a token has to read. */
export const bytesOf = (precision) => (blockWeights + headWeights) * (precision === 'int8' ? 1 : 4)

/** The ids of a prompt: any will do. */
export const promptOf = ({ tokens }) => Array.from({ length: tokens }, (_, i) => (i * 7919) % 50257)
