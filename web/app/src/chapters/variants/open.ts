// Opens chapter 10: its component and the catalogue of one language.
import type { OpenChapter } from '../registry'
import type { Language } from '../../state/view'
import { showCatalogue } from './catalogue.svelte'
import type { VariantsMessages } from './en'
import Variants from './Variants.svelte'

const catalogues: Record<Language, () => Promise<{ variants: VariantsMessages }>> = {
  en: () => import('./en'),
  ko: () => import('./ko'),
}

export async function open(language: Language): Promise<OpenChapter> {
  const { variants } = await catalogues[language]()
  const parts = Object.entries(variants.parts).map(([id, name]) => ({ id: `variants-${id}`, name }))
  const show = () => showCatalogue(variants)
  return { component: Variants, title: variants.windowTitle, parts, show }
}
