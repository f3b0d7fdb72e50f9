// The example sentences that the catalogues describe, and the view each is opened in. The list is
// checked against the model's own when the page is built.
import type { View } from '../state/view'

export const exampleIds = ['it-tired'] as const
export type ExampleId = (typeof exampleIds)[number]

export function isExampleId(id: string): id is ExampleId {
  return exampleIds.some((known) => known === id)
}

const views: Record<ExampleId, Pick<View, 'layer' | 'head' | 'token'>> = {
  'it-tired': { layer: 3, head: 1, token: 8 },
}

/** The head and the token that show what the example is there for. */
export function exampleView(id: ExampleId): Pick<View, 'layer' | 'head' | 'token'> {
  return views[id]
}
