// Measures the shipped model's heads on public treebanks that are not part of this project, and records
// the numbers that chapter 7 shows as recorded: no sentence, no annotation. The corpora lie in a folder
// beside the checkout; their names are those of their releases.
//
//   node scripts/record.mjs [--data FOLDER]

import './lib/node-version.mjs'

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

import { root, shown } from './lib/paths.mjs'
import { run } from './lib/process.mjs'
import { PlainError, main, say } from './lib/say.mjs'

const corpora = [
  {
    id: 'ewt-dev',
    name: 'Universal Dependencies English Web Treebank 2.16, dev',
    licence: 'CC BY-SA 4.0',
    url: 'https://github.com/UniversalDependencies/UD_English-EWT',
    file: 'ud-english-ewt/en_ewt-ud-dev.conllu',
    options: ['--min-words', '3', '--max-words', '60'],
  },
  {
    id: 'ewt-test',
    name: 'Universal Dependencies English Web Treebank 2.16, test',
    licence: 'CC BY-SA 4.0',
    url: 'https://github.com/UniversalDependencies/UD_English-EWT',
    file: 'ud-english-ewt/en_ewt-ud-test.conllu',
    options: ['--min-words', '3', '--max-words', '60'],
  },
  {
    id: 'gap-development',
    name: 'GAP, development',
    licence: 'Apache 2.0, texts CC BY-SA',
    url: 'https://github.com/google-research-datasets/gap-coreference',
    file: 'gap/gap-development.tsv',
    options: ['--gap'],
  },
]

const seed = 0
const fewest = 50
const model = path.join(root, 'web/models/minilm-l6')
const command = path.join(root, 'web/module/dist/command/analyze.js')
const target = path.join(root, 'web/app/src/data/recorded.json')

const rounded = (value) => (value === null ? null : Number(value.toFixed(4)))

/** The best head of each relation, chosen on one half and reported on the other. */
function bestHeads({ relations }) {
  return relations
    .filter(({ direction, n }) => direction === 'dependent-to-head' && n.report >= fewest)
    .map(({ relation, n, accuracy, low, high, baseline, best }) => {
      const [, heads] = accuracy.dims
      const at = best.layer * heads + best.head
      return {
        relation,
        head: `${best.layer}.${best.head}`,
        accuracy: rounded(accuracy.data[at]),
        low: rounded(low.data[at]),
        high: rounded(high.data[at]),
        offset: baseline.offset,
        baseline: rounded(baseline.accuracy),
        n: n.report,
      }
    })
}

/** One head on pronouns: the one that chapter 1 opens with. */
function pronouns({ accuracy, low, high, control, examples, nearerCandidate }) {
  const [, heads] = accuracy.dims
  const at = 3 * heads + 1
  return {
    head: '3.1',
    accuracy: rounded(accuracy.data[at]),
    low: rounded(low.data[at]),
    high: rounded(high.data[at]),
    control: rounded(control.data[at]),
    nearer: rounded(nearerCandidate),
    n: examples.used,
  }
}

async function record(corpus, folder, scratch) {
  const { file, options, ...named } = corpus
  const json = path.join(scratch, `${corpus.id}.json`)
  const args = [command, model, path.join(folder, file), '--seed', String(seed), '--json', json]
  say(`measuring on ${corpus.name}`)
  await run(process.execPath, [...args, ...options], { cwd: root })
  const { headwise, model: weights, data, result } = JSON.parse(readFileSync(json, 'utf8'))
  const facts = { ...named, sha256: data[0].sha256 }
  const measured = options.includes('--gap')
    ? { pronouns: pronouns(result) }
    : { sentences: result.sentences.used, words: result.words.used, relations: bestHeads(result) }
  return { headwise, sha256: weights.sha256, corpus: { ...facts, ...measured } }
}

await main(async () => {
  const { values } = parseArgs({ options: { data: { type: 'string' } } })
  const folder = values.data ?? path.join(root, '../shared/data')
  const missing = corpora.find(({ file }) => !existsSync(path.join(folder, file)))
  if (missing) throw new PlainError(`${path.join(folder, missing.file)} is not there`)
  if (!existsSync(command)) throw new PlainError(`${shown(command)} is not there: npm run build`)
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'headwise-record-'))
  try {
    const all = []
    for (const corpus of corpora) all.push(await record(corpus, folder, scratch))
    const [{ headwise, sha256 }] = all
    const recorded = {
      date: new Date().toISOString().slice(0, 10),
      headwise,
      model: { name: 'all-MiniLM-L6-v2 (int8)', sha256 },
      seed,
      corpora: all.map(({ corpus }) => corpus),
    }
    writeFileSync(target, `${JSON.stringify(recorded, null, 2)}\n`)
    say(`recorded: ${shown(target)}`)
  } finally {
    rmSync(scratch, { recursive: true })
  }
})
