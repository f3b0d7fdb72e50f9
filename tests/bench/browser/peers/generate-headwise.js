// Ours generating text: a prompt up to its first token, or one more token of a text.

import { promptOf } from '../../cases/generate.js'
import { randomGpt2 } from '../random-gpt2.js'
import { openRuntime } from './headwise.js'

/** Whether the first token is the likeliest of a run without a cache. */
function isRight(model, prompt, id) {
  const { output } = model.run(prompt)
  const last = output.data.subarray(-model.config.vocabulary)
  return last[id] >= last.reduce((a, b) => Math.max(a, b)) - 1e-3
}

async function prepare(model, shape) {
  const prompt = promptOf(shape)
  const text = model.generate(prompt, { maxTokens: 1024 - prompt.length })
  const first = (await text.next()).value
  let checked = isRight(model, prompt, first.id)
  const runs = {
    prompt: async () => {
      const started = model.generate(prompt, { maxTokens: 1 })
      const { value } = await started.next()
      checked &&= value.id === first.id
      await started.return()
    },
    token: async () => {
      const { done } = await text.next()
      if (done) throw new Error('the text is at its end: fewer rounds, please')
    },
  }
  return {
    run: async () => {
      await runs[shape.kind]()
      return [checked ? 1 : 0]
    },
    dispose: () => text.return(),
  }
}

/** { dtype } and the options of headwise.js */
export async function open({ dtype, ...options }) {
  const runtime = await openRuntime(options)
  const hub = { endpoint: location.origin, fetch: randomGpt2 }
  const model = await runtime.loadModel('random/gpt2', { dtype, hub, cache: false })
  return {
    version: `headwise ${runtime.info.version}`,
    memory: () => runtime.info.memory,
    prepare: (shape) => prepare(model, shape),
  }
}
