// The catalogue of the frame in the language that is shown. A language is fetched when it is wanted
// for the first time; until then the old one stays on screen.
import { languages, type Language } from '../state/view'
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

/** Fetches the frame's words; the result puts them on screen. Rejects when they do not come. */
export async function loadFrame(language: Language): Promise<() => void> {
  const { frame } = await catalogues[language]()
  return () => {
    shown = frame
    document.documentElement.lang = language
  }
}

/** The wanted language first, then those that can stand in for it. */
export function inOrderOf(wanted: Language): Language[] {
  return [wanted, ...languages.filter((language) => language !== wanted)]
}
