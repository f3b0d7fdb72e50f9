// Opens chapter 12: its component and the catalogue of one language.
import type { OpenChapter } from '../registry'
import type { Language } from '../../state/view'
import { showCatalogue } from './catalogue.svelte'
import Cross from './Cross.svelte'
import type { CrossMessages } from './en'

const catalogues: Record<Language, () => Promise<{ cross: CrossMessages }>> = {
  en: () => import('./en'),
  ko: () => import('./ko'),
}

export async function open(language: Language): Promise<OpenChapter> {
  const { cross } = await catalogues[language]()
  const parts = Object.entries(cross.parts).map(([id, name]) => ({ id: `cross-${id}`, name }))
  const show = () => showCatalogue(cross)
  return { component: Cross, title: cross.windowTitle, parts, show }
}
