// Opens chapter 7: its component and the catalogue of one language.
import type { OpenChapter } from '../registry'
import type { Language } from '../../state/view'
import { showCatalogue } from './catalogue.svelte'
import type { RolesMessages } from './en'
import Roles from './Roles.svelte'

const catalogues: Record<Language, () => Promise<{ roles: RolesMessages }>> = {
  en: () => import('./en'),
  ko: () => import('./ko'),
}

export async function open(language: Language): Promise<OpenChapter> {
  const { roles } = await catalogues[language]()
  const parts = Object.entries(roles.parts).map(([id, name]) => ({ id: `roles-${id}`, name }))
  const show = () => showCatalogue(roles)
  return { component: Roles, title: roles.windowTitle, parts, show }
}
