// The chapters there are, in order. Each is fetched when it is opened, in the language that is
// shown; a chapter that does not exist yet is not in this list, and so not on the page.
import type { Component } from 'svelte'
import type { ChapterId, Language } from '../state/view'

export interface Chapter {
  id: ChapterId
  /** The number in the book; it stays when chapters before it are missing. */
  number: number
  open: (language: Language) => Promise<OpenChapter>
}

/** A component with its catalogue, ready to be mounted. */
export interface OpenChapter {
  component: Component
  /** For the title of the window. */
  title: string
  /** Parts of the chapter that the rail lists: identifiers of elements and their names. */
  parts: readonly { id: string; name: string }[]
  /** Puts the catalogue on screen, where it takes the place of another language. */
  show: () => void
}

const registry: Record<ChapterId, Chapter> = {
  look: {
    id: 'look',
    number: 1,
    open: async (language) => (await import('./look/open')).open(language),
  },
  why: {
    id: 'why',
    number: 2,
    open: async (language) => (await import('./why-many/open')).open(language),
  },
  steps: {
    id: 'steps',
    number: 3,
    open: async (language) => (await import('./steps/open')).open(language),
  },
  scale: {
    id: 'scale',
    number: 4,
    open: async (language) => (await import('./scale/open')).open(language),
  },
  parameters: {
    id: 'parameters',
    number: 5,
    open: async (language) => (await import('./parameters/open')).open(language),
  },
  subspaces: {
    id: 'subspaces',
    number: 6,
    open: async (language) => (await import('./subspaces/open')).open(language),
  },
  roles: {
    id: 'roles',
    number: 7,
    open: async (language) => (await import('./roles/open')).open(language),
  },
  ablation: {
    id: 'ablation',
    number: 8,
    open: async (language) => (await import('./ablation/open')).open(language),
  },
  rank: {
    id: 'rank',
    number: 9,
    open: async (language) => (await import('./too-thin/open')).open(language),
  },
  variants: {
    id: 'variants',
    number: 10,
    open: async (language) => (await import('./variants/open')).open(language),
  },
  speed: {
    id: 'speed',
    number: 11,
    open: async (language) => (await import('./memory-speed/open')).open(language),
  },
  cross: {
    id: 'cross',
    number: 12,
    open: async (language) => (await import('./cross/open')).open(language),
  },
  glossary: {
    id: 'glossary',
    number: 15,
    open: async (language) => (await import('./glossary/open')).open(language),
  },
}

export const chapters: readonly Chapter[] = Object.values(registry)

export function chapterOf(id: ChapterId): Chapter {
  return registry[id]
}
