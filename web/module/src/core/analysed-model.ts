// A model with the analyses of its heads, on one thread.
import { columnsOf } from '../model/head-analysis.js'
import type {
  HeadImportance,
  HeadImportanceOptions,
  PairLoss,
  PairLossOptions,
  PruningCurves,
  PruningOptions,
  SentencePair,
} from '../types/head-importance.js'
import type {
  CoreferenceExample,
  CoreferenceOptions,
  CoreferenceScores,
  HeadRoles,
  HeadRolesOptions,
} from '../types/head-roles.js'
import type { ModelOf } from '../types/model.js'
import type { CallOptions } from '../types/runtime.js'
import type { Tensor } from '../types/tensor.js'
import type { TreebankSentence } from '../types/treebank.js'
import {
  checkCoreference,
  checkHeadImportance,
  checkHeadRoles,
  checkMeanHeadOutputs,
  checkPairLoss,
  checkPruning,
} from '../validate/head-analysis.js'
import { headAnalyses } from './head-analyses.js'
import { CoreModel } from './model.js'
import { finish, throwIfAborted, type Steps } from './steps.js'

export class AnalysedModel extends CoreModel implements ModelOf<'sync'> {
  headRoles(sentences: readonly TreebankSentence[], options: HeadRolesOptions = {}): HeadRoles {
    this.transformer.checkAlive()
    checkHeadRoles(sentences, options)
    return this.#analyse(headAnalyses.headRoles(this, columnsOf(sentences), options))
  }

  coreference(
    examples: readonly CoreferenceExample[],
    options: CoreferenceOptions = {},
  ): CoreferenceScores {
    this.transformer.checkAlive()
    checkCoreference(examples, options)
    return this.#analyse(headAnalyses.coreference(this, examples, options))
  }

  pairLoss(pairs: readonly SentencePair[], options: PairLossOptions = {}): PairLoss {
    this.transformer.checkAlive()
    checkPairLoss(pairs, options, this.config)
    return this.#analyse(headAnalyses.pairLoss(this, pairs, options))
  }

  headImportance(
    pairs: readonly SentencePair[],
    options: HeadImportanceOptions = {},
  ): HeadImportance {
    this.transformer.checkAlive()
    checkHeadImportance(pairs, options)
    return this.#analyse(headAnalyses.headImportance(this, pairs, options))
  }

  pruning(pairs: readonly SentencePair[], options: PruningOptions = {}): PruningCurves {
    this.transformer.checkAlive()
    checkPruning(pairs, options, this.config)
    return this.#analyse(headAnalyses.pruning(this, pairs, options))
  }

  meanHeadOutputs(texts: readonly string[], options: CallOptions = {}): Tensor {
    this.transformer.checkAlive()
    checkMeanHeadOutputs(texts, options)
    throwIfAborted(options)
    return this.#analyse(headAnalyses.meanHeadOutputs(this, texts))
  }

  #analyse<T>(steps: Steps<T>): T {
    this.throwIfFailed()
    return finish(steps)
  }
}
