// The catalogue of chapter 6 in the language that is shown.
import type { SubspacesMessages } from './en'

let shown = $state.raw<SubspacesMessages | null>(null)

export function showCatalogue(subspaces: SubspacesMessages): void {
  shown = subspaces
}

export const catalogue = {
  get subspaces(): SubspacesMessages {
    if (!shown) throw new Error('catalogue.subspaces: read before the chapter was opened')
    return shown
  },
}
