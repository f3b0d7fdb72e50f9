// Opens chapter 4: its component and the catalogue of one language.
import type { OpenChapter } from '../registry'
import type { Language } from '../../state/view'
import { showCatalogue } from './catalogue.svelte'
import type { ScaleMessages } from './en'
import Scale from './Scale.svelte'

const catalogues: Record<Language, () => Promise<{ scale: ScaleMessages }>> = {
  en: () => import('./en'),
  ko: () => import('./ko'),
}

export async function open(language: Language): Promise<OpenChapter> {
  const { scale } = await catalogues[language]()
  const parts = Object.entries(scale.parts).map(([id, name]) => ({ id: `scale-${id}`, name }))
  const show = () => showCatalogue(scale)
  return { component: Scale, title: scale.windowTitle, parts, show }
}
