#!/usr/bin/env node
// `headwise-analyze MODEL TREEBANK`: what the heads of a model do, on a treebank or on GAP, or which of
// them its loss would miss, as a table, as JSON and as CSV. Works through `headwise/core` alone; files are written when all is done.
import { createRuntime, HeadwiseError, parseTreebank, version, type Model } from '../core/index.js'
import { nodeProcess } from '../environment.js'
import type { AnalysisProgress } from '../types/head-roles.js'
import { csv } from './csv.js'
import { readGap } from './gap.js'
import { lossesReport, lossesRows } from './losses-report.js'
import { coreferenceReport, coreferenceRows, rolesReport, rolesRows } from './report.js'

const usage = `usage: headwise-analyze MODEL TREEBANK... [options]

  MODEL                a folder with config.json, model.safetensors and tokenizer.json, or
                       owner/name on the Hugging Face hub
  TREEBANK             CoNLL-U, also .gz; several are read as one

  --gap                the files are GAP's (tab-separated): coreference instead of roles
  --losses             the files are what the model's loss is of, a sample a line: two sentences of
                       the same meaning (encoders) or a source and its translations (encoder-
                       decoders) with tabs between them, or a text (decoders); leave one out and
                       pruning instead of roles
  --json FILE          everything that was measured, with hashes, options and seed
  --csv FILE           one row for each relation, direction and head; for each head, for each point
  --seed N             of halves and bootstrap; 0
  --resamples N        draws of the bootstrap; 1000
  --min-words N        leave out shorter sentences; 2
  --max-words N        leave out longer sentences
  --max-tokens N       leave out what has more tokens; 128, with --gap what the model takes
  --min-count N        relations with fewer dependents are not printed; 20
  --build NAME         a WebAssembly build instead of the fastest
`

const process = nodeProcess()
if (process === undefined) throw new Error('headwise-analyze runs in Node')
const { readFileSync, renameSync, writeFileSync, existsSync } = process.getBuiltinModule('node:fs')
const { createHash } = process.getBuiltinModule('node:crypto')
const { gunzipSync } = process.getBuiltinModule('node:zlib')
const { parseArgs } = process.getBuiltinModule('node:util')
const { pathToFileURL } = process.getBuiltinModule('node:url')
const path = process.getBuiltinModule('node:path')

/** What is told in a line, without a stack. */
class PlainError extends Error {}

const numbers = ['seed', 'resamples', 'min-words', 'max-words', 'max-tokens', 'min-count'] as const
const text = { type: 'string' } as const

function readArguments(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        help: { type: 'boolean' },
        gap: { type: 'boolean' },
        losses: { type: 'boolean' },
        json: text,
        csv: text,
        build: text,
        seed: text,
        resamples: text,
        'min-words': text,
        'max-words': text,
        'max-tokens': text,
        'min-count': text,
      },
    })
    const given: Record<string, number> = {}
    for (const name of numbers) {
      const value = values[name]
      if (value === undefined) continue
      if (!/^\d+$/.test(value))
        throw new PlainError(`--${name}: expected a number; received ${value}`)
      given[name.replace(/-(.)/, (_, letter: string) => letter.toUpperCase())] = Number(value)
    }
    return { values, positionals, given }
  } catch (error) {
    throw error instanceof PlainError
      ? error
      : new PlainError(`${(error as Error).message}\n\n${usage}`)
  }
}

interface TextFile {
  name: string
  sha256: string
  content: string
}

function readText(name: string): TextFile {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(name)
    if (name.endsWith('.gz')) bytes = gunzipSync(bytes)
  } catch (error) {
    throw new PlainError(`${name}: ${(error as Error).message}`)
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { name, sha256, content: new TextDecoder().decode(bytes) }
}

/** An error in a file says in which. */
function within<T>({ name, content }: TextFile, read: (content: string) => T): T {
  try {
    return read(content)
  } catch (error) {
    throw error instanceof HeadwiseError ? new PlainError(`${name}, ${error.message}`) : error
  }
}

/** Beside the file, then in its place: what is there is whole. */
function writeText(name: string, content: string): void {
  const beside = `${name}.part`
  writeFileSync(beside, content)
  renameSync(beside, name)
}

/** How far it is, on the last line of a terminal, or every tenth elsewhere. */
function progressTeller(unit: string): (progress: AnalysisProgress) => void {
  const stream = process?.stderr
  let tenths = 0
  return ({ done, total }) => {
    const percent = Math.floor((100 * done) / total)
    const far = `${percent} %${unit === '' ? '' : ` of ${total} ${unit}`}`
    if (stream?.isTTY === true) stream.write(`\r${far}\x1b[K`)
    else if (percent >= 10 * (tenths + 1)) {
      tenths = Math.floor(percent / 10)
      stream?.write(`${far}\n`)
    }
    if (done === total && stream?.isTTY === true) stream.write('\r\x1b[K')
  }
}

/** Typed arrays as plain ones; what is no number as null. */
function plain(_name: string, value: unknown): unknown {
  if (!ArrayBuffer.isView(value)) return value
  return Array.from(value as Float32Array, (number) => (Number.isNaN(number) ? null : number))
}

interface Measured {
  report: string
  rows: (string | number)[][]
  result: object
}
type Measure = (model: Model, options: object) => Measured

/** Reads the files; what it gives measures. */
function gapMeasure(files: readonly TextFile[]): Measure {
  const examples = files.flatMap((file) => within(file, readGap))
  return (model, options) => {
    const scores = model.coreference(examples, options)
    const result = { ...scores, right: undefined } // as large as the file
    return { report: coreferenceReport(scores), rows: coreferenceRows(scores), result }
  }
}

function rolesMeasure(files: readonly TextFile[], minCount = 20): Measure {
  const sentences = files.flatMap((file) => within(file, parseTreebank).sentences)
  return (model, options) => {
    const roles = model.headRoles(sentences, options)
    return { report: rolesReport(roles, minCount), rows: rolesRows(roles), result: roles }
  }
}

/** Leave one out, then pruning in the order that it gave. */
function lossesMeasure(files: readonly TextFile[]): Measure {
  const lines = files
    .flatMap(({ content }) => content.split(/\r?\n/))
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  return (model, options) => {
    const isText = model.config.kind === 'decoder'
    const samples = isText ? lines : lines.map((line) => line.split('\t') as [string, string])
    const importance = model.headImportance(samples, options)
    const pruning = model.pruning(samples, { ...options, order: importance.order })
    const report = lossesReport(importance, pruning)
    return { report, rows: lossesRows(importance, pruning), result: { importance, pruning } }
  }
}

/** Measures, and tells how fast: in a unit where the work is counted in one. */
function timed(
  measure: Measure,
  unit: string,
  model: Model,
  given: Record<string, number>,
): Measured {
  let total = 0
  const tell = progressTeller(unit)
  const onProgress = (progress: AnalysisProgress) => {
    total = progress.total
    tell(progress)
  }
  const since = performance.now()
  const measured = measure(model, { ...given, onProgress })
  const seconds = (performance.now() - since) / 1000
  const time = `${seconds.toFixed(1)} s`
  const speed = `${total} ${unit} in ${time}, ${Math.round(total / seconds)}/s`
  return { ...measured, report: `${measured.report}\n${unit === '' ? time : speed}\n` }
}

/** A folder's address; what is no folder here is a name on the hub, or an address. */
function sourceOf(name: string): string | URL {
  return existsSync(name) ? pathToFileURL(`${path.resolve(name)}/`) : name
}

async function main(args: string[]): Promise<void> {
  const { values, positionals, given } = readArguments(args)
  const [folder, ...names] = positionals
  if (values.help === true) return void process?.stdout.write(usage)
  if (folder === undefined || names.length === 0) throw new PlainError(usage)
  const files = names.map(readText)
  const { minCount, ...analysis } = given
  if (values.gap === true && values.losses === true) {
    throw new PlainError('--gap, --losses: expected one of them; received both')
  }
  const measure =
    values.losses === true
      ? lossesMeasure(files)
      : values.gap === true
        ? gapMeasure(files)
        : rolesMeasure(files, minCount)
  const hw = await createRuntime({ build: (values.build ?? 'auto') as 'auto' })
  const model = await hw.loadModel(sourceOf(folder))
  const { report, rows, result } = timed(
    measure,
    values.losses === true ? '' : 'tokens',
    model,
    analysis,
  )
  process?.stdout.write(`${report}on ${hw.info.threads} threads of the build ${hw.info.build}\n`)
  if (values.csv !== undefined) writeText(values.csv, csv(rows))
  if (values.json !== undefined) {
    const weights = `${folder}/model.safetensors`
    const facts = {
      headwise: version,
      model: {
        name: folder,
        ...(existsSync(weights) && {
          sha256: createHash('sha256').update(readFileSync(weights)).digest('hex'),
        }),
      },
      data: files.map(({ name, sha256 }) => ({ name, sha256 })),
      options: { gap: values.gap === true, losses: values.losses === true, ...given },
      result,
    }
    writeText(values.json, `${JSON.stringify(facts, plain)}\n`)
  }
  hw.dispose()
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isExpected = error instanceof PlainError || error instanceof HeadwiseError
  process.stderr.write(`${isExpected ? error.message : String((error as Error).stack)}\n`)
  process.exitCode = 1
})
