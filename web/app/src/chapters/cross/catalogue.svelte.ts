// The catalogue of chapter 12 in the language that is shown.
import type { CrossMessages } from './en'

let shown = $state.raw<CrossMessages | null>(null)

export function showCatalogue(cross: CrossMessages): void {
  shown = cross
}

export const catalogue = {
  get cross(): CrossMessages {
    if (!shown) throw new Error('catalogue.cross: read before the chapter was opened')
    return shown
  },
}
