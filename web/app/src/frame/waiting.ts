// Why a figure has nothing to show: what it waits for, or why that does not come. In words, and the
// same words everywhere.
import { messages } from '../i18n/messages.svelte'
import { percent } from '../i18n/numbers'
import { reader } from '../runtime/reading.svelte'
import { shipped, type ModelName } from '../runtime/session.svelte'
import { subject } from '../runtime/subject.svelte'

/** Why a model does not come by itself; null while it is on its way, or there. */
export function whyModelMissing(name: ModelName): string | null {
  const { waiting } = messages.frame
  const { stage } = shipped(name).state
  if (stage === 'failed') return waiting.failed
  return stage === 'stopped' ? waiting.stopped : null
}

/** Why nothing more comes by itself; null while something is on its way. */
export function whyMissing(): string | null {
  const missing = whyModelMissing(subject.name)
  if (missing !== null) return missing
  return reader.failure === null ? null : messages.frame.notice.runFailed
}

/** What a figure that needs the model up to `layer` waits for. */
export function whyWaiting(layer: number): string {
  const { waiting } = messages.frame
  const missing = whyMissing()
  if (missing !== null) return missing
  const { stage, loaded } = subject.state
  if (stage === 'absent' || stage === 'starting') return waiting.runtime
  if (loaded.patterns <= layer) return waiting.layer(layer)
  const read = (reader.of(subject.name)?.patterns.length ?? 0) > layer
  return loaded.vocabulary || read ? waiting.computing : waiting.vocabulary(percent(subject.share))
}
