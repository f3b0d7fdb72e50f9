// The catalogue of chapter 1 in the language that is shown.
import type { LookMessages } from './en'

let shown = $state.raw<LookMessages | null>(null)

export function showCatalogue(look: LookMessages): void {
  shown = look
}

export const catalogue = {
  get look(): LookMessages {
    if (!shown) throw new Error('catalogue.look: read before the chapter was opened')
    return shown
  },
}
