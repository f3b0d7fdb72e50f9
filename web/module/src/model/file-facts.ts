// What a config.json of our own folders says of the other files; and which names of files another
// file may say at all: what it names is fetched, so it must stay in its folder.
import { corruptFile } from '../errors.js'
import { describe } from '../validate/describe.js'

export interface FileFacts {
  name: string
  bytes?: number
  sha256?: string
}

export type FileRole = 'weights' | 'firstRows' | 'tokenizer'

/** The name of a file in the folder of the file that names it, or in a folder below. */
export function checkFileName(name: unknown, namedIn: string): asserts name is string {
  // No scheme, no way up, nothing that a server or a disk would understand otherwise.
  if (typeof name === 'string' && name.length < 256 && /^(?!.*\.\.)\w[\w./-]*$/.test(name)) return
  throw corruptFile(namedIn, 'names of files in its folder', describe(name))
}

/** The entry `headwise.files`, where there is one. */
export function filesOf(config: object): Partial<Record<FileRole, FileFacts>> {
  const { headwise } = config as { headwise?: { files?: Record<string, unknown> } | null }
  const found: Partial<Record<FileRole, FileFacts>> = {}
  for (const role of ['weights', 'firstRows', 'tokenizer'] as const) {
    const entry = headwise?.files?.[role]
    if (entry !== undefined) found[role] = checkFacts(entry, role)
  }
  return found
}

function checkFacts(entry: unknown, role: FileRole): FileFacts {
  const { name, bytes, sha256 } = Object(entry) as Record<string, unknown>
  checkFileName(name, 'config.json')
  const place = `config.json: headwise.files.${role}`
  if (bytes !== undefined && !(Number.isSafeInteger(bytes) && (bytes as number) >= 0)) {
    throw corruptFile(place, 'bytes as a whole number', describe(bytes))
  }
  if (sha256 !== undefined && !(typeof sha256 === 'string' && /^[\da-f]{64}$/.test(sha256))) {
    throw corruptFile(place, 'sha256 in hexadecimal', describe(sha256))
  }
  return entry as FileFacts
}
