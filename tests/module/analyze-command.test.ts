// The command `headwise-analyze`, as users run it: table, JSON and CSV, and what it refuses.
import { execFile } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, expect, test } from 'vitest'

const fromHere = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const command = fromHere('../../web/module/dist/command/analyze.js')
const model = fromHere('../../web/models/minilm-l6')
const { treebank } = JSON.parse(
  readFileSync(fromHere('../golden/roles/minilm-l6.json'), 'utf8'),
) as { treebank: string }

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'headwise-analyze-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string): string {
  writeFileSync(path.join(folder, name), content)
  return path.join(folder, name)
}

function analyze(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [command, ...args], (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err })
    })
  })
}

interface Evidence {
  headwise: string
  model: { sha256: string }
  data: { sha256: string }[]
  options: { seed: number }
  result: { relations: { relation: string; accuracy: { data: (number | null)[] } }[] }
}

test('prints a table, writes JSON and CSV whose cells are harmless', async () => {
  const name = file('ours.conllu', treebank.replaceAll('\tobj\t', '\t=obj\t'))
  const [json, csv] = [path.join(folder, 'roles.json'), path.join(folder, 'roles.csv')]
  const options = ['--seed', '5', '--resamples', '20', '--min-count', '1', '--build', 'simd']
  const { code, out, err } = await analyze(model, name, '--json', json, '--csv', csv, ...options)
  expect({ code, err }).toMatchObject({ code: 0 })
  expect(out).toMatch(/7 of 8 sentences \(1 too short, 0 too long\)/)
  expect(out).toMatch(/^det +\d+ +\d\.\d+ +\d\.\d\d/m)
  expect(out).toMatch(/^previous +\d+ +0\.2 +1\.00/m)

  const evidence = JSON.parse(readFileSync(json, 'utf8')) as Evidence
  expect(evidence.model.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(evidence.data[0]?.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(evidence.options.seed).toBe(5)
  const det = evidence.result.relations.find(({ relation }) => relation === 'det')
  expect(det?.accuracy.data).toHaveLength(72)

  const rows = readFileSync(csv, 'utf8').trimEnd().split('\r\n')
  expect(rows).toHaveLength(1 + 72 * evidence.result.relations.length)
  expect(rows.some((row) => row.startsWith("'=obj,"))).toBe(true)
  expect(rows.every((row) => !/(^|,)[=+@]/.test(row))).toBe(true)
  expect(readdirSync(folder).filter((entry) => entry.endsWith('.part'))).toEqual([])
})

test('which heads the loss misses, of a translator too', async () => {
  const translator = fromHere('../golden/architectures/marian')
  const checkpoint = path.join(folder, 'marian')
  mkdirSync(checkpoint)
  for (const name of ['config.json', 'model.safetensors']) {
    copyFileSync(path.join(translator, name), path.join(checkpoint, name))
  }
  copyFileSync(path.join(translator, '../tokenizer.json'), path.join(checkpoint, 'tokenizer.json'))
  const words = ['cat', 'mat', 'sat', 'it', 'in', 'on']
  const pairs = file('pairs.tsv', words.map((word) => `the ${word}\ta ${word}\t${word}`).join('\n'))
  const csv = path.join(folder, 'losses.csv')
  const options = ['--losses', '--resamples', '20', '--build', 'simd', '--csv', csv]
  const { code, out, err } = await analyze(checkpoint, pairs, ...options)
  expect({ code, err }).toMatchObject({ code: 0 })
  expect(out).toMatch(/^loss \d+\.\d+ .* over 3 samples of the report half$/m)
  expect(out).toMatch(/^\d+ of 20 heads change it/m)
  expect(out).toMatch(/^decoder\.1\.cross_attn +\d/m)
  expect(out).toMatch(/^20( +\d+\.\d+){5}$/m)
  const rows = readFileSync(csv, 'utf8').trim().split(/\r?\n/)
  expect(rows).toHaveLength(1 + 20 + 6 * 12 + 2 * 5)

  const both = await analyze(checkpoint, pairs, '--losses', '--gap')
  expect(both).toMatchObject({ code: 1, out: '' })
  expect(both.err).toContain('--gap, --losses: expected one of them')
})

test('coreference on rows like those of GAP', async () => {
  const columns =
    'ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL'
  const text = 'Tom phoned Alice before he left'
  const right = ['1', text, 'he', '24', 'Tom', '0', 'TRUE', 'Alice', '11', 'FALSE', 'u'].join('\t')
  const neither = right.replace('TRUE', 'FALSE')
  const good = file('gap.tsv', [columns, right, neither, ''].join('\n'))
  const { code, out } = await analyze(model, good, '--gap', '--build', 'simd', '--resamples', '5')
  expect(code).toBe(0)
  expect(out).toMatch(/1 of 1 examples .* the nearer name is right in 0\.00/)

  const bad = file('bad.tsv', [columns, right.replace('\t24\t', '\t23\t')].join('\n'))
  const refused = await analyze(model, bad, '--gap', '--build', 'simd')
  expect(refused.code).toBe(1)
  expect(refused.err).toMatch(/bad\.tsv, line 2: expected 'he' at 23/)
})

test.each([
  [
    'a broken line, with file and number',
    ['broken.conllu'],
    /broken\.conllu, line 1: expected 10 columns/,
  ],
  ['a file that is not there', ['none.conllu'], /none\.conllu: ENOENT/],
  ['nothing to analyse', [], /usage: headwise-analyze/],
  ['an option that it does not know', ['broken.conllu', '--sead', '1'], /'--sead'/],
  ['a seed that is no number', ['broken.conllu', '--seed', 'x'], /--seed: expected a number/],
])('%s', async (_name, [name, ...options], expected) => {
  file('broken.conllu', '1 Birds sing\n')
  const names = name === undefined ? [] : [path.join(folder, name)]
  const { code, err } = await analyze(model, ...names, ...options)
  expect(code).toBe(1)
  expect(err).toMatch(expected)
})
