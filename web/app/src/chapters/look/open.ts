// Opens chapter 1: its component and the catalogue of one language.
import type { OpenChapter } from '../registry'
import type { Language } from '../../state/view'
import { showCatalogue } from './catalogue.svelte'
import type { LookMessages } from './en'
import Look from './Look.svelte'

const catalogues: Record<Language, () => Promise<{ look: LookMessages }>> = {
  en: () => import('./en'),
  ko: () => import('./ko'),
}

export async function open(language: Language): Promise<OpenChapter> {
  const { look } = await catalogues[language]()
  const parts = Object.entries(look.parts).map(([id, name]) => ({ id: `look-${id}`, name }))
  const show = () => showCatalogue(look)
  return { component: Look, title: look.windowTitle, parts, show }
}
