// The run itself: every peer is opened once, every case is prepared by all of them, verified, warmed
// up, and then timed in rounds in which they take turns. Slow minutes of the machine so fall on all.

import { say } from '../../../scripts/lib/say.mjs'
import { summaryOf } from './statistics.mjs'

/** Milliseconds for warming up and for one peer's turn in a round. */
export const fullEffort = { firstWarmUp: 1500, warmUp: 300, turn: 400, limit: 60, rounds: 5 }
export const quickEffort = { firstWarmUp: 300, warmUp: 50, turn: 80, limit: 30, rounds: 3 }

const firstLine = (error) => error.message.split('\n')[0].replace(/^page\.evaluate: (Error: )?/, '')

/** Opens a peer in a realm of its own and warms it up; what fails is told, not thrown. */
export async function openPeer(browser, peer, warmUp, effort) {
  const realm = await browser.openRealm()
  const call = (method, ...args) => realm.call('session', method, args, peer.worker)
  try {
    const { version } = await call('open', `./peers/${peer.module}`, peer.options)
    await call('prepare', warmUp)
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

/**
 * Prepares one peer for a case and verifies it: `judge(peer, summary, expected)` gives at least
 * { error, verified }.
 */
export async function prepare({ peer, call }, shape, { expected, judge }, effort) {
  try {
    // JSON knows no NaN: one arrives as null, and must not count as 0.
    const summary = (await call('prepare', shape)).map((value) => value ?? NaN)
    await call('time', { milliseconds: effort.warmUp, calls: 2 })
    return judge(peer, summary, expected)
  } catch (error) {
    return { verified: false, failed: firstLine(error) }
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 30))

/** Times all entries in turns, each round starting with another one; resolves to the limits. */
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
  return Object.fromEntries(
    names.map((name) => [name, summaryOf(measured.map((one) => one[name]))]),
  )
}

/** What is told of an entry; one that failed or gave wrong output has no times. */
function finished({ opened, times, ...entry }, flops) {
  if (!entry.verified) return entry
  const milliseconds = summaryOf(times)
  const gigaflops = flops / milliseconds.median / 1e6
  return { ...entry, version: opened.version, milliseconds, gigaflops, times }
}

async function measureCase(peers, shape, task, limits, effort) {
  const check = { expected: task.expected(shape), judge: task.judge }
  const entries = []
  for (const opened of peers) {
    const { name, group, build, threads } = opened.peer
    const verdict = await prepare(opened, shape, check, effort)
    entries.push({
      peer: name,
      group,
      build,
      threads,
      shape: shape.name,
      ...verdict,
      times: [],
      opened,
    })
  }
  const live = entries.filter(({ verified }) => verified)
  const limit = await takeTurns(live, limits, effort)
  for (const { call } of peers) await call('release')
  return { shape, limit, results: entries.map((entry) => finished(entry, task.flops(shape))) }
}

/**
 * Measures `shapes` with `peers`. A task says what a shape is: { warmUp: the shape to begin with,
 * expected(shape), judge(peer, summary, expected), flops(shape) }.
 */
export async function measure(browser, { task, peers, shapes, effort }) {
  const opened = []
  const skipped = []
  for (const peer of peers) {
    const one = await openPeer(browser, peer, task.warmUp, effort)
    if (one.failed) skipped.push({ peer: peer.name, group: peer.group, reason: one.failed })
    else opened.push(one)
    say(`${peer.name}: ${one.failed ? `left out, ${one.failed}` : one.version}`)
  }
  const limits = await openLimits(browser)
  const cases = []
  for (const shape of shapes) {
    say(`measuring ${shape.name}`)
    cases.push(await measureCase(opened, shape, task, limits, effort))
  }
  await limits.close()
  for (const { realm } of opened) await realm.close()
  return { cases, skipped }
}
