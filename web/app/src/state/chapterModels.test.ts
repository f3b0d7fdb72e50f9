import { expect, it } from 'vitest'
import { isModelName, modelNames } from '../runtime/models.svelte'
import { chapterIds, defaultView } from './view'
import { modelIn, modelsOf } from './chapterModels'

it('every chapter takes models that there are, and the one that comes with the page', () => {
  for (const chapter of chapterIds) {
    expect(modelsOf(chapter)).toContain(defaultView.model)
    expect(modelsOf(chapter).every(isModelName)).toBe(true)
  }
})

it('a chapter works with the model of the address where it takes it', () => {
  for (const model of modelNames) expect(modelIn({ chapter: 'ablation', model })).toBe(model)
  expect(modelIn({ chapter: 'parameters', model: 'translate-en-fr' })).toBe('minilm-l6')
  expect(modelIn({ chapter: 'ablation', model: 'no-such-model' })).toBe('minilm-l6')
})
