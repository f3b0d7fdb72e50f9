// The analyses of a model's heads, by the names under which the Worker is asked for them.
import { coreferenceSteps } from './coreference.js'
import { headImportanceSteps } from './head-importance.js'
import { headRolesSteps } from './head-roles.js'
import { meanHeadOutputsSteps, pairLossSteps } from './pair-loss.js'
import { pruningSteps } from './pruning.js'

export const headAnalyses = {
  headRoles: headRolesSteps,
  coreference: coreferenceSteps,
  pairLoss: pairLossSteps,
  headImportance: headImportanceSteps,
  pruning: pruningSteps,
  meanHeadOutputs: meanHeadOutputsSteps,
}

export type HeadAnalysis = keyof typeof headAnalyses
