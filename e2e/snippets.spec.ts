// The programs of the READMEs and of the doc comments, run as they stand: what `console.log` shows is
// what the comment behind it says. Pieces that name a project of e2e/consumers are parts of its files.
import { cpSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

import { expect, test } from '@playwright/test'

import { moduleFolder, onPage } from './module'

interface Block {
  /** Where it stands, for the name of the test. */
  place: string
  /** What follows the language: the file that it is a part of. */
  part: string
  code: string
}

/** The fenced blocks of JavaScript and shell commands in a text. */
function blocksOf(file: string, text: string): Block[] {
  return [...text.matchAll(/^```(?:js|sh)(?: (\S+))?\n([^]*?)^```$/gm)]
    .filter(([whole, part]) => whole.startsWith('```js') || part !== undefined)
    .map(({ index, 1: part = '', 2: code = '' }) => {
      const line = text.slice(0, index).split('\n').length
      return { place: `${file}:${line}`, part, code }
    })
}

/** The text of the doc comments of a source, each line in its place. */
function docComments(source: string): string {
  const inComment = (line: string) => /^\s*\* ?(.*)$/.exec(line)?.[1]
  return source
    .split('\n')
    .map((line) => inComment(line) ?? '')
    .join('\n')
}

const sources = readdirSync('web/module/src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => path.join('web/module/src', name))
const blocks = [
  ...['README.md', 'web/module/README.md'].map((file) => [file, readFileSync(file, 'utf8')]),
  ...sources.map((file) => [file, docComments(readFileSync(file, 'utf8'))]),
].flatMap(([file = '', text = '']) => blocksOf(file, text))

/** A block that begins with an import begins a program; others go on with the one before. */
function programsOf(all: Block[]): Block[] {
  const programs: Block[] = []
  for (const block of all) {
    const last = programs.at(-1)
    if (block.code.startsWith('import ') || last === undefined) programs.push({ ...block })
    else last.code += block.code
  }
  return programs
}

const programs = programsOf(blocks.filter(({ part }) => part === ''))
const parts = blocks.filter(({ part }) => part !== '')

/** What the comments behind `console.log(...)` promise. */
const promised = (code: string) =>
  [...code.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(([, text]) => text)

let host = { folder: '', remove: (): void => undefined }
test.beforeAll(() => {
  const files = programs.map(({ code }, index) => {
    const resolved = code
      .replaceAll("from 'headwise/core'", "from '/module/core/index.js'")
      .replaceAll("from 'headwise'", "from '/module/index.js'")
    return [`program-${index}.js`, resolved]
  })
  host = moduleFolder(Object.fromEntries(files) as Record<string, string>)
  // A checkpoint of that kind, if a tiny one.
  const golden = 'tests/golden/architectures'
  cpSync(`${golden}/gpt2`, path.join(host.folder, 'models/gpt2'), { recursive: true })
  cpSync(`${golden}/tokenizer.json`, path.join(host.folder, 'models/gpt2/tokenizer.json'))
})
test.afterAll(() => host.remove())

test('there are programs, and each shows something', () => {
  expect(programs.length).toBeGreaterThan(10)
  for (const { place, code } of programs) expect(promised(code), place).not.toEqual([])
})

for (const [index, { place, code }] of programs.entries()) {
  const tag = place.includes('README.md') ? [] : ['@all']
  test(`${place} runs`, { tag }, async ({ page }) => {
    const shown: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'log') shown.push(message.text())
    })
    await onPage(page, { folder: host.folder, isolation: true }, async (url) => {
      await page.evaluate(async (address) => {
        await import(address)
      }, `${url}program-${index}.js`)
      await expect.poll(() => shown, { timeout: 30_000 }).toEqual(promised(code))
      // Programs clean up after themselves.
      await expect.poll(() => page.workers().length, { timeout: 30_000 }).toBe(0)
    })
  })
}

for (const { place, part, code } of parts) {
  test(`${place} is a part of ${part}`, () => {
    const file = readFileSync(part, 'utf8')
    let from = 0
    for (const line of code.split('\n').map((each) => each.trim())) {
      const found = file.indexOf(line, from)
      expect(found, line).toBeGreaterThanOrEqual(0)
      from = found + line.length
    }
  })
}
