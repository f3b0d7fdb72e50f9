// A model with the analyses of its heads, on one thread.
import { columnsOf } from '../model/head-analysis.js'
import type {
  AnsweredText,
  HeadImportance,
  HeadImportanceOptions,
  LossSample,
  ModelLoss,
  ModelLossOptions,
  PruningCurves,
  PruningOptions,
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
  checkLoss,
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

  loss(samples: readonly LossSample[], options: ModelLossOptions = {}): ModelLoss {
    this.transformer.checkAlive()
    checkLoss(samples, options, this.config)
    return this.#analyse(headAnalyses.loss(this, samples, options))
  }

  pairLoss(samples: readonly LossSample[], options: ModelLossOptions = {}): ModelLoss {
    return this.loss(samples, options)
  }

  headImportance(
    samples: readonly LossSample[],
    options: HeadImportanceOptions = {},
  ): HeadImportance {
    this.transformer.checkAlive()
    checkHeadImportance(samples, options, this.config)
    return this.#analyse(headAnalyses.headImportance(this, samples, options))
  }

  pruning(samples: readonly LossSample[], options: PruningOptions = {}): PruningCurves {
    this.transformer.checkAlive()
    checkPruning(samples, options, this.config)
    return this.#analyse(headAnalyses.pruning(this, samples, options))
  }

  meanHeadOutputs(
    texts: readonly string[] | readonly AnsweredText[],
    options: CallOptions = {},
  ): Tensor {
    this.transformer.checkAlive()
    checkMeanHeadOutputs(texts, options, this.config)
    throwIfAborted(options)
    return this.#analyse(headAnalyses.meanHeadOutputs(this, texts))
  }

  #analyse<T>(steps: Steps<T>): T {
    this.throwIfFailed()
    return finish(steps)
  }
}
