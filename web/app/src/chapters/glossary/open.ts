// Opens chapter 15: its component and the catalogue of one language.
import type { OpenChapter } from '../registry'
import type { Language } from '../../state/view'
import { showCatalogue } from './catalogue.svelte'
import type { GlossaryMessages } from './en'
import Glossary from './Glossary.svelte'

const catalogues: Record<Language, () => Promise<{ glossary: GlossaryMessages }>> = {
  en: () => import('./en'),
  ko: () => import('./ko'),
}

export async function open(language: Language): Promise<OpenChapter> {
  const { glossary } = await catalogues[language]()
  const parts = Object.entries(glossary.parts).map(([id, name]) => ({
    id: `glossary-${id}`,
    name,
  }))
  const show = () => showCatalogue(glossary)
  return { component: Glossary, title: glossary.windowTitle, parts, show }
}
