// Which part of the figure the reader points at, in the text or in the figure itself: the other one
// lights up too. Fleeting, so no part of the view.
import type { Attachment } from 'svelte/attachments'
import type { FigurePart } from '../i18n/inline'

let current = $state<FigurePart | null>(null)
const places: Partial<Record<FigurePart, HTMLElement>> = {}

export const lit = {
  get part(): FigurePart | null {
    return current
  },
}

export function light(part: FigurePart | null): void {
  current = part
}

/** Makes an element a part that text can point at; pointing at the element lights the text. */
export function figurePart(part: FigurePart): Attachment<HTMLElement> {
  return (element) => {
    const enter = (): void => {
      light(part)
    }
    const leave = (): void => {
      light(null)
    }
    places[part] = element
    element.addEventListener('pointerenter', enter)
    element.addEventListener('pointerleave', leave)
    return () => {
      element.removeEventListener('pointerenter', enter)
      element.removeEventListener('pointerleave', leave)
    }
  }
}

/** Brings a part into sight. */
export function showPart(part: FigurePart): void {
  places[part]?.scrollIntoView({ behavior: 'smooth', block: 'nearest' })
}
