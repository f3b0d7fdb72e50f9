// Free functions of both entrances: no runtime, no WebAssembly.
export { attentionNames } from './attention-names.js'
export { groupTokens, type TokenGroup } from './group-tokens.js'
export { parameterCount, parameterParts, type ParameterCountOptions } from './parameter-count.js'
export { scoreHeads, type HeadPattern, type ScoreHeadsOptions } from './score-heads.js'
export { roleExamples } from './role-examples.js'
export { parseTreebank, plainTreebank, readTreebank } from './treebank.js'
