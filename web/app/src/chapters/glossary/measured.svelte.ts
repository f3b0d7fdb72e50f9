// The numbers of this model that chapter 15 tells, computed once by the kernels on the default
// sentence, whatever the reader's own text is.
import { messageOf, modelNames, openModel, session } from '../../runtime/session.svelte'
import { defaultText } from '../../state/view'
import { findingsOf, type Findings } from './findings'

let found = $state.raw<Findings | null>(null)
let failure = $state<string | null>(null)
let running: Promise<void> | null = null

export const measured = {
  get findings(): Findings | null {
    return found
  },
  get failure(): string | null {
    return failure
  },
}

/** Computes what is not computed yet; never rejects. Call again after the model was loaded anew. */
export function measure(): Promise<void> {
  running ??= compute()
    .catch((reason: unknown) => {
      failure = messageOf(reason)
    })
    .finally(() => {
      running = null
    })
  return running
}

async function compute(): Promise<void> {
  if (found || session.stage === 'failed' || session.stage === 'stopped') return
  failure = null
  const model = await openModel(modelNames[0])
  const { numLayers, numHeads } = model.config
  const names = Array.from(
    { length: numLayers },
    (_, layer) => `blocks.${String(layer)}.attn.hook_pattern`,
  )
  const run = await model.run(defaultText, { names, output: false })
  const patterns = names.map((name) => run.cache.get(name).data)
  found = findingsOf(patterns, numHeads, run.cache.get(names[0] ?? '').dims[3] ?? 0)
}
