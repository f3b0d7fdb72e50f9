// Which files hold the weights: the one that config.json names, model.safetensors, or several that
// model.safetensors.index.json names with the tensors in each.
import { corruptFile } from '../errors.js'
import { describe } from '../validate/describe.js'
import { checkFileName, type FileFacts } from './file-facts.js'
import { MissingFile, type OpenedFile } from './model-folder.js'
import type { ModelReader } from './read-model.js'

export interface WeightFile {
  name: string
  opened: OpenedFile
  /** The tensors that have to be in it; undefined where nothing says. */
  tensors: ReadonlySet<string> | undefined
}

const usual = 'model.safetensors'
const index = `${usual}.index.json`

/** Opens each file when the one before it has been read. */
export async function* weightFiles(
  reader: ModelReader,
  named: FileFacts | undefined,
): AsyncGenerator<WeightFile, void> {
  const file = named ?? { name: usual }
  let opened: OpenedFile | undefined
  let missing: unknown
  try {
    opened = await reader.open(file, 'weights')
  } catch (error) {
    if (named !== undefined || !(error instanceof MissingFile)) throw error
    missing = error
  }
  if (opened !== undefined) {
    yield { name: file.name, opened, tensors: undefined }
    return
  }
  const shards = await readIndex(reader).catch((error: unknown) => {
    // Neither is there: the one that most models have is missed.
    throw error instanceof MissingFile ? missing : error
  })
  for (const [name, tensors] of shards) {
    yield { name, opened: await reader.open({ name }, 'weights'), tensors }
  }
}

/** The files in the order of their names, which is that of the layers. */
async function readIndex(reader: ModelReader): Promise<[string, Set<string>][]> {
  const read = await reader.json({ name: index }, 'config')
  const { metadata, weight_map: map } = read as {
    metadata?: { total_size?: unknown } | null
    weight_map?: unknown
  }
  if (typeof map !== 'object' || map === null || Array.isArray(map)) {
    throw corruptFile(index, 'weight_map, an object', describe(map))
  }
  const files = new Map<string, Set<string>>()
  for (const [tensor, name] of Object.entries(map) as [string, unknown][]) {
    checkFileName(name, index)
    const tensors = files.get(name) ?? new Set()
    files.set(name, tensors.add(tensor))
  }
  if (Number.isSafeInteger(metadata?.total_size)) {
    reader.expectedWeights = metadata?.total_size as number
  }
  return [...files].sort(([a], [b]) => (a < b ? -1 : 1))
}
