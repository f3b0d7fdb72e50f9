// The catalogue of chapter 2 in the language that is shown.
import type { WhyMessages } from './en'

let shown = $state.raw<WhyMessages | null>(null)

export function showCatalogue(why: WhyMessages): void {
  shown = why
}

export const catalogue = {
  get why(): WhyMessages {
    if (!shown) throw new Error('catalogue.why: read before the chapter was opened')
    return shown
  },
}
