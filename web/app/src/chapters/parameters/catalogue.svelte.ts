// The catalogue of chapter 5 in the language that is shown.
import type { ParametersMessages } from './en'

let shown = $state.raw<ParametersMessages | null>(null)

export function showCatalogue(parameters: ParametersMessages): void {
  shown = parameters
}

export const catalogue = {
  get parameters(): ParametersMessages {
    if (!shown) throw new Error('catalogue.parameters: read before the chapter was opened')
    return shown
  },
}
