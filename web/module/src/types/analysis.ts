// Analyses of activations and weights, computed in double precision: options and results.
import type { CallOptions } from './runtime.js'
import type { Tensor } from './tensor.js'

export interface SvdOptions extends CallOptions {
  /** How many terms of the sum to return, 1 to min(M, N); all by default. */
  rank?: number
}

/** x = u diag(s) vh. A vector's sign is such that the largest entry of its row of `vh` is positive. */
export interface SvdResult {
  /** `[M, rank]`: orthonormal columns. */
  u: Tensor
  /** `[min(M, N)]`: all singular values, by falling value, whatever the rank asked for. */
  s: Tensor
  /** `[rank, N]`: orthonormal rows. With a value of 0 the vector of the longer side is zeros. */
  vh: Tensor
}

export interface PrincipalComponentsOptions extends CallOptions {
  /** How many components to return, 1 to min(S, D); all by default. */
  components?: number
}

export interface PrincipalComponentsResult {
  /** `[S, components]`: the rows of x, less their mean, in the new coordinates. */
  scores: Tensor
  /** `[components, D]`: directions of length 1; the entry farthest from zero is positive. */
  components: Tensor
  /** `[D]`: the mean row. */
  mean: Tensor
  /** `[components]`: the variance along each, with S - 1 as divisor. */
  explainedVariance: Tensor
  /** `[components]`: the share of all variance; 0 where there is none. */
  explainedVarianceRatio: Tensor
}

export interface PrincipalAnglesResult {
  /**
   * [Ha, Hb, min(Ra, Rb)] radians from 0 to pi / 2, rising, exact to 2e-8; NaN beyond the smaller
   * rank of the two spans.
   */
  angles: Tensor
  /** Dimensions of the spans, [Ha] and [Hb]: less than R where columns depend on each other. */
  ranks: { a: Tensor; b: Tensor }
}

export interface HeadSimilarityOptions extends CallOptions {
  /**
   * The debiased estimate (Song et al. 2012) instead of the plain one, which is near 1 for any two
   * heads where tokens are fewer than columns. Noise is then about 0, and may be a little below.
   */
  debiased?: boolean
}

export interface LowRankFitOptions extends CallOptions {
  /**
   * The most that the scores may be: the root of their mean square over all pairs, above 0. With
   * larger scores thinner heads can attend more sharply, so an error means nothing without it.
   */
  norm: number
  /** d_k is 1, 2, ... up to this, at most n; n by default. */
  maxHeadDim?: number
  /** Of the random starts, an integer; 1 by default. The same seed gives the same bits. */
  seed?: number
  /** Told of every d_k as soon as it is fitted. */
  onProgress?: (fit: FittedHeadDim) => void
}

/** The best fit that was found with queries and keys of one width. */
export interface FittedHeadDim {
  /** d_k */
  headDim: number
  /** Mean over the rows of KL(pattern || weights), in nats. */
  divergence: number
  /** The largest difference between a weight and that of the pattern. */
  largestError: number
  /** Root mean square of the scores: at most the norm asked for. */
  norm: number
}

/** By d_k from 1 to D, the largest one asked for; n is the length of the pattern. */
export interface LowRankFitResult {
  /** `[D]`: mean over the rows of KL(pattern || weights), in nats. It never rises with d_k. */
  divergence: Tensor
  /** `[D]`: the largest difference between a weight and that of the pattern. */
  largestError: Tensor
  /** `[D]`: root mean square of the scores, at most the norm asked for. */
  norm: Tensor
  /** `[D, n, n]`: softmax(queries keys^T / sqrt(d_k)). */
  weights: Tensor
  /** `[D, n, D]`: along the singular vectors of the scores, of the same length as the keys; 0 behind d_k. */
  queries: Tensor
  /** `[D, n, D]` */
  keys: Tensor
}
