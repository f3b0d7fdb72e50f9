// JSON from files that nobody vouches for: as deep as is sensible, no key twice, and whatever is not
// JSON is an error that names the file.
import { HeadwiseError } from '../errors.js'
import { beginning } from './bytes.js'

/** Deeper than any file of a model; what walks over the values may use the stack. */
const deepest = 100

export interface JsonOptions {
  /** Refuse an object that says the same name twice: of two values one would be lost in silence. */
  uniqueKeys?: boolean
}

export function parseJson(
  file: string,
  bytes: Uint8Array,
  { uniqueKeys = true }: JsonOptions = {},
): object {
  const refuse = (expected: string, received: string, cause?: unknown) =>
    new HeadwiseError(
      { code: 'CORRUPT_FILE', argument: file, expected, received },
      cause === undefined ? undefined : { cause },
    )
  let value: unknown
  let written: { keys: number; depth: number }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    written = survey(text)
    if (written.depth <= deepest) value = JSON.parse(text)
  } catch (cause) {
    // What begins as JSON breaks somewhere behind; anything else is known by its beginning.
    const isJson = bytes[0] === 0x7b && cause instanceof SyntaxError
    throw refuse('a JSON object', isJson ? cause.message : beginning(bytes), cause)
  }
  if (written.depth > deepest) {
    throw refuse(`JSON of at most ${deepest} levels`, `${written.depth} levels`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse('a JSON object', beginning(bytes))
  }
  if (uniqueKeys && written.keys !== countKeys(value)) {
    throw refuse('every name once in an object', 'a name that stands twice')
  }
  return value
}

/** How many keys the text writes and how deep it nests; of JSON, else of whatever there is. */
function survey(text: string): { keys: number; depth: number } {
  let [keys, depth, deepest] = [0, 0, 0]
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i)
    if (inString) {
      if (character === 0x5c) i++
      else if (character === 0x22) inString = false
    } else if (character === 0x22) inString = true
    else if (character === 0x3a) keys++
    else if (character === 0x7b || character === 0x5b) deepest = Math.max(deepest, ++depth)
    else if (character === 0x7d || character === 0x5d) depth--
  }
  return { keys, depth: deepest }
}

function countKeys(value: object): number {
  let keys = 0
  const open = [value]
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const values = Object.values(item) as unknown[]
    if (!Array.isArray(item)) keys += values.length
    for (const inner of values) if (typeof inner === 'object' && inner !== null) open.push(inner)
  }
  return keys
}
