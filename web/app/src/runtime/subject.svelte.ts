// The model that the open chapter works with, and how far it has come.
import { messages } from '../i18n/messages.svelte'
import { modelIn } from '../state/chapterModels'
import { view } from '../state/view.svelte'
import type { ModelName, ModelState } from './models.svelte'
import { shipped } from './session.svelte'

export function labelOf(name: ModelName): string {
  return `${messages.frame.model.shipped[name].name} (${shipped(name).state.config?.dtype ?? ''})`
}

export const subject = {
  get name(): ModelName {
    return modelIn(view.current)
  },
  get state(): ModelState {
    return shipped(this.name).state
  },
  /** As files and figures name it: `all-MiniLM-L6-v2 (int8)`. */
  get label(): string {
    return labelOf(this.name)
  },
  /** Share of its weights that has arrived, 0..1. */
  get share(): number {
    return shipped(this.name).share
  },
}
