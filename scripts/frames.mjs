// What the page's main thread does while somebody drags and points, and how soon a chapter can be
// used when it is opened by its link with the model in the browser's cache. Prints a table; measures,
// and judges nothing: run it on a quiet machine. What a frame costs the main thread is its processor
// time; the time that passed is printed beside it, and is more where the thread waits for a core.
//
//   node scripts/frames.mjs [chapter ...] [--opens N] [--no-build]

/* global caches, document, requestAnimationFrame -- in the page */

import './lib/node-version.mjs'

import path from 'node:path'
import { parseArgs } from 'node:util'

import { chromium } from '@playwright/test'

import { chromiumLaunchOptions } from './lib/chromium.mjs'
import { root } from './lib/paths.mjs'
import { PlainError, main, say } from './lib/say.mjs'
import { serve } from './serve.mjs'

/** The bars, in milliseconds. */
const frameBar = 8
const usableBar = 1000

/**
 * Milliseconds in which a window that was just opened draws its own bars and menus, and a chapter the
 * figures behind its first one.
 */
const settling = 1500

const taskNames = new Set(['RunTask', 'ThreadControllerImpl::RunTask'])
const categories = ['toplevel', 'devtools.timeline', 'blink.user_timing', '__metadata']
/** Marks in the trace: what lies between is the reader's, what is outside is this script's. */
const begun = 'frames:begun'
const ended = 'frames:ended'
const quantile = (values, share) => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

/**
 * In the page: notes when the chapter is usable. It stands there, and the first of its figures can be
 * saved, so it has its data, and the frame that shows that is drawn. Asked from outside, twice a
 * second in the end, it would be told half a second late.
 */
function noteUsable() {
  const drawn = () => {
    globalThis.usableAt = performance.timeOrigin + performance.now()
  }
  const look = () => {
    const found = document.querySelector('main .tools [aria-haspopup="menu"]') !== null
    requestAnimationFrame(found ? drawn : look)
  }
  requestAnimationFrame(look)
}

/** When the chapter became usable, ms since 1970. */
async function usable(page) {
  const noted = await page.waitForFunction(() => globalThis.usableAt, null, { timeout: 60_000 })
  return noted.jsonValue()
}

/**
 * What each frame of dragging and pointing took of the main thread, milliseconds of processor time and
 * of time that passed: what ran since the frame before was handed to be drawn, and the task that hands
 * over this one.
 */
function framesOf(trace) {
  const { traceEvents } = JSON.parse(trace.toString('utf8'))
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}.${tid}`),
  )
  // Of several renderers it is the page's that works.
  const byThread = new Map([...mains].map((thread) => [thread, { tasks: [], drawn: [] }]))
  for (const event of traceEvents) {
    const thread = byThread.get(`${event.pid}.${event.tid}`)
    if (event.ph === 'X' && taskNames.has(event.name)) thread?.tasks.push(event)
    if (event.name === 'Layerize') thread?.drawn.push(event.ts)
  }
  const work = ({ tasks }) => tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0)
  const [busiest] = [...byThread.values()].sort((a, b) => work(b) - work(a))
  if (!busiest?.drawn.length)
    throw new PlainError('the trace tells of no frame: its names have changed')
  const inOrder = (a, b) => a.ts - b.ts
  const marks = traceEvents.filter(({ name }) => name === begun || name === ended).sort(inOrder)
  const isOurs = (ts) => marks.findLast((mark) => mark.ts <= ts)?.name !== begun
  const frames = []
  let frame = { cost: 0, passed: 0 }
  // Chromium leaves out the processor time of tasks that took none.
  for (const { ts, dur = 0, tdur = 0 } of busiest.tasks.sort(inOrder)) {
    if (isOurs(ts)) {
      frame = { cost: 0, passed: 0 }
      continue
    }
    frame.cost += tdur / 1000
    frame.passed += dur / 1000
    if (!busiest.drawn.some((layers) => layers >= ts && layers <= ts + dur)) continue
    frames.push(frame)
    frame = { cost: 0, passed: 0 }
  }
  if (frames.length > 0 && frames.every(({ cost }) => cost === 0))
    throw new PlainError('the trace tells no processor times: this machine or browser has none')
  return frames
}

/** Does what a reader does, marked in the trace. */
async function marked(page, gesture) {
  await page.evaluate((name) => void performance.mark(name), begun)
  await gesture()
  // The last frame too: it is drawn behind the gesture.
  await page.evaluate(async (name) => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    performance.mark(name)
  }, ended)
}

/** Drags every slider of the chapter through its range, and moves over each of its figures. */
async function scrub(page) {
  const targets = await page.locator('main input[type="range"]:enabled:visible').all()
  const figures = await page.locator('main svg:visible, main canvas:visible').all()
  for (const target of targets) {
    await target.scrollIntoViewIfNeeded()
    const box = await target.boundingBox()
    if (!box) continue
    const y = box.y + box.height / 2
    await page.mouse.move(box.x + 4, y)
    await marked(page, async () => {
      await page.mouse.down()
      await page.mouse.move(box.x + box.width - 4, y, { steps: 60 })
      await page.mouse.up()
    })
  }
  const large = []
  for (const figure of figures) {
    const box = await figure.boundingBox()
    if (box && box.width >= 200 && box.height >= 80) large.push(figure)
  }
  for (const figure of large.slice(0, 8)) {
    await figure.scrollIntoViewIfNeeded()
    const box = await figure.boundingBox()
    if (!box) continue
    await page.mouse.move(box.x + 5, box.y + 5)
    const [right, bottom] = [box.x + box.width - 5, box.y + box.height - 5]
    await marked(page, () => page.mouse.move(right, bottom, { steps: 60 }))
  }
  return { sliders: targets.length, figures: Math.min(8, large.length) }
}

/** A browser for each chapter: one that has opened some eighty pages takes many seconds for the next. */
async function withBrowser(use) {
  const browser = await chromium.launch(chromiumLaunchOptions())
  try {
    return await use(browser)
  } finally {
    await browser.close()
  }
}

async function chaptersOf(browser, url) {
  const page = await browser.newPage()
  await page.goto(url)
  const rail = page.locator('nav button.chapter')
  await rail.first().waitFor()
  const known = []
  for (let place = 0; place < (await rail.count()); place++) {
    await rail.nth(place).click()
    known.push(/#\/\w+\/([\w-]+)/.exec(page.url())?.[1])
  }
  return known
}

async function measureChapter(browser, url, chapter, opens) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } })
  try {
    await context.addInitScript(noteUsable)
    const address = `${url}#/en/${chapter}`
    const first = await context.newPage()
    await first.goto(address)
    await usable(first)
    await first.locator('header button.ready').waitFor({ timeout: 60_000 })
    // The service worker has the page and the model from here on.
    await first.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await first.waitForFunction(
      async () => (await (await caches.open('headwise-models')).keys()).length > 0,
    )
    await first.close()
    const times = []
    for (let open = 0; open < opens; open++) {
      const page = await context.newPage()
      // A link is opened in a browser that stands there: the window must not open at the same time.
      await page.waitForTimeout(settling)
      const start = performance.timeOrigin + performance.now()
      await page.goto(address, { waitUntil: 'commit' })
      times.push((await usable(page)) - start)
      await page.close()
    }
    const page = await context.newPage()
    await page.goto(address)
    await usable(page)
    await page.locator('header button.ready').waitFor({ timeout: 60_000 })
    await page.waitForTimeout(settling)
    await browser.startTracing(page, { categories })
    const touched = await scrub(page)
    const frames = framesOf(await browser.stopTracing())
    return { chapter, times, frames, ...touched }
  } finally {
    await context.close()
  }
}

function print(results) {
  console.log('chapter            usable after, ms     main thread a frame, ms  passed')
  console.log(
    '                     median    most      median    95 %    most    95 %   sliders figures',
  )
  for (const { chapter, times, frames, sliders, figures } of results) {
    const costs = frames.map(({ cost }) => cost)
    const passed = frames.map((frame) => frame.passed)
    const numbers = [
      quantile(times, 0.5).toFixed(0).padStart(10),
      quantile(times, 1).toFixed(0).padStart(8),
      quantile(costs, 0.5).toFixed(1).padStart(12),
      quantile(costs, 0.95).toFixed(1).padStart(8),
      quantile(costs, 1).toFixed(1).padStart(8),
      quantile(passed, 0.95).toFixed(1).padStart(8),
      String(sliders).padStart(8),
      String(figures).padStart(8),
    ]
    console.log(`${chapter.padEnd(17)}${numbers.join('')}`)
  }
  console.log(
    `bars: usable within ${usableBar} ms, ${frameBar} ms of processor time a frame at the 95th percentile`,
  )
}

await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { opens: { type: 'string', default: '5' }, 'no-build': { type: 'boolean' } },
  })
  if (!values['no-build']) {
    const [{ build }, { setup }] = await Promise.all([import('./build.mjs'), import('./setup.mjs')])
    await build(await setup('test'))
  }
  const server = await serve({ folder: path.join(root, 'web/app/dist'), port: 0 })
  try {
    const known = await withBrowser((browser) => chaptersOf(browser, server.url))
    const unknown = positionals.find((name) => !known.includes(name))
    if (unknown) throw new PlainError(`unknown chapter '${unknown}', expected ${known.join(', ')}`)
    const results = []
    for (const chapter of positionals.length > 0 ? positionals : known) {
      say(`chapter ${chapter}`)
      const measure = (browser) =>
        measureChapter(browser, server.url, chapter, Number(values.opens))
      results.push(await withBrowser(measure))
    }
    print(results)
  } finally {
    await server.close()
  }
})
