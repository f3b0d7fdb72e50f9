// What the page remembers between visits: two words, the language and the theme. A browser that
// forbids storage simply forgets.

type Key = 'language' | 'theme'

export function recall(key: Key): string | null {
  try {
    return localStorage.getItem(`headwise.${key}`)
  } catch {
    return null
  }
}

export function remember(key: Key, value: string): void {
  try {
    localStorage.setItem(`headwise.${key}`, value)
  } catch {
    // Storage is full or forbidden; nothing else depends on it.
  }
}
