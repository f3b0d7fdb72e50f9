// Models by their names on the Hugging Face hub, or on a server with its paths.
import { HeadwiseError } from '../errors.js'
import type { Downloader } from './download.js'
import type { HubModel } from './hub-name.js'
import type { KeptFiles } from './kept-files.js'
import { WebFolder } from './web-folder.js'

/**
 * The folder of one commit: a branch is asked for its commit once, so that all files are of one, and
 * what is kept of it holds for ever. Without an answer it is the commit of the last time.
 */
export async function openHubFolder(
  { endpoint, name, revision }: HubModel,
  downloader: Downloader,
  kept: KeptFiles | undefined,
  signal: AbortSignal,
): Promise<WebFolder> {
  const model = `${endpoint}${name}/`
  const folder = (version: string) => `${model}resolve/${encodeURIComponent(version)}`
  const open = (version: string, onLoaded?: () => Promise<void>) => {
    const options = { downloader, kept, isImmutable: isCommit(version) }
    return new WebFolder(`${folder(version)}/`, { ...options, ...(onLoaded && { onLoaded }) })
  }
  if (isCommit(revision)) return open(revision)
  const note = `${model}refs/${encodeURIComponent(revision)}/commit`
  const last = await kept?.text(note)
  const commit = await commitOf(`${folder(revision)}/config.json`, last, downloader, signal)
  // A server that names no commit has files that may change.
  if (commit === undefined) return open(revision)
  return open(commit, async () => {
    if (commit === last) return
    if (last !== undefined) await kept?.forget(folder(last))
    await kept?.setText(note, commit)
  })
}

function isCommit(text: string): boolean {
  return /^[\da-f]{40}$/.test(text)
}

async function commitOf(
  url: string,
  last: string | undefined,
  downloader: Downloader,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const answer = await downloader.ask(url, { method: 'HEAD', signal })
    const commit = answer.headers.get('X-Repo-Commit') ?? ''
    if (isCommit(commit)) return commit
    return answer.status >= 429 ? last : undefined
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof HeadwiseError) || last === undefined) throw error
    return last
  }
}
