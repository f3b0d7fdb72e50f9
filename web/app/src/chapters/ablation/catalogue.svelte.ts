// The catalogue of chapter 8 in the language that is shown.
import type { AblationMessages } from './en'

let shown = $state.raw<AblationMessages | null>(null)

export function showCatalogue(ablation: AblationMessages): void {
  shown = ablation
}

export const catalogue = {
  get ablation(): AblationMessages {
    if (!shown) throw new Error('catalogue.ablation: read before the chapter was opened')
    return shown
  },
}
