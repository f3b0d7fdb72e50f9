// The sentences behind a score: what one head predicts along one relation.
import { invalidArgument } from '../errors.js'
import type { HeadReference, HeadRoles, RoleDirection, RoleExample } from '../types/head-roles.js'
import type { TreebankSentence } from '../types/treebank.js'
import { roleDirections } from '../model/head-analysis.js'
import { describe } from '../validate/describe.js'

/**
 * Every dependent of the relation with the head's prediction, right ones and wrong ones in the order
 * of the sentences: those that `headRoles` with `predictions: true` has judged.
 */
export function roleExamples(
  roles: HeadRoles,
  sentences: readonly TreebankSentence[],
  which: HeadReference & { relation: string; direction: RoleDirection },
): RoleExample[] {
  const { predictions } = Object(roles) as Partial<HeadRoles>
  if (predictions === undefined) {
    throw invalidArgument('roles', 'a result with predictions', describe(roles))
  }
  const list: unknown = sentences
  if (!Array.isArray(list)) {
    throw invalidArgument('sentences', 'the sentences of the result', describe(list))
  }
  if (typeof which !== 'object' || (which as object | null) === null) {
    throw invalidArgument('which', '{ layer, head, relation, direction }', describe(which))
  }
  const heads = roles.measures.self.mean.dims[1] ?? 0
  const columns = predictions.predicted.length / Math.max(predictions.word.length, 1)
  const direction = roleDirections.indexOf(which.direction)
  const column = (direction * columns) / 2 + which.layer * heads + which.head
  const examples: RoleExample[] = []
  predictions.sentence.forEach((sentence, i) => {
    const dependent = predictions.word[i] ?? 0
    const word = sentences[sentence]?.words[dependent]
    if (word?.relation !== which.relation) return
    const predicted = predictions.predicted[i * columns + column] ?? -1
    const { head } = word
    examples.push({ sentence, dependent, head, predicted, right: predicted === head })
  })
  return examples
}
