// The analyses of a model's heads, by the names under which the Worker is asked for them.
import { coreferenceSteps } from './coreference.js'
import { headImportanceSteps } from './head-importance.js'
import { headRolesSteps } from './head-roles.js'
import { lossSteps, meanHeadOutputsSteps } from './model-loss.js'
import { pruningSteps } from './pruning.js'

export const headAnalyses = {
  headRoles: headRolesSteps,
  coreference: coreferenceSteps,
  loss: lossSteps,
  headImportance: headImportanceSteps,
  pruning: pruningSteps,
  meanHeadOutputs: meanHeadOutputsSteps,
}

export type HeadAnalysis = keyof typeof headAnalyses
