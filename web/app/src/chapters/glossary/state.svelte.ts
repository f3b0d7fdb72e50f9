// How chapter 15 changes the view.
import type { GlossaryView } from '../../state/glossaryView'
import { change, view, type Step } from '../../state/view.svelte'

export function setGlossary(part: Partial<GlossaryView>, step: Step = 'push'): void {
  change({ glossary: { ...view.current.glossary, ...part } }, step)
}
