// The browser of a run: one Chromium, and the checkout served to it with the headers that make its
// pages cross-origin isolated (precise clocks, shared memory).

/* global window, crossOriginIsolated */

import { chromium } from '@playwright/test'

import { chromiumLaunchOptions } from '../../../scripts/lib/chromium.mjs'
import { root } from '../../../scripts/lib/paths.mjs'
import { serve } from '../../../scripts/serve.mjs'

/** The longest that one call in a page may take. */
const patience = 10 * 60_000

export function launch() {
  return chromium.launch(chromiumLaunchOptions())
}

/** One page of browser/index.html in a context of its own: its memory is shared with no other. */
async function openRealm(browser, address) {
  const context = await browser.newContext()
  const page = await context.newPage()
  page.setDefaultTimeout(patience)
  const errors = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(`${address}tests/bench/browser/index.html`)
  await page.waitForFunction(() => window.bench && crossOriginIsolated)
  return {
    errors,
    call: (target, method, args, worker) =>
      page.evaluate((request) => window.bench.call(request), { target, method, args, worker }),
    heapBytes: () => page.evaluate(() => window.heapBytes()),
    close: () => context.close(),
  }
}

/** Starts server and browser, hands `work` { version, openRealm() }, and ends both. */
export async function withBrowser(work) {
  const server = await serve({ folder: root, port: 0, csp: false })
  try {
    const browser = await launch()
    try {
      const realm = () => openRealm(browser, server.url)
      return await work({ version: browser.version(), openRealm: realm, address: server.url })
    } finally {
      await browser.close()
    }
  } finally {
    await server.close()
  }
}
