// The catalogue of chapter 3 in the language that is shown.
import type { StepsMessages } from './en'

let shown = $state.raw<StepsMessages | null>(null)

export function showCatalogue(steps: StepsMessages): void {
  shown = steps
}

export const catalogue = {
  get steps(): StepsMessages {
    if (!shown) throw new Error('catalogue.steps: read before the chapter was opened')
    return shown
  },
}
