// Everything that can take part in a run: a name, the module of browser/peers that drives it, and
// what that is told. The page loads each in a realm of its own.

import { existsSync } from 'node:fs'
import path from 'node:path'

import { root } from '../../../scripts/lib/paths.mjs'
import { PlainError } from '../../../scripts/lib/say.mjs'

const builds = ['relaxed', 'simd', 'threads-relaxed', 'threads', 'scalar']

export const isBuilt = (build) =>
  existsSync(path.join(root, `web/module/dist/wasm/headwise-${build}.wasm`))

const isThreaded = (build) => build.startsWith('threads')

/** One build of ours through `headwise/core`, in the benchmark's own Worker. */
export function ours(name, build, wanted, more = {}) {
  const threads = isThreaded(build) ? wanted : 1
  const options = { entrance: 'core', build, ...(isThreaded(build) && { threads }), ...more }
  return { name, group: 'headwise', build, threads, module: 'headwise.js', worker: true, options }
}

function onnxRuntime(operator, threads) {
  const options = { operator, threads }
  return {
    name: `onnxruntime ${operator}`,
    group: 'onnxruntime',
    module: 'onnxruntime.js',
    options,
  }
}

/** A .wasm file of ours given by hand, to be measured beside the shipped one. */
function variant(file, threads) {
  const build = /headwise-([a-z-]+)\.wasm$/.exec(file)?.[1]
  if (!builds.includes(build)) {
    throw new PlainError(`--wasm wants a file named headwise-BUILD.wasm, got ${file}`)
  }
  if (!existsSync(file)) throw new PlainError(`--wasm: there is no file ${file}`)
  const relative = path.relative(root, path.resolve(file))
  if (relative.startsWith('..'))
    throw new PlainError(`--wasm wants a file in the checkout: ${file}`)
  return ours(relative, build, threads, { wasm: `/${relative.split(path.sep).join('/')}` })
}

/** All peers for a kind of case ('attention', 'block', 'decode') on that many threads. */
export function allPeers(kind, { threads, wasm = [] }) {
  const operators = ['multi-head-attention', 'attention-23', ...(kind === 'block' ? ['fused'] : [])]
  const async = ours('relaxed async', 'relaxed', threads, { entrance: 'async' })
  const shipped =
    threads > 1
      ? ['relaxed', 'threads-relaxed', 'threads'].map((build) => ours(build, build, threads))
      : [ours('relaxed', 'relaxed'), ours('simd', 'simd'), { ...async, worker: false }]
  return [
    ...shipped.filter(({ build }) => isBuilt(build)),
    ...wasm.map((file) => variant(file, threads)),
    ...operators.map((operator) => onnxRuntime(operator, threads)),
    { name: 'litert', group: 'litert', module: 'litert.js', options: { threads } },
    { name: 'tfjs', group: 'tfjs', module: 'tfjs.js', options: { threads } },
  ]
}

/** Those of `items` whose names match the list of patterns, in which * stands for anything. */
export function chosen(items, patterns, what) {
  if (patterns === undefined) return items
  const matchers = patterns.split(',').map((pattern) => {
    const escaped = pattern.trim().replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    return new RegExp(`^${escaped.replaceAll('*', '.*')}$`)
  })
  const found = items.filter(({ name }) => matchers.some((matcher) => matcher.test(name)))
  if (found.length > 0) return found
  const names = items.map(({ name }) => name).join(', ')
  throw new PlainError(`no ${what} matches '${patterns}'; there are: ${names}`)
}
