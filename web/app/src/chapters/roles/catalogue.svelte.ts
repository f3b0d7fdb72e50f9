// The catalogue of chapter 7 in the language that is shown.
import type { RolesMessages } from './en'

let shown = $state.raw<RolesMessages | null>(null)

export function showCatalogue(roles: RolesMessages): void {
  shown = roles
}

export const catalogue = {
  get roles(): RolesMessages {
    if (!shown) throw new Error('catalogue.roles: read before the chapter was opened')
    return shown
  },
}
