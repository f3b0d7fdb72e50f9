// Opens chapter 6: its component and the catalogue of one language.
import type { OpenChapter } from '../registry'
import type { Language } from '../../state/view'
import { showCatalogue } from './catalogue.svelte'
import type { SubspacesMessages } from './en'
import Subspaces from './Subspaces.svelte'

const catalogues: Record<Language, () => Promise<{ subspaces: SubspacesMessages }>> = {
  en: () => import('./en'),
  ko: () => import('./ko'),
}

export async function open(language: Language): Promise<OpenChapter> {
  const { subspaces } = await catalogues[language]()
  const parts = Object.entries(subspaces.parts).map(([id, name]) => ({
    id: `subspaces-${id}`,
    name,
  }))
  const show = () => showCatalogue(subspaces)
  return { component: Subspaces, title: subspaces.windowTitle, parts, show }
}
