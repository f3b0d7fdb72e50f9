// The page as its tests see it: opened by link, watched for errors in the console, for violations
// of the Content-Security-Policy, and for anything typed that leaves the tab.
import { readFileSync } from 'node:fs'
import { test as base, expect, type Locator, type Page, type Request } from '@playwright/test'

export const sentence = 'The cat sat on the mat because it was tired'

type State = Record<string, string | number>

/** The address of a view of chapter 1; what is left out takes the page's defaults. */
export const look = (state: State = {}, language = 'en'): string =>
  addressOf('look', state, language)

/** The same of chapter 2. */
export const why = (state: State = {}, language = 'en'): string => addressOf('why', state, language)

/** The same of chapter 3. */
export const steps = (state: State = {}, language = 'en'): string =>
  addressOf('steps', state, language)

/** The same of chapter 4. */
export const scale = (state: State = {}, language = 'en'): string =>
  addressOf('scale', state, language)

/** The same of chapter 5. */
export const parameters = (state: State = {}, language = 'en'): string =>
  addressOf('parameters', state, language)

/** And of chapters 6 and 10. */
export const subspaces = (state: State = {}, language = 'en'): string =>
  addressOf('subspaces', state, language)
export const variants = (state: State = {}, language = 'en'): string =>
  addressOf('variants', state, language)

/** The same of chapter 9. */
export const rank = (state: State = {}, language = 'en'): string =>
  addressOf('rank', state, language)

/** The same of chapter 11. */
export const speed = (state: State = {}, language = 'en'): string =>
  addressOf('speed', state, language)

/** The address of a view of any chapter. */
export function addressOf(chapter: string, state: State, language: string): string {
  const query = new URLSearchParams(
    Object.entries(state).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return `#/${language}/${chapter}${query.size > 0 ? `?${query.toString()}` : ''}`
}

/** Requests for the file that a source of the page was built into: `src/i18n/frame.ko.ts`. */
export function builtFile(source: string): string {
  const manifest = JSON.parse(readFileSync('web/app/dist/.vite/manifest.json', 'utf8')) as Partial<
    Record<string, { file: string }>
  >
  const file = manifest[source]?.file
  if (file === undefined) throw new Error(`${source}: expected an entry of the manifest`)
  return `**/${file}`
}

export class Explainer {
  readonly problems: string[] = []
  readonly requests: Request[] = []

  constructor(
    readonly page: Page,
    /** Where the page is served; the configured server when empty. */
    readonly origin = '',
  ) {
    page.on('console', (message) => {
      // Tests block the service worker by their own configuration.
      if (message.text().includes('blocked by Playwright')) return
      if (['error', 'warning'].includes(message.type())) this.problems.push(message.text())
    })
    page.on('pageerror', (error) => this.problems.push(error.message))
    page.context().on('request', (request) => this.requests.push(request))
  }

  async open(address = ''): Promise<void> {
    await this.page.goto(`${this.origin}/${address}`)
  }

  /** Opens a view and waits until all 72 heads are there. */
  async openWhole(address = ''): Promise<void> {
    await this.open(address)
    await this.whole()
  }

  async whole(): Promise<void> {
    await expect(this.heads).toHaveCount(72, { timeout: 30_000 })
  }

  /** The address, once it holds what has been replaced in the view. */
  async address(): Promise<string> {
    await this.page.waitForTimeout(200)
    return this.page.url()
  }

  /** The heads whose maps are there. */
  get heads(): Locator {
    return this.page.locator('[data-head]:not(.waiting)')
  }

  head(name: string): Locator {
    return this.page.locator(`[data-head="${name}"]`)
  }

  get chips(): Locator {
    return this.page.locator('[data-place]')
  }

  get text(): Locator {
    return this.page.locator('#sentence')
  }

  /** The number under the crosshair. */
  async readout(): Promise<number> {
    const number = this.page.getByTestId('readout').locator('b')
    await expect(number).toHaveText(/^\d+\.\d{3}$/)
    return Number(await number.textContent())
  }

  /** Types as a reader does, in place of the text that is there. */
  async type(text: string): Promise<void> {
    await this.text.fill('')
    await this.text.pressSequentially(text, { delay: 15 })
  }

  /** Waits until the tokens on screen are those of a text that begins and ends so. */
  async tokensEndWith(...last: string[]): Promise<void> {
    await expect
      .poll(
        async () => (await this.chips.locator('.label').allTextContents()).slice(-last.length),
        {
          timeout: 20_000,
        },
      )
      .toEqual(last)
  }

  /** The table view of the opened head, as numbers. */
  async matrix(): Promise<number[][]> {
    const rows = this.page.locator('#look-opened tbody tr')
    await expect(rows.first()).toBeVisible()
    const cells = await rows.evaluateAll((all) =>
      all.map((row) => Array.from(row.querySelectorAll('td'), (cell) => Number(cell.textContent))),
    )
    return cells.map((row) => row.slice(0, -1))
  }
}

export const test = base.extend<{ explainer: Explainer }>({
  explainer: async ({ page, baseURL }, use) => {
    const explainer = new Explainer(page, (baseURL ?? '').replace(/\/$/, ''))
    await use(explainer)
    expect(explainer.problems, 'messages in the console').toEqual([])
  },
})

export { expect }
