// Opens chapter 5: its component and the catalogue of one language.
import type { OpenChapter } from '../registry'
import type { Language } from '../../state/view'
import { showCatalogue } from './catalogue.svelte'
import type { ParametersMessages } from './en'
import Parameters from './Parameters.svelte'

const catalogues: Record<Language, () => Promise<{ parameters: ParametersMessages }>> = {
  en: () => import('./en'),
  ko: () => import('./ko'),
}

export async function open(language: Language): Promise<OpenChapter> {
  const { parameters } = await catalogues[language]()
  const parts = Object.entries(parameters.parts).map(([id, name]) => ({
    id: `parameters-${id}`,
    name,
  }))
  const show = () => showCatalogue(parameters)
  return { component: Parameters, title: parameters.windowTitle, parts, show }
}
