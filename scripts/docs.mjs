// The module's documentation as a part of the site: TypeDoc's pages under `docs/`, with the module's
// README in front and without inline scripts, which the site's Content-Security-Policy forbids.

import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { root } from './lib/paths.mjs'
import { run } from './lib/process.mjs'

/** Moves the inline scripts of a page into files of their own. */
function withoutInlineScripts(html, toAssets, assets) {
  return html.replace(/<script>([^]*?)<\/script>/g, (_whole, code) => {
    const name = `inline-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`
    writeFileSync(path.join(assets, name), code)
    return `<script src="${toAssets}/${name}"></script>`
  })
}

/** Makes the documentation in `folder`. */
export async function buildDocs(folder) {
  rmSync(folder, { recursive: true, force: true })
  const typedoc = path.join(root, 'node_modules/.bin/typedoc')
  await run(typedoc, ['--out', folder, '--logLevel', 'Warn', '--treatWarningsAsErrors', 'false'], {
    cwd: root,
  })
  const assets = path.join(folder, 'assets')
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith('.html')) continue
    const file = path.join(folder, name)
    const toAssets = path.relative(path.dirname(file), assets).replaceAll(path.sep, '/')
    writeFileSync(file, withoutInlineScripts(readFileSync(file, 'utf8'), toAssets, assets))
  }
}
