// English sentences for the translator, each with something worth seeing. Pure.

const texts = {
  order: 'Tom bought a red car.',
  negation: 'I do not like cold coffee.',
  object: 'She sees me every day.',
  question: 'Where is the station?',
  you: 'Are you happy?',
  gender: 'My sister is very tired.',
  cat: 'The cat sat on the mat because it was tired',
  limits: 'Attention weights are not an explanation.',
} as const

export type ExampleId = keyof typeof texts
export const exampleIds = Object.keys(texts) as ExampleId[]

export const exampleText = (id: ExampleId): string => texts[id]
