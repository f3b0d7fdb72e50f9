// Opens chapter 9: its component and the catalogue of one language.
import type { OpenChapter } from '../registry'
import type { Language } from '../../state/view'
import { showCatalogue } from './catalogue.svelte'
import type { RankMessages } from './en'
import TooThin from './TooThin.svelte'

const catalogues: Record<Language, () => Promise<{ rank: RankMessages }>> = {
  en: () => import('./en'),
  ko: () => import('./ko'),
}

export async function open(language: Language): Promise<OpenChapter> {
  const { rank } = await catalogues[language]()
  const parts = Object.entries(rank.parts).map(([id, name]) => ({ id: `rank-${id}`, name }))
  return {
    component: TooThin,
    title: rank.windowTitle,
    parts,
    show: () => {
      showCatalogue(rank)
    },
  }
}
