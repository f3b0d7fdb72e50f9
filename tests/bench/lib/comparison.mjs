// From measured cases to tables: milliseconds of everything, then ours as ratios to the peers and as
// a share of the machine's limit.

import { digits, factor, percent, table } from './report.mjs'
import { median } from './statistics.mjs'

export const groups = {
  onnxruntime: 'onnxruntime-web',
  litert: 'LiteRT.js',
  tfjs: 'TensorFlow.js',
}

export const medianOf = (entry) => entry?.milliseconds?.median

/** A peer's fastest way to compute the case: what a ratio is taken to. */
export function fastestOf(results, group) {
  const times = results.filter((entry) => entry.group === group).map(medianOf)
  const known = times.filter((time) => time !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}

export const entryOf = (results, peer) => results.find((entry) => entry.peer === peer)

function cellOf(entry) {
  if (entry === undefined) return '-'
  if (entry.failed) return 'failed'
  if (!entry.verified) return `WRONG (${entry.error.toExponential(1)})`
  return digits(medianOf(entry))
}

/** Median milliseconds, a row for each case and a column for each peer. */
export function timesTable(cases) {
  const peers = [...new Set(cases.flatMap(({ results }) => results.map(({ peer }) => peer)))]
  return table(
    ['ms', ...peers],
    cases.map(({ shape, results }) => [
      shape.name,
      ...peers.map((peer) => cellOf(entryOf(results, peer))),
    ]),
  )
}

const limitNames = {
  relaxedMultiplyAdd: ['relaxed multiply-add', 'GFLOP/s'],
  multiplyThenAdd: ['multiply, then add', 'GFLOP/s'],
  memory: ['reading memory', 'GB/s'],
}

/** The machine's own limits as measured between the others; a wide range tells of disturbance. */
export function limitsLine(cases) {
  const texts = Object.entries(limitNames).map(([key, [title, unit]]) => {
    const all = cases.map(({ limit }) => limit[key])
    const [least, most] = [
      Math.min(...all.map((one) => one.least)),
      Math.max(...all.map((one) => one.most)),
    ]
    const middle = median(all.map((one) => one.median))
    return `${title} ${digits(middle)} ${unit} (${digits(least)} to ${digits(most)})`
  })
  return `Limits of one thread here, in this run: ${texts.join('; ')}.`
}

/** The limit that counts for an entry: only relaxed SIMD has a fused multiply-add. */
function limitFor({ build, threads }, limit) {
  const { relaxedMultiplyAdd, multiplyThenAdd } = limit
  return threads * (build.includes('relaxed') ? relaxedMultiplyAdd : multiplyThenAdd).median
}

/** One build of ours: speed, share of the limit, how many times as fast as each peer. */
export function ratiosTable(cases, peer) {
  const rows = []
  for (const { shape, limit, results } of cases) {
    const entry = entryOf(results, peer)
    const time = medianOf(entry)
    if (time === undefined) continue
    const bound = limitFor(entry, limit)
    rows.push([
      shape.name,
      digits(entry.gigaflops),
      digits(bound),
      percent(entry.gigaflops / bound),
      ...Object.keys(groups).map((group) => factor(fastestOf(results, group) / time)),
      entry.error.toExponential(1),
    ])
  }
  if (rows.length === 0) return undefined
  const ratios = Object.values(groups).map((name) => `vs ${name}`)
  return table([peer, 'GFLOP/s', 'limit', 'share', ...ratios, 'error'], rows)
}

/** Ours beside itself: `milliseconds(a) - milliseconds(b)` and their ratio. */
export function againstTable(cases, peer, base, title) {
  const rows = cases.flatMap(({ shape, results }) => {
    const [time, baseTime] = [peer, base].map((name) => medianOf(entryOf(results, name)))
    if (time === undefined || baseTime === undefined) return []
    return [[shape.name, digits(time - baseTime), factor(baseTime / time)]]
  })
  return rows.length > 0 ? table([title, 'ms more', 'speed'], rows) : undefined
}

/** The lines under a table: what was left out or failed, and why. */
export function remarks({ cases, skipped }) {
  const lines = skipped.map(({ peer, reason }) => `- ${peer} was left out: ${reason}`)
  for (const { shape, results } of cases) {
    for (const { peer, failed, verified, error } of results) {
      if (failed) lines.push(`- ${peer} failed at ${shape.name}: ${failed}`)
      else if (!verified) lines.push(`- ${peer} is wrong at ${shape.name} by ${error}`)
    }
  }
  return lines.length > 0 ? lines.join('\n') : undefined
}

/** Whether ours took part in full and computed everything rightly. */
export const oursVerified = ({ cases, skipped }) =>
  skipped.every(({ group }) => group !== 'headwise') &&
  cases.every(({ results }) =>
    results.every(({ group, verified }) => group !== 'headwise' || verified),
  )
