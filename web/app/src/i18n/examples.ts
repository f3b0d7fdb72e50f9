// The example sentences that the catalogues describe, and the view each is opened in. The list is
// checked against the model's own when the page is built.
import type { View } from '../state/view'

type Place = Pick<View, 'layer' | 'head' | 'token'>

const places = {
  'cat-tired': { layer: 3, head: 1, token: 8 },
  'cat-soft': { layer: 3, head: 1, token: 8 },
  'alice-key': { layer: 3, head: 1, token: 7 },
  counting: { layer: 0, head: 2, token: 4 },
  determiners: { layer: 2, head: 8, token: 1 },
  objects: { layer: 2, head: 0, token: 5 },
  prepositions: { layer: 2, head: 8, token: 9 },
  repeated: { layer: 2, head: 9, token: 11 },
  negation: { layer: 4, head: 7, token: 5 },
  question: { layer: 3, head: 1, token: 6 },
  'two-banks': { layer: 2, head: 9, token: 12 },
  'relative-clause': { layer: 5, head: 11, token: 17 },
  pieces: { layer: 4, head: 9, token: 4 },
  numbers: { layer: 0, head: 2, token: 8 },
  'flood-pair': { layer: 5, head: 4, token: 14 },
} as const satisfies Record<string, Place>

export type ExampleId = keyof typeof places
export const exampleIds: readonly string[] = Object.keys(places)

export function isExampleId(id: string): id is ExampleId {
  return Object.hasOwn(places, id)
}

/** The head and the token that show what the example is there for. */
export function exampleView(id: ExampleId): Place {
  return places[id]
}
