// Opens chapter 8: its component and the catalogue of one language.
import type { OpenChapter } from '../registry'
import type { Language } from '../../state/view'
import Ablation from './Ablation.svelte'
import { showCatalogue } from './catalogue.svelte'
import type { AblationMessages } from './en'

const catalogues: Record<Language, () => Promise<{ ablation: AblationMessages }>> = {
  en: () => import('./en'),
  ko: () => import('./ko'),
}

export async function open(language: Language): Promise<OpenChapter> {
  const { ablation } = await catalogues[language]()
  const parts = Object.entries(ablation.parts).map(([id, name]) => ({ id: `ablation-${id}`, name }))
  const show = () => showCatalogue(ablation)
  return { component: Ablation, title: ablation.windowTitle, parts, show }
}
