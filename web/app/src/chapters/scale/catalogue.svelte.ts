// The catalogue of chapter 4 in the language that is shown.
import type { ScaleMessages } from './en'

let shown = $state.raw<ScaleMessages | null>(null)

export function showCatalogue(scale: ScaleMessages): void {
  shown = scale
}

export const catalogue = {
  get scale(): ScaleMessages {
    if (!shown) throw new Error('catalogue.scale: read before the chapter was opened')
    return shown
  },
}
