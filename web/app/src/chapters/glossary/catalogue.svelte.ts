// The catalogue of chapter 15 in the language that is shown.
import type { GlossaryMessages } from './en'

let shown = $state.raw<GlossaryMessages | null>(null)

export function showCatalogue(glossary: GlossaryMessages): void {
  shown = glossary
}

export const catalogue = {
  get glossary(): GlossaryMessages {
    if (!shown) throw new Error('catalogue.glossary: read before the chapter was opened')
    return shown
  },
}
