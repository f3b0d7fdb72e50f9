// Whether a text came from typing. A typed text keeps the reader's fixed token on its word; a text
// from a link, an example or the browser's history brings its token along.

let typed: string | null = null

export function noteTyped(text: string): void {
  typed = text
}

export function wasTyped(text: string): boolean {
  return typed === text
}
