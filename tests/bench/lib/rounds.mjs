// The run itself: every peer is opened once, every case is prepared by all of them, verified, warmed
// up, and then timed in rounds in which they take turns. Slow minutes of the machine so fall on all.

import { flops, warmUpCases } from '../cases/attention.js'
import { referenceRows } from '../cases/attention-reference.js'
import { say } from '../../../scripts/lib/say.mjs'
import { summaryOf, median } from './statistics.mjs'

/** Outputs may differ from the float64 reference by this much; the outputs are of magnitude 1. */
export const tolerance = 2e-6

/** Milliseconds for warming up and for one peer's turn in a round. */
export const fullEffort = { firstWarmUp: 1500, warmUp: 300, turn: 400, limit: 60, rounds: 5 }
export const quickEffort = { firstWarmUp: 300, warmUp: 50, turn: 80, limit: 30, rounds: 3 }

const firstLine = (error) => error.message.split('\n')[0].replace(/^page\.evaluate: (Error: )?/, '')

/** Opens a peer in a realm of its own and warms it up; what fails is told, not thrown. */
export async function openPeer(browser, peer, kind, effort) {
  const realm = await browser.openRealm()
  const call = (method, ...args) => realm.call('session', method, args, peer.worker)
  try {
    const { version } = await call('open', `./peers/${peer.module}`, peer.options)
    await call('prepare', warmUpCases[kind])
    await call('time', { milliseconds: effort.firstWarmUp, calls: 8 })
    await call('release')
    return { peer, version, realm, call }
  } catch (error) {
    await realm.close()
    return { peer, failed: firstLine(error) }
  }
}

/** { relaxedMultiplyAdd, multiplyThenAdd, memory } of this minute, on call. */
async function openLimits(browser) {
  const realm = await browser.openRealm()
  await realm.call('limits', 'open', [], true)
  return {
    measure: (milliseconds) => realm.call('limits', 'measure', [milliseconds], true),
    close: () => realm.close(),
  }
}

function largestError(rows, expected) {
  if (rows.length !== expected.length) return Infinity
  return rows.reduce((most, value, i) => Math.max(most, Math.abs(value - expected[i])), 0)
}

/** Prepares and verifies one peer for a case. */
export async function prepare(opened, shape, expected, effort) {
  const { peer, call } = opened
  const entry = { peer: peer.name, group: peer.group, build: peer.build, shape: shape.name }
  try {
    const rows = await call('prepare', shape)
    // JSON knows no NaN: one arrives as null, and must not count as 0.
    const error = largestError(
      rows.map((value) => value ?? NaN),
      expected,
    )
    await call('time', { milliseconds: effort.warmUp, calls: 2 })
    return { ...entry, error, verified: error <= tolerance, times: [], opened }
  } catch (error) {
    return { ...entry, failed: firstLine(error) }
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 30))

/** Times all entries in turns, each round starting with another one. */
async function takeTurns(entries, limits, effort) {
  const measured = []
  for (let round = 0; round < effort.rounds; round++) {
    measured.push(await limits.measure(effort.limit))
    for (let turn = 0; turn < entries.length; turn++) {
      const entry = entries[(round + turn) % entries.length]
      await pause()
      const turnLimit = { milliseconds: effort.turn, calls: 1 }
      entry.times.push(...(await entry.opened.call('time', turnLimit)))
    }
  }
  const names = Object.keys(measured[0])
  return Object.fromEntries(names.map((name) => [name, median(measured.map((one) => one[name]))]))
}

/** What is told of an entry; one that failed or gave wrong output has no times. */
function finished({ opened, times, ...entry }, shape) {
  if (!entry.verified) return entry
  const milliseconds = summaryOf(times)
  const gigaflops = flops(shape) / milliseconds.median / 1e6
  return { ...entry, version: opened.version, milliseconds, gigaflops, times }
}

async function measureCase(peers, shape, limits, effort) {
  const expected = referenceRows(shape)
  const entries = []
  for (const opened of peers) entries.push(await prepare(opened, shape, expected, effort))
  const live = entries.filter(({ verified }) => verified)
  const limit = await takeTurns(live, limits, effort)
  for (const { call } of peers) await call('release')
  return { shape, limit, results: entries.map((entry) => finished(entry, shape)) }
}

/** Measures `shapes` with `peers`; tells `onCase` each finished case; gives all of them. */
export async function measure(browser, { kind, peers, shapes, effort, onCase }) {
  const opened = []
  const skipped = []
  for (const peer of peers) {
    const one = await openPeer(browser, peer, kind, effort)
    if (one.failed) skipped.push({ peer: peer.name, group: peer.group, reason: one.failed })
    else opened.push(one)
    say(`${peer.name}: ${one.failed ? `left out, ${one.failed}` : one.version}`)
  }
  const limits = await openLimits(browser)
  const cases = []
  for (const shape of shapes) {
    const result = await measureCase(opened, shape, limits, effort)
    cases.push(result)
    onCase?.(result)
  }
  await limits.close()
  for (const { realm } of opened) await realm.close()
  return { cases, skipped }
}
