// The scripts that train the small models of web/models: a rehearsal, where their Python packages
// are installed (scripts/models/README.md); nothing else in the project needs Python.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const fromHere = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

function trainingPython(): string | undefined {
  const candidates = [process.env.HEADWISE_PYTHON, fromHere('.venv/bin/python')]
  return candidates.find((python) => {
    if (python === undefined || !existsSync(python)) return false
    return spawnSync(python, ['-c', 'import jax, numpy, safetensors, tokenizers']).status === 0
  })
}

const python = trainingPython()

test.skipIf(python === undefined)(
  'tiny models learn, go on after a cut, and compute what an independent implementation does',
  { timeout: 300_000 },
  () => {
    const script = fromHere('scripts/models/training/rehearse.py')
    const { status, stdout, stderr } = spawnSync(python ?? '', [script], { encoding: 'utf8' })
    expect(status, stdout + stderr).toBe(0)
  },
)
