// Why a figure has nothing to show: what it waits for, or why that does not come. In words, and the
// same words everywhere.
import { messages } from '../i18n/messages.svelte'
import { percent } from '../i18n/numbers'
import { reader } from '../runtime/reading.svelte'
import { loadedShare, session } from '../runtime/session.svelte'

/** Why nothing more comes by itself; null while something is on its way. */
export function whyMissing(): string | null {
  const { waiting, notice } = messages.frame
  if (session.stage === 'failed') return waiting.failed
  if (session.stage === 'stopped') return waiting.stopped
  return reader.failure === null ? null : notice.runFailed
}

/** What a figure that needs the model up to `layer` waits for. */
export function whyWaiting(layer: number): string {
  const { waiting } = messages.frame
  const missing = whyMissing()
  if (missing !== null) return missing
  if (session.stage === 'starting') return waiting.runtime
  if (session.loaded.patterns <= layer) return waiting.layer(layer)
  const read = (reader.current?.patterns.length ?? 0) > layer
  return session.loaded.vocabulary || read
    ? waiting.computing
    : waiting.vocabulary(percent(loadedShare()))
}
