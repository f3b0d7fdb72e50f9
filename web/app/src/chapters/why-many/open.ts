// Opens chapter 2: its component and the catalogue of one language.
import type { OpenChapter } from '../registry'
import type { Language } from '../../state/view'
import { showCatalogue } from './catalogue.svelte'
import type { WhyMessages } from './en'
import Why from './Why.svelte'

const catalogues: Record<Language, () => Promise<{ why: WhyMessages }>> = {
  en: () => import('./en'),
  ko: () => import('./ko'),
}

export async function open(language: Language): Promise<OpenChapter> {
  const { why } = await catalogues[language]()
  const parts = Object.entries(why.parts).map(([id, name]) => ({ id: `why-${id}`, name }))
  const show = () => showCatalogue(why)
  return { component: Why, title: why.windowTitle, parts, show }
}
