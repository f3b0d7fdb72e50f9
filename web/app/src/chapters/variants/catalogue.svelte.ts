// The catalogue of chapter 10 in the language that is shown.
import type { VariantsMessages } from './en'

let shown = $state.raw<VariantsMessages | null>(null)

export function showCatalogue(variants: VariantsMessages): void {
  shown = variants
}

export const catalogue = {
  get variants(): VariantsMessages {
    if (!shown) throw new Error('catalogue.variants: read before the chapter was opened')
    return shown
  },
}
