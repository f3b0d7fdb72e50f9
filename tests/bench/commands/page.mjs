// `npm run bench -- page`: from navigation to what a visitor waits for, on the local server, each
// time in a new browser so that nothing is cached, compiled code included. The page itself marks
// the moments, after the frame that shows them.

import path from 'node:path'

import { launch } from '../lib/browser.mjs'
import { report, table } from '../lib/report.mjs'
import { summaryOf } from '../lib/statistics.mjs'
import { root } from '../../../scripts/lib/paths.mjs'
import { PlainError, say } from '../../../scripts/lib/say.mjs'
import { serve } from '../../../scripts/serve.mjs'

const moments = {
  'headwise:first-map': 'first live head map',
  'headwise:all-layers': 'all layers',
}

/** Runs in the page: resolves to { mark: ms since navigation } once all marks are set. */
function waitForMarks(names) {
  return new Promise((resolve) => {
    const look = () => {
      const marks = names.map((name) => [name, performance.getEntriesByName(name, 'mark')[0]])
      if (marks.some(([, mark]) => mark === undefined)) return
      resolve(Object.fromEntries(marks.map(([name, mark]) => [name, mark.startTime])))
    }
    new PerformanceObserver(look).observe({ type: 'mark' })
    look()
  })
}

async function loadOnce(url) {
  const browser = await launch()
  try {
    const page = await browser.newPage()
    const errors = []
    page.on('pageerror', ({ message }) => errors.push(message))
    await page.goto(url, { waitUntil: 'commit' })
    const names = Object.keys(moments)
    const patience = new Promise((resolve) => setTimeout(resolve, 60_000))
    const marks = await Promise.race([page.evaluate(waitForMarks, names), patience])
    if (marks) return marks
    throw new PlainError(`the page did not set its marks within a minute. ${errors.join('; ')}`)
  } finally {
    await browser.close()
  }
}

export async function page({ run, options }) {
  const loads = options.quick ? 3 : Number(options.rounds ?? 11)
  const server = await serve({ folder: path.join(root, 'web/app/dist'), port: 0 })
  const times = []
  try {
    for (let load = 0; load < loads; load++) times.push(await loadOnce(server.url))
  } finally {
    await server.close()
  }
  const rows = Object.entries(moments).map(([mark, title]) => {
    const { median, least, most } = summaryOf(times.map((one) => one[mark]))
    return [title, ...[median, least, most].map((value) => value.toFixed(0))]
  })
  say(`${loads} loads`)
  report('page', {
    title: `Page: ms from navigation, nothing cached, ${loads} loads`,
    run,
    sections: [table(['until', 'median', 'least', 'most'], rows)],
    data: { loads: times },
  })
  return 0
}
