// A Vite plugin: serves `web/models` under `models/` while developing, and copies it into the built
// site. Also checks that every example sentence of a model has its words in both languages.
import { createReadStream, cpSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join, normalize, resolve } from 'node:path'
import type { Plugin } from 'vite'

export interface ModelsOptions {
  /** The folder of models. */
  from: string
  /** Identifiers of the examples that the catalogues describe. */
  exampleIds: readonly string[]
}

function checkExamples(file: string, known: readonly string[]): void {
  const listed = (JSON.parse(readFileSync(file, 'utf8')) as { id: string }[]).map(({ id }) => id)
  const missing = listed.filter((id) => !known.includes(id))
  const extra = known.filter((id) => !listed.includes(id))
  if (missing.length + extra.length === 0) return
  throw new Error(
    `${file}: the catalogues lack ${missing.join(', ') || 'none'} ` +
      `and describe ${extra.join(', ') || 'none'} that is not there`,
  )
}

export function models({ from, exampleIds }: ModelsOptions): Plugin {
  let outDir: string | null = null
  return {
    name: 'headwise-models',
    configResolved(config) {
      if (config.command === 'build') outDir = resolve(config.root, config.build.outDir)
    },
    buildStart() {
      const examples = join(from, 'minilm-l6', 'examples.json')
      if (existsSync(examples)) checkExamples(examples, exampleIds)
    },
    configureServer(server) {
      server.middlewares.use('/models', (request, response, next) => {
        const path = normalize(decodeURIComponent((request.url ?? '').replace(/\?.*/, '')))
        const file = join(from, path)
        if (path.includes('..') || !existsSync(file) || !statSync(file).isFile()) {
          next()
          return
        }
        response.setHeader('content-length', statSync(file).size)
        createReadStream(file).pipe(response)
      })
    },
    closeBundle() {
      if (outDir !== null) cpSync(from, join(outDir, 'models'), { recursive: true })
    },
  }
}
