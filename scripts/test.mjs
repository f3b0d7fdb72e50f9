// Everything that is tested, in stages, ending with one line that sums all runners up.
//
//   node scripts/test.mjs                  all stages
//   node scripts/test.mjs lint native      some of them
//   node scripts/test.mjs --all            the long forms: properties, matrices, tests tagged @all

import './lib/node-version.mjs'

import { parseArgs } from 'node:util'

import { build } from './build.mjs'
import { consumers } from './checks/consumers.mjs'
import { cppTests } from './checks/cpp.mjs'
import { lint } from './checks/lint.mjs'
import { packageChecks } from './checks/package.mjs'
import { inWords, sum, verdict } from './checks/result.mjs'
import { playwright, vitest } from './checks/web.mjs'
import { cmakeBuild } from './lib/cmake.mjs'
import { PlainError, main, say, seconds } from './lib/say.mjs'
import { setup } from './setup.mjs'

const built = { wasm: false, page: false }

/** Stages that need built parts build them first, so that any stage can be run alone. */
async function prepared(toolchain, part) {
  if (built[part]) return
  await build(toolchain, part === 'page' ? undefined : ['wasm', 'module'])
  built[part] = true
  built.wasm = true
}

const cppStage = (preset) => [
  preset === 'sanitize' ? preset : `wasm-${preset}`,
  (toolchain) => cppTests(preset, toolchain),
]

/** The stages of `npm test`, in their order: [name, work]. */
const stages = new Map([
  [
    'build',
    async (toolchain) => {
      await prepared(toolchain, 'page')
      return verdict(true)
    },
  ],
  [
    'lint',
    async (toolchain) => {
      await prepared(toolchain, 'wasm') // the page's types come from the built module
      return lint(toolchain)
    },
  ],
  ['native', (toolchain) => cppTests('native', toolchain)],
  cppStage('threads-relaxed'), // relaxed SIMD, and threads; Vitest runs the module on all builds
  [
    'module',
    async (toolchain) => {
      await prepared(toolchain, 'wasm')
      await cmakeBuild('native', toolchain, ['headwise_op']) // one of the implementations compared
      return vitest()
    },
  ],
  [
    'package',
    async (toolchain) => {
      await prepared(toolchain, 'page')
      return sum([await packageChecks(), await consumers()])
    },
  ],
  [
    'browser',
    async (toolchain) => {
      await prepared(toolchain, 'page')
      return playwright()
    },
  ],
])

/** The stages of `npm run test:all`, which does not repeat what `npm test` has done. */
const longStages = new Map([
  cppStage('sanitize'),
  [
    'properties',
    async (toolchain) => {
      await prepared(toolchain, 'wasm')
      return vitest({ long: true, projects: ['properties'] })
    },
  ],
  [
    'consumers',
    async (toolchain) => {
      await prepared(toolchain, 'wasm')
      return consumers({ long: true })
    },
  ],
  [
    'browser',
    async (toolchain) => {
      await prepared(toolchain, 'page')
      return playwright({ long: true })
    },
  ],
])

/** A stage that cannot even run has failed; the others still run. */
async function runStage(name, work, toolchain) {
  say(`--- ${name}`)
  const start = performance.now()
  let result
  try {
    result = await work(toolchain)
  } catch (error) {
    console.error(error instanceof PlainError ? `[headwise] ${error.message}` : error)
    result = verdict(false)
  }
  return { name, ...result, time: performance.now() - start }
}

function printSummary(results) {
  console.log('\nstage            time   result')
  for (const result of results) {
    const time = seconds(result.time).padStart(8)
    console.log(`${result.name.padEnd(13)}${time}   ${inWords(result)}`)
  }
  console.log(`\n${inWords(sum(results))}`)
}

await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { all: { type: 'boolean' } },
  })
  const known = values.all ? longStages : stages
  const unknown = positionals.find((name) => !known.has(name))
  if (unknown) {
    throw new PlainError(`unknown stage '${unknown}', expected ${[...known.keys()].join(', ')}`)
  }
  const chosen = [...known].filter(
    ([name]) => positionals.length === 0 || positionals.includes(name),
  )
  const results = []
  let toolchain
  results.push(
    await runStage('setup', async () => {
      toolchain = await setup('test')
      return verdict(true)
    }),
  )
  if (toolchain) {
    for (const [name, work] of chosen) results.push(await runStage(name, work, toolchain))
  }
  printSummary(results)
  return results.some(({ failed }) => failed > 0) ? 1 : 0
})
