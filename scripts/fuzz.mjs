// Runs a fuzz target under the sanitizers, from the corpus in the repository. What it finds on its
// way stays in build/fuzz/corpus, what breaks a promise in build/fuzz/findings. Or, with `files`, loads
// models whose files were changed, through the module itself.
//
//   node scripts/fuzz.mjs [--seconds 600] [--target attention_fuzz]
//   node scripts/fuzz.mjs --merge      adds what reaches new code to the repository's corpus
//   node scripts/fuzz.mjs files [--seconds 600] [--seed N]      a seed of its own each time
//   node scripts/fuzz.mjs files --seed N --once                 one case again

import './lib/node-version.mjs'

import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'

import { build } from './build.mjs'
import { cmakeBuild } from './lib/cmake.mjs'
import { root } from './lib/paths.mjs'
import { capture, exitCode, which } from './lib/process.mjs'
import { main, PlainError } from './lib/say.mjs'
import { setup } from './setup.mjs'

const whatToInstall =
  'fuzzing needs a Clang with libFuzzer and the sanitizers; on Debian: ' +
  'apt-get install -y --no-install-recommends clang-14 libclang-rt-14-dev'

/** A clang++ that has libFuzzer: HEADWISE_FUZZ_CXX, or the first on PATH. */
async function fuzzingCompiler() {
  const named = process.env.HEADWISE_FUZZ_CXX
  const versions = Array.from({ length: 12 }, (_, i) => `clang++-${25 - i}`)
  for (const compiler of named ? [named] : ['clang++', ...versions].filter((name) => which(name))) {
    // What the linker would be given: a path when the library is there, else its bare name.
    const { stderr } = await capture(compiler, ['-fsanitize=fuzzer', '-###', '-x', 'c++', '-'])
    const library = /"([^"]*libclang_rt\.fuzzer[^"]*\.a)"/.exec(stderr)?.[1]
    if (library && existsSync(library)) return compiler
  }
  throw new PlainError(whatToInstall)
}

/** Ends with 1 when there are findings. */
async function fuzzFiles({ seconds, seed, once }) {
  await build(await setup('build'), ['wasm', 'module'])
  const { fuzzFiles: fuzz } = await import('../tests/fuzz/files/fuzz.mjs')
  const findings = await fuzz({
    seconds: Number(seconds),
    seed: Number(seed ?? Date.now() % 1e9),
    once: once === true,
    findingsFolder: path.join(root, 'build/fuzz/findings'),
  })
  return findings.length === 0 ? 0 : 1
}

await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '600' },
      target: { type: 'string', default: 'attention_fuzz' },
      merge: { type: 'boolean' },
      seed: { type: 'string' },
      once: { type: 'boolean' },
    },
  })
  if (positionals[0] === 'files') return fuzzFiles(values)
  if (positionals.length > 0) throw new PlainError(`unknown '${positionals[0]}', expected files`)
  const toolchain = await setup('test')
  toolchain.env.HEADWISE_FUZZ_CXX = await fuzzingCompiler()
  const folder = await cmakeBuild('fuzz', toolchain, [values.target])
  const found = path.join(folder, 'corpus')
  const findings = path.join(folder, 'findings')
  for (const name of [found, findings]) mkdirSync(name, { recursive: true })
  const corpus = path.join(root, 'tests/fuzz/corpus', values.target)
  const shared = ['-max_len=256', '-len_control=0', `-artifact_prefix=${findings}/`]
  const what = values.merge
    ? ['-set_cover_merge=1', '-use_counters=0', corpus, found] // few files, all edges
    : [`-max_total_time=${values.seconds}`, '-print_final_stats=1', found, corpus]
  return exitCode(path.join(folder, values.target), [...shared, ...what], { cwd: root })
})
