// Which of the site's models each chapter works with. Pure.
import type { ModelName } from '../runtime/models.svelte'
import type { ChapterId, View } from './view'

const [encoder, translator, languageModel] = ['minilm-l6', 'translate-en-fr', 'novels-lm'] as const

/** Chapters that take another model than the encoder that comes with the page. */
const accepted: Partial<Record<ChapterId, readonly ModelName[]>> = {
  subspaces: [encoder, translator],
  roles: [encoder, translator, languageModel],
  ablation: [encoder, translator, languageModel],
  rank: [encoder, translator],
  variants: [encoder, translator],
}

/** Chapters that open models of their own, whatever model is chosen. */
const opens: Partial<Record<ChapterId, readonly ModelName[]>> = {
  cross: [translator, languageModel],
}

/** Every model that is used in a chapter. */
export const modelsUsedIn = (chapter: ChapterId): readonly ModelName[] =>
  opens[chapter] ?? modelsOf(chapter)

/** What a reader may choose from in a chapter; the first one is shown unless another is chosen. */
export const modelsOf = (chapter: ChapterId): readonly ModelName[] => accepted[chapter] ?? [encoder]

/** The model that the open chapter works with: the one in the address, where the chapter takes it. */
export function modelIn({ chapter, model }: Pick<View, 'chapter' | 'model'>): ModelName {
  const models = modelsOf(chapter)
  return models.find((each) => each === model) ?? models[0] ?? encoder
}
