// What a model is judged on, as tokens; and the runs that find the loss on them, by its kind.
import { HeadwiseError, invalidArgument } from '../errors.js'
import { encodeText } from '../model/inputs.js'
import type { LossKind, LossSample } from '../types/head-importance.js'
import type { ModelConfig } from '../types/model-config.js'
import type { Encoding } from '../types/tokens.js'
import type { HeadEdit, SampleLosses, Sequence } from './kept-runs.js'
import type { CoreModel } from './model.js'
import { PairRuns } from './pair-runs.js'
import type { Scope } from './scope.js'
import { checkKind } from './sentence-batches.js'
import type { Steps } from './steps.js'
import { TokenRuns, type JudgedSequence } from './token-runs.js'

/** A sample as tokens: the two of a pair, the source with each answer, or one text. */
export interface EncodedSample {
  sequences: readonly Sequence[]
  /** Of a decoder's text: bytes in UTF-8 that are foretold. */
  bytes: number
}

/** Samples that pass through the model again and again. */
export interface LossRuns {
  readonly samples: number
  embed(): Steps<void>
  advance(heads: ReadonlySet<number>, edit: HeadEdit): Steps<void>
  loss(heads: ReadonlySet<number>, edit: HeadEdit): Steps<SampleLosses>
  means(): Steps<Float32Array>
}

export function lossKindOf({ kind }: ModelConfig): LossKind {
  if (kind === 'encoder') return 'contrastive'
  return kind === 'decoder' ? 'next-token' : 'target-token'
}

/** Refuses a model that has no such loss. */
export function checkHasLoss(model: CoreModel): void {
  checkKind(model, ['encoder', 'decoder', 'encoder-decoder'])
  const { kind, head, modelType } = model.config
  if (kind === 'encoder' || head === 'lm') return
  throw new HeadwiseError({
    code: 'UNSUPPORTED',
    argument: 'model',
    expected: 'a model with a language-model head',
    received: `${modelType} with the head '${head}'`,
  })
}

export function openRuns(
  model: CoreModel,
  scope: Scope,
  samples: readonly EncodedSample[],
): LossRuns {
  const sequences = samples.map((sample) => sample.sequences)
  if (model.config.kind === 'encoder') return new PairRuns(model, scope, sequences)
  return new TokenRuns(model, scope, sequences as JudgedSequence[][])
}

/** The tokens of every sample; one that is too long for the model, or too short, is refused by name. */
export function* encodeSamples(
  model: CoreModel,
  samples: readonly LossSample[],
): Steps<EncodedSample[]> {
  checkHasLoss(model)
  const encoded: EncodedSample[] = []
  for (const [i, sample] of samples.entries()) {
    if (i % 64 === 63) yield
    encoded.push(encodeSample(model, sample, i))
  }
  return encoded
}

function encodeSample(model: CoreModel, sample: LossSample, i: number): EncodedSample {
  if (typeof sample === 'string') return textSample(model, sample, `texts[${i}]`)
  const [first, ...others] = sample
  const name = (side: number) => `pairs[${i}][${side}]`
  const ids = idsOf(model, first, name(0))
  const sequences = others.map((text, k) =>
    model.config.kind === 'encoder'
      ? { ids: idsOf(model, text, name(k + 1)) }
      : answered(model, ids, idsOf(model, text, name(k + 1)), name(k + 1)),
  )
  return {
    sequences: model.config.kind === 'encoder' ? [{ ids }, ...sequences] : sequences,
    bytes: 0,
  }
}

function idsOf(model: CoreModel, text: string, argument: string): Int32Array {
  return Int32Array.from(encodeText(model, text, argument).ids)
}

/** Each token of a text from those before it. */
function textSample(model: CoreModel, text: string, argument: string): EncodedSample {
  const encoding = encodeText(model, text, argument)
  const { ids } = encoding
  if (ids.length < 2) throw invalidArgument(argument, 'at least 2 tokens', String(ids.length))
  const bytes = bytesOf(text) - bytesOfFirst(text, encoding)
  const labels = Int32Array.from(ids, (_, i) => ids[i + 1] ?? -1)
  return { sequences: [{ ids: Int32Array.from(ids), labels } as JudgedSequence], bytes }
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Bytes of the text that its first token stands for: those are given, not foretold. */
function bytesOfFirst(text: string, { tokens, spans: [first, second] }: Encoding): number {
  if (!first) return 0
  const isPart = second?.[0] === first[0] && second[1] === first[1]
  if (!isPart) return bytesOf(text.slice(0, first[1]))
  // A part of a character, which vocabularies write as a sign for each byte, or as <0xF0>.
  const [token = ''] = tokens
  const own = /^<0x[\dA-F]{2}>$/.test(token) ? 1 : Array.from(token).length
  return bytesOf(text.slice(0, first[0])) + own
}

/** The tokens of a target from the source and those before it; those that decoding is given are not judged. */
function answered(
  { config }: CoreModel,
  ids: Int32Array,
  target: Int32Array,
  argument: string,
): JudgedSequence {
  const start = config.generation?.startIds ?? []
  const given = start.slice(1)
  const rest = given.every((id, i) => target[i] === id) ? target.slice(given.length) : target
  if (rest.length === 0) throw invalidArgument(argument, 'at least 1 token', 'none')
  return {
    ids,
    decoderIds: Int32Array.from([...start, ...rest.slice(0, -1)]),
    labels: Int32Array.from([...given.map(() => -1), ...rest]),
  }
}
