// One page of a project in a browser: its report, what it complained of, which files it fetched.

import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { chromium } from '@playwright/test'

import { chromiumLaunchOptions } from '../../scripts/lib/chromium.mjs'
import { which } from '../../scripts/lib/process.mjs'

/** The longest that a page may take on a busy machine. */
const patience = 120_000

/** What stands in #report once it is there. */
const readReport = () => {
  const text = document.querySelector('#report')?.textContent ?? ''
  return text === '' ? undefined : JSON.parse(text)
}
/* global document */

/** Whether a message of the console counts; these small pages have no icon, which browsers ask for. */
function isProblem(type, address = '') {
  return /^(error|warn)/.test(type) && !address.endsWith('/favicon.ico')
}

export async function openChromium() {
  const browser = await chromium.launch(chromiumLaunchOptions())
  return {
    name: `Chromium ${browser.version().split('.')[0]}`,
    async visit(address) {
      const context = await browser.newContext()
      const [problems, fetched] = [[], []]
      context.on('request', (request) => fetched.push(request.url()))
      const page = await context.newPage()
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => {
        if (isProblem(message.type(), message.location().url)) problems.push(message.text())
      })
      try {
        await page.goto(address, { timeout: patience })
        const handle = await page.waitForFunction(readReport, undefined, { timeout: patience })
        const isolated = await page.evaluate(() => globalThis.crossOriginIsolated)
        return { report: await handle.jsonValue(), isolated, problems, fetched }
      } finally {
        await context.close()
      }
    },
    close: () => browser.close(),
  }
}

/** Firefox by puppeteer-core, from the tools in `folder`; undefined where it is not installed. */
export async function openFirefox(folder) {
  const executablePath = which('firefox') ?? which('firefox-esr')
  if (executablePath === undefined) return undefined
  const require = createRequire(path.join(folder, 'package.json'))
  const { default: puppeteer } = await import(pathToFileURL(require.resolve('puppeteer-core')).href)
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true })
  const version = await browser.version()
  return {
    name: version.replace('/', ' ').replace(/\..*/, ''),
    async visit(address) {
      const page = await browser.newPage()
      const [problems, fetched] = [[], []]
      page.on('request', (request) => fetched.push(request.url()))
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => {
        if (isProblem(message.type(), message.location()?.url)) problems.push(message.text())
      })
      try {
        await page.goto(address, { timeout: patience })
        const handle = await page.waitForFunction(readReport, { timeout: patience })
        const isolated = await page.evaluate(() => globalThis.crossOriginIsolated)
        return { report: await handle.jsonValue(), isolated, problems, fetched }
      } finally {
        await page.close()
      }
    },
    close: () => browser.close(),
  }
}
