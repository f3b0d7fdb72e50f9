// What `loadModel` is given, made fit to be sent to a Worker.
import { baseAddress, nodeProcess } from '../environment.js'
import { invalidArgument } from '../errors.js'
import type { LoadModelOptions, ModelFiles, ModelSource } from '../types/loading.js'
import { describe } from '../validate/describe.js'
import { checkOptions } from '../validate/options.js'
import type { GivenFile } from './disk-folder.js'
import { hubEndpoint, isHubName, type HubModel } from './hub-name.js'

export type ResolvedSource =
  | { hub: HubModel }
  /** An absolute address that ends with a slash. */
  | { folder: string }
  | { files: readonly GivenFile[] }

const expectedSource =
  "the URL of a folder, 'owner/name' of the hub, files, a directory, or { config, weights, tokenizer }"

/** The source in words that can be posted. */
export async function resolveSource(
  source: ModelSource,
  options: LoadModelOptions = {},
): Promise<ResolvedSource> {
  if (typeof source === 'string' && isHubName(source)) return { hub: hubModel(source, options) }
  for (const name of ['revision', 'hub'] as const) {
    if (options[name] === undefined) continue
    throw invalidArgument(name, "none, or 'owner/name' of the hub for a source", describe(source))
  }
  if (typeof source === 'string' || source instanceof URL) {
    return { folder: resolveFolder(String(source)) }
  }
  const given: unknown = source
  if (typeof given !== 'object' || given === null) {
    throw invalidArgument('source', expectedSource, describe(source))
  }
  if (Symbol.iterator in given) return { files: chosenFiles([...(given as Iterable<unknown>)]) }
  if (isDirectory(given)) return { files: chosenFiles(await filesIn(given)) }
  checkOptions(given, 'source', ['config', 'weights', 'tokenizer', 'generation'])
  return { files: filesInMemory(given) }
}

function hubModel(name: string, { revision = 'main', hub = {} }: LoadModelOptions): HubModel {
  const endpoint = new URL(hub.endpoint ?? hubEndpoint).href
  const slashed = endpoint.endsWith('/') ? endpoint : `${endpoint}/`
  return { endpoint: slashed, name, revision, token: hub.token }
}

function resolveFolder(folder: string): string {
  // The empty text would be the root of the disk, or the page itself.
  if (folder.trim() === '') throw invalidArgument('source', expectedSource, describe(folder))
  const slashed = folder.endsWith('/') ? folder : `${folder}/`
  const base = baseAddress()
  if (isUrl(slashed) || base !== undefined) return folderUrl(folder, slashed, base)
  const node = nodeProcess()
  if (node === undefined) return slashed
  return node.getBuiltinModule('node:url').pathToFileURL(slashed).href
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z\d+.-]+:/i.test(text)
}

/** The address of a folder; the names of its files could not be added to one with a query. */
function folderUrl(folder: string, slashed: string, base: string | undefined): string {
  const url = URL.canParse(slashed, base) ? new URL(slashed, base) : undefined
  if (url !== undefined && url.search + url.hash === '' && URL.canParse('config.json', url.href)) {
    return url.href
  }
  throw invalidArgument('source', 'the URL of a folder, without ? and #', describe(folder))
}

function isDirectory(source: object): source is FileSystemDirectoryHandle {
  return (source as { kind?: unknown }).kind === 'directory' && 'entries' in source
}

async function filesIn(directory: FileSystemDirectoryHandle): Promise<File[]> {
  const files: Promise<File>[] = []
  for await (const [name, handle] of directory.entries()) {
    const isFile = handle.kind === 'file' && /\.(json|safetensors)$/.test(name)
    if (isFile) files.push(handle.getFile())
  }
  return Promise.all(files)
}

/** Files by their names in the folder that was chosen. */
function chosenFiles(files: readonly unknown[]): GivenFile[] {
  const names = new Set<string>()
  return files.map((file, index) => {
    const { name, webkitRelativePath = '' } = Object(file) as Partial<File>
    if (!(file instanceof Blob) || typeof name !== 'string') {
      throw invalidArgument(`source[${index}]`, 'a File', describe(file))
    }
    const inFolder = webkitRelativePath.split('/').slice(1).join('/') || name
    if (names.has(inFolder)) {
      throw invalidArgument('source', 'each file once', `'${inFolder}' twice`)
    }
    names.add(inFolder)
    // A Blob of the same bytes can be posted in Node too.
    return [inFolder, file.slice()]
  })
}

/** Files in memory, each of its type. */
function filesInMemory(given: Partial<ModelFiles>): GivenFile[] {
  const { config, weights, tokenizer, generation } = given
  const bytes: unknown = weights
  if (!(bytes instanceof ArrayBuffer) && !(bytes instanceof Uint8Array)) {
    throw invalidArgument('source.weights', 'an ArrayBuffer or Uint8Array', describe(bytes))
  }
  const files: GivenFile[] = [
    ['config.json', jsonBytes(withoutTokenizerFacts(config), 'config')],
    ['model.safetensors', bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)],
  ]
  if (tokenizer !== undefined) files.push(['tokenizer.json', jsonBytes(tokenizer, 'tokenizer')])
  if (generation !== undefined) {
    files.push(['generation_config.json', jsonBytes(generation, 'generation', 'generation_config')])
  }
  return files
}

/** A tokenizer that came as an object is not the file, byte for byte, that the config knows. */
function withoutTokenizerFacts(config: unknown): unknown {
  const { headwise } = Object(config) as { headwise?: { files?: object } | null }
  if (!headwise?.files) return config
  const files = Object.entries(headwise.files).filter(([role]) => role !== 'tokenizer')
  return { ...(config as object), headwise: { ...headwise, files: Object.fromEntries(files) } }
}

function jsonBytes(value: unknown, name: string, file = name): Uint8Array {
  const refuse = (received: string) =>
    invalidArgument(`source.${name}`, `the content of ${file}.json`, received)
  if (typeof value !== 'object' || value === null) throw refuse(describe(value))
  let text: string
  try {
    text = JSON.stringify(value)
  } catch (cause) {
    // In a circle, too deep, or of another's making.
    throw refuse(String(cause))
  }
  return new TextEncoder().encode(text)
}
