// Opens chapter 11: its component and the catalogue of one language.
import type { OpenChapter } from '../registry'
import type { Language } from '../../state/view'
import { showCatalogue } from './catalogue.svelte'
import type { SpeedMessages } from './en'
import Speed from './Speed.svelte'

const catalogues: Record<Language, () => Promise<{ speed: SpeedMessages }>> = {
  en: () => import('./en'),
  ko: () => import('./ko'),
}

export async function open(language: Language): Promise<OpenChapter> {
  const { speed } = await catalogues[language]()
  const parts = Object.entries(speed.parts).map(([id, name]) => ({ id: `speed-${id}`, name }))
  const show = () => showCatalogue(speed)
  return { component: Speed, title: speed.windowTitle, parts, show }
}
