// Light, dark, or as the system has it. The choice is the reader's, not the view's: it is no part
// of a link.
import { recall, remember } from './storage'

export const themeChoices = ['system', 'light', 'dark'] as const
export type ThemeChoice = (typeof themeChoices)[number]

const systemDark = matchMedia('(prefers-color-scheme: dark)')

let choice = $state<ThemeChoice>(themeChoices.find((each) => each === recall('theme')) ?? 'system')
let systemIsDark = $state(systemDark.matches)

systemDark.addEventListener('change', (event) => {
  systemIsDark = event.matches
})

export const theme = {
  get choice(): ThemeChoice {
    return choice
  },
  /** What is on screen now. */
  get shown(): 'light' | 'dark' {
    if (choice !== 'system') return choice
    return systemIsDark ? 'dark' : 'light'
  },
}

export function chooseTheme(next: ThemeChoice): void {
  choice = next
  remember('theme', next)
  applyTheme()
}

/** Tells the style sheet, whose colours are written with `light-dark()`. */
export function applyTheme(): void {
  if (choice === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = choice
}
