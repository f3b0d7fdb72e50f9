// The catalogue of the frame in the language that is shown. A language is fetched when it is wanted
// for the first time; until then the old one stays on screen.
import type { Language } from '../state/view'
import type { FrameMessages } from './frame.en'

const catalogues: Record<Language, () => Promise<{ frame: FrameMessages }>> = {
  en: () => import('./frame.en'),
  ko: () => import('./frame.ko'),
}

let shown = $state.raw<FrameMessages | null>(null)

export const messages = {
  /** Only read below the root component, which waits for the first catalogue. */
  get frame(): FrameMessages {
    if (!shown) throw new Error('messages.frame: read before a catalogue was loaded')
    return shown
  },
}

let wanted: Language | null = null

/** Shows the frame in a language; of several calls the last one wins. */
export async function showLanguage(language: Language): Promise<void> {
  wanted = language
  const { frame } = await catalogues[language]()
  if (wanted !== language) return
  shown = frame
  document.documentElement.lang = language
}
