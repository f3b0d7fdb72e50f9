// The public types, in one place.
export type * from './attention.js'
export type * from './cache.js'
export type * from './latent-attention.js'
export type * from './model.js'
export type * from './multi-head-attention.js'
export type * from './runtime.js'
export type * from './tensor.js'
