// Opens the folder that a source stands for, as `resolveSource` gave it.
import { nodeProcess } from '../environment.js'
import { imported } from '../import-file.js'
import type { LoadModelOptions } from '../types/loading.js'
import { DiskFolder, GivenFiles } from './disk-folder.js'
import { Downloader, type Fetch } from './download.js'
import type { ModelFolder } from './model-folder.js'
import type { ResolvedSource } from './source.js'
import { WebFolder } from './web-folder.js'

export async function openSource(
  source: ResolvedSource,
  { cache, fetch, warn }: OpenOptions,
  signal: AbortSignal,
): Promise<ModelFolder> {
  if ('files' in source) return new GivenFiles(source.files)
  const isKept = cache ?? 'hub' in source
  const name = typeof cache === 'string' ? cache : undefined
  const keep = async () => {
    if (isKept === false) return undefined
    const { KeptFiles } = await imported('model/kept-files.js', import('./kept-files.js'))
    return new KeptFiles(name, warn)
  }
  const downloaded = isKept === false ? {} : ({ cache: 'no-store' } as const)
  if ('hub' in source) {
    const { hub } = source
    const downloader = new Downloader({ fetch, token: hub.token, ...downloaded })
    const { openHubFolder } = await imported('model/hub.js', import('./hub.js'))
    return openHubFolder(hub, downloader, await keep(), signal)
  }
  const { folder } = source
  if (!/^https?:/.test(folder) && nodeProcess() !== undefined) return new DiskFolder(folder)
  return new WebFolder(folder, {
    downloader: new Downloader({ fetch, ...downloaded }),
    kept: await keep(),
  })
}

export interface OpenOptions {
  cache: LoadModelOptions['cache'] | undefined
  fetch?: Fetch | undefined
  warn: (message: string) => void
}
