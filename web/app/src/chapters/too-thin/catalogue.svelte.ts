// The catalogue of chapter 9 in the language that is shown.
import type { RankMessages } from './en'

let shown = $state.raw<RankMessages | null>(null)

export function showCatalogue(rank: RankMessages): void {
  shown = rank
}

export const catalogue = {
  get rank(): RankMessages {
    if (!shown) throw new Error('catalogue.rank: read before the chapter was opened')
    return shown
  },
}
