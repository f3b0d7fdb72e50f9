// Suggestions for a name that was mistyped.

/** Number of single-character insertions, deletions and replacements between two words. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next[j] = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
    }
    row = next
  }
  return row[b.length] ?? 0
}

function nearest(name: string, known: readonly string[]): string[] {
  const lower = name.toLowerCase()
  const distances = known.map((word) => ({
    word,
    distance: editDistance(lower, word.toLowerCase()),
  }))
  return distances
    .filter(({ word, distance }) => distance <= Math.max(2, word.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ word }) => word)
}

/** `known` as an expectation, led by the names that come near to `name`. */
export function nearNames(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  const all = `one of ${known.join(', ')}`
  return near.length === 0 ? all : `${near.join(' or ')} (${all})`
}

/** The same for lists too long for a message; `list` says where the whole list is. */
export function nearNamesOf(list: string, name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  const all = `one of ${list}`
  return near.length === 0 ? all : `${near.join(' or ')} (${all})`
}
