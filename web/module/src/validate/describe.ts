// How a value that came is shown in an error.

/** A short rendering of any value: its type and, where it is small, its content. */
export function describe(value: unknown): string {
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
      return value === null ? 'null' : describeObject(value)
    default:
      return String(value)
  }
}

function describeObject(value: object): string {
  if (Array.isArray(value)) {
    return value.length <= 8 ? `[${value.map(describe).join(', ')}]` : `Array of ${value.length}`
  }
  // Objects without a prototype have no constructor.
  const { constructor, length } = value as { constructor?: { name: string }; length?: number }
  const name = constructor?.name ?? 'an object'
  return ArrayBuffer.isView(value) && length !== undefined ? `${name} of ${length}` : name
}
