// What each term means, in English. The list is the contract for the other language.
import type { TermId } from '../../state/glossaryView'

export const definitions: Record<TermId, string> = {
  token: 'A piece of text that has a number in the vocabulary: a word, part of a word, a mark.',
  'special-token':
    'A token that nobody typed, such as [CLS] and [SEP]. Heads can rest on it: a row must sum to 1 somewhere.',
  query: 'The vector with which a token asks; its row of the map says whom it looks at.',
  key: 'The vector by which a token can be found; queries are compared with it.',
  value: 'The vector that a token hands over to whoever looks at it.',
  score: 'Query times key, scaled: how well the two fit, before softmax makes it a share.',
  softmax:
    'Turns a row of scores into shares that are positive and sum to 1: more for one is less for the others.',
  weight:
    'One share after softmax: how much query i looks at key j. It says where, not how much is used.',
  map: 'All weights of a head on one text: rows are queries, columns keys.',
  attention:
    'The principle: a weighted mean of values, where the weights depend on how a query fits the keys. It knows neither heads nor layers.',
  'scaled-dot-product':
    'The form of attention in which the score is a dot product, divided by √d_k.',
  scale:
    'Keeps the variance of the scores near 1 whatever d_k is, so that softmax does not saturate.',
  entropy:
    'How widely a row is spread, in nats: 0 when it looks at one token, ln n when at all n alike.',
  head: 'One attention with projections of its own. It reads every token whole, not a slice of it.',
  'multi-head':
    'How attention is arranged: h heads side by side on the same input, their outputs joined by W_O.',
  'head-dimension': 'How many numbers a query or key has in one head; usually d_model / h.',
  projection: 'The learned matrices that make queries, keys and values out of a token’s vector.',
  concatenation: 'The outputs of the heads, one behind the other: h pieces of d_k numbers.',
  'output-projection':
    'The learned matrix behind the concatenation; a sum over heads, so each head’s part can be told apart.',
  contribution:
    'The vector that a key adds through one head, α v W_O, or its length. A large weight on a short value adds little.',
  subspace:
    'The directions that a head’s projections keep. What is near in one can be far in another.',
  'self-attention': 'Queries, keys and values come from the same sequence.',
  'cross-attention':
    'Queries come from one sequence, keys and values from another: a decoder looks at the encoder’s output.',
  'causal-mask':
    'Hides later tokens from earlier ones, so that a model can learn to predict the next.',
  transformer:
    'The whole network: layers of multi-head attention and feed-forward, with residuals and norms around both.',
  layer: 'One round of attention and feed-forward. Layers and heads are counted from 0 here: 3.1.',
  encoder: 'Layers in which every token sees every other: BERT, and the model in this tab.',
  decoder:
    'Layers with a causal mask, which write a text token by token; next to an encoder they have cross-attention too.',
  residual: 'The running sum that each part of a layer reads from and adds to.',
  normalisation:
    'Brings a token’s vector to mean 0 and variance 1, then scales it by learned numbers.',
  'feed-forward': 'Two matrices with a bend in between, applied to each token alone.',
  gqa: 'Groups of query heads share one key head and one value head.',
  mqa: 'All query heads share one key head and one value head.',
  mla: 'Keys and values of all heads are made from one small vector per token, and only that is cached.',
  cache:
    'Keys and values of the tokens so far, kept while a decoder writes. It grows with the context.',
  tiling:
    'Computes the same attention tile by tile with a running maximum and sum, and never stores the whole map.',
  intensity: 'Operations (FLOP) per byte moved. Decoding has few of them, so it waits for memory.',
  bottleneck:
    'With d_k below the length of the text, a head’s matrix of scores has rank d_k at most, and not every map can be had.',
  ablation: 'Taking something away, or changing one thing, and measuring what follows.',
}
