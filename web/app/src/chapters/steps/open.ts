// Opens chapter 3: its component and the catalogue of one language.
import type { OpenChapter } from '../registry'
import type { Language } from '../../state/view'
import { showCatalogue } from './catalogue.svelte'
import type { StepsMessages } from './en'
import Steps from './Steps.svelte'

const catalogues: Record<Language, () => Promise<{ steps: StepsMessages }>> = {
  en: () => import('./en'),
  ko: () => import('./ko'),
}

export async function open(language: Language): Promise<OpenChapter> {
  const { steps } = await catalogues[language]()
  const parts = Object.entries(steps.parts).map(([id, name]) => ({ id: `steps-${id}`, name }))
  const show = () => showCatalogue(steps)
  return { component: Steps, title: steps.windowTitle, parts, show }
}
