// How a value that came is shown in an error.

/** A short rendering of any value: its type and, where it is small, its content. */
export function describe(value: unknown, depth = 0): string {
  switch (typeof value) {
    case 'string':
      return `'${value.length > 60 ? `${value.slice(0, 60)}…` : value}'`
    case 'number':
      return String(value)
    case 'bigint':
      return `${value}n`
    case 'function':
      return 'a function'
    case 'object':
      return value === null ? 'null' : describeObject(value, depth)
    default:
      return String(value)
  }
}

function describeObject(value: object, depth: number): string {
  if (Array.isArray(value)) {
    if (value.length > 8 || depth > 2) return `Array of ${value.length}`
    return `[${Array.from(value, (item) => describe(item, depth + 1)).join(', ')}]`
  }
  // Objects without a prototype have no constructor.
  const { constructor, length } = value as { constructor?: { name: string }; length?: number }
  const name = constructor?.name ?? 'an object'
  return ArrayBuffer.isView(value) && length !== undefined ? `${name} of ${length}` : name
}
