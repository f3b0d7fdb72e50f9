// The catalogue of chapter 11 in the language that is shown.
import type { SpeedMessages } from './en'

let shown = $state.raw<SpeedMessages | null>(null)

export function showCatalogue(speed: SpeedMessages): void {
  shown = speed
}

export const catalogue = {
  get speed(): SpeedMessages {
    if (!shown) throw new Error('catalogue.speed: read before the chapter was opened')
    return shown
  },
}
