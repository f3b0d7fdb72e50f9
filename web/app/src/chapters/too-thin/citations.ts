// The two experiments of chapter 9, ready to be cited. Pure.
import { median } from 'd3-array'
import type { Experiment } from '../../export/evidence'
import { decimal } from '../../i18n/numbers'
import type { PatternId } from '../../state/rankView'
import type { Fit, HeadRank } from './compute'
import { bulkShare } from './ranks'

export interface MeasuredText {
  model: string
  text: string
  pair: string
  tokens: number
  headDim: number
  /** Heads of the model, measured or not. */
  heads: number
}

/** Ranks of as many heads as were measured. */
export function ranksExperiment(ranks: readonly HeadRank[], measured: MeasuredText): Experiment {
  const { text, pair, tokens, headDim, heads } = measured
  return {
    id: 'head-ranks',
    usesModel: true,
    data: { kind: 'text', name: text, content: pair === '' ? text : `${text}\n${pair}` },
    options: {
      tokens,
      d_k: headDim,
      tolerance: `${String(tokens)} * 2^-23 of the largest singular value`,
      share_of_squares: bulkShare,
      heads,
      measured: ranks.length,
    },
    seeds: {},
    columns: ['layer', 'head', 'rank_scores', 'values_99_percent', 'rank_weights'],
    rows: ranks.map(({ layer, head, scores, bulk, weights }) => [
      layer,
      head,
      scores,
      bulk,
      weights,
    ]),
    sentence: (language) => ranksSentence[language](ranks, measured),
  }
}

/** "32", or "32 (28–32)" where heads differ. */
function summary(values: readonly number[]): string {
  const middle = String(median(values) ?? NaN)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return least === most ? middle : `${middle} (${String(least)}–${String(most)})`
}

type RanksSentence = (ranks: readonly HeadRank[], measured: MeasuredText) => string

const ranksSentence: Record<'en' | 'ko', RanksSentence> = {
  en: (ranks, { model, tokens, headDim, heads }) => {
    const of = (part: 'scores' | 'bulk' | 'weights'): string =>
      summary(ranks.map((rank) => rank[part]))
    const who =
      ranks.length === heads
        ? `all ${String(heads)} heads`
        : `${String(ranks.length)} of the ${String(heads)} heads`
    const bound =
      tokens <= headDim
        ? ` As the text is no longer than d_k, its length alone bounds these ranks.`
        : ''
    return `On one text of ${String(tokens)} tokens, the pre-softmax scores of ${who} of ${model} (d_k = ${String(headDim)}) have a numerical rank of ${of('scores')} (median over the heads, range in brackets; singular values above n · 2^-23 of the largest), 99 % of their sum of squares lies in ${of('bulk')} singular values, and the weights after softmax have a numerical rank of ${of('weights')}.${bound} This describes one model on one text; it does not show what a head with another d_k would have learnt.`
  },
  ko: (ranks, { model, tokens, headDim, heads }) => {
    const of = (part: 'scores' | 'bulk' | 'weights'): string =>
      summary(ranks.map((rank) => rank[part]))
    const who =
      ranks.length === heads
        ? `모든 헤드(${String(heads)}개)`
        : `헤드 ${String(heads)}개 중 ${String(ranks.length)}개`
    const bound =
      tokens <= headDim ? ' 글이 d_k보다 길지 않아 이 랭크는 글의 길이만으로도 제한된다.' : ''
    return `토큰 ${String(tokens)}개인 글 하나에서 ${model}의 ${who}(d_k = ${String(headDim)})를 잰 결과, 소프트맥스 전 점수의 수치 랭크는 ${of('scores')}(헤드 중앙값, 괄호 안은 범위; 가장 큰 특잇값의 n · 2^-23배보다 큰 특잇값의 수), 점수 제곱합의 99%를 담는 특잇값은 ${of('bulk')}개, 소프트맥스 후 가중치의 수치 랭크는 ${of('weights')}이다.${bound} 모델 하나를 글 하나에서 잰 값이며, d_k가 다른 헤드가 무엇을 배웠을지를 보이지는 않는다.`
  },
}

export interface FittedPattern {
  pattern: PatternId
  /** [length, length] */
  weights: Float32Array
  length: number
  norm: number
  seed: number
}

export function fitExperiment(fit: Fit, fitted: FittedPattern): Experiment {
  const { pattern, weights, length, norm, seed } = fitted
  return {
    id: 'low-rank-fit',
    usesModel: false,
    data: { kind: 'made', name: pattern, content: JSON.stringify(Array.from(weights)) },
    options: {
      pattern,
      tokens: length,
      norm,
      starts: 4,
      method: 'L-BFGS on the mean KL divergence',
    },
    seeds: { pattern_and_starts: seed },
    columns: ['d_k', 'kl_divergence', 'largest_error', 'rms_of_scores'],
    rows: fit.dims.map(({ headDim, divergence, largestError, norm: reached }) => [
      headDim,
      divergence,
      largestError,
      reached,
    ]),
    sentence: (language) => fitSentence[language](fit, fitted),
  }
}

const patternNames: Record<'en' | 'ko', Record<PatternId, string>> = {
  en: {
    random: 'a random positive pattern',
    shift: 'a cyclic shift',
    permutation: 'a random permutation',
    diagonal: 'the identity',
    blocks: 'a block pattern',
    uniform: 'the uniform pattern',
    own: 'a pattern of our own',
  },
  ko: {
    random: '무작위 양수 패턴',
    shift: '순환 이동 패턴',
    permutation: '무작위 치환 패턴',
    diagonal: '항등 패턴',
    blocks: '블록 패턴',
    uniform: '균일 패턴',
    own: '직접 정한 패턴',
  },
}

/** d_k = 1, 2, 4, ... and the last: enough to see the course of it. */
function course({ dims }: Fit): { headDims: string; divergences: string } {
  const chosen = dims.filter(({ headDim }) => {
    return Math.log2(headDim) % 1 === 0 || headDim === dims.length
  })
  return {
    headDims: chosen.map(({ headDim }) => String(headDim)).join(', '),
    divergences: chosen.map(({ divergence }) => decimal(divergence)).join(', '),
  }
}

const fitSentence: Record<'en' | 'ko', (fit: Fit, fitted: FittedPattern) => string> = {
  en: (fit, { pattern, length, norm, seed }) => {
    const { headDims, divergences } = course(fit)
    return `We fitted free queries and keys of a single head to ${patternNames.en[pattern]} over n = ${String(length)} tokens, with scores of a root mean square of at most ${String(norm)}; the lowest mean KL divergence found for d_k = ${headDims} was ${divergences} nats (L-BFGS, four starts, seed ${String(seed)}). These are upper bounds found by a local search for one pattern; they do not show what a trained model needs or learns.`
  },
  ko: (fit, { pattern, length, norm, seed }) => {
    const { headDims, divergences } = course(fit)
    return `토큰 n = ${String(length)}개의 ${patternNames.ko[pattern]}에 헤드 하나의 쿼리와 키를 자유롭게 맞추었다. 점수의 제곱평균제곱근은 ${String(norm)} 이하로 제한했다. d_k = ${headDims}에서 찾은 가장 작은 평균 KL 발산은 ${divergences} nat이다(L-BFGS, 시작점 네 개, 시드 ${String(seed)}). 패턴 하나에서 국소 탐색으로 찾은 상한이며, 학습한 모델에 무엇이 필요한지나 모델이 무엇을 배우는지를 보이지는 않는다.`
  },
}
