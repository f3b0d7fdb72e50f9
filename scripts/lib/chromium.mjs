// Finds a Chromium and says how to start it. Playwright's own download is the last resort: then
// `executablePath` is undefined and Playwright looks for itself.

import { which } from './process.mjs'

export function chromiumPath() {
  const named = process.env.HEADWISE_CHROMIUM
  if (named) return named
  for (const name of ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser']) {
    const found = which(name)
    if (found) return found
  }
  return undefined
}

/** Launch options for Playwright: no sandbox for containers, and no traffic of the browser's own. */
export function chromiumLaunchOptions(moreArgs = []) {
  const executablePath = chromiumPath()
  return {
    ...(executablePath && { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...moreArgs,
    ],
  }
}
