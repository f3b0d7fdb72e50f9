// `npm run release -- 0.2.0`: from a clean checkout makes the tarball of the module and an archive of
// the site in build/release, with the version and the changelog brought up to date. Publishes, commits
// and tags nothing: it prints what is left to do.

import './lib/node-version.mjs'

import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'

import { build } from './build.mjs'
import { consumers } from './checks/consumers.mjs'
import { packageChecks } from './checks/package.mjs'
import { inWords, sum } from './checks/result.mjs'
import { packModule } from './lib/pack.mjs'
import { buildFolder, root, shown } from './lib/paths.mjs'
import { output } from './lib/process.mjs'
import { checkVersion, withRelease, withVersion } from './lib/release-texts.mjs'
import { PlainError, main, say } from './lib/say.mjs'
import { setup } from './setup.mjs'

const folder = path.join(buildFolder, 'release')
const packages = ['package.json', 'web/module/package.json', 'web/app/package.json']
const changelog = 'CHANGELOG.md'

const read = (name) => readFileSync(path.join(root, name), 'utf8')
const change = (name, edit) => writeFileSync(path.join(root, name), edit(read(name)))

async function checkTree(version) {
  const changed = await output('git', ['status', '--porcelain'], { cwd: root })
  if (changed !== '')
    throw new PlainError(`commit or undo first, the tree is not clean:\n${changed}`)
  const tags = await output('git', ['tag', '--list', `v${version}`], { cwd: root })
  if (tags !== '') throw new PlainError(`the tag v${version} is there already`)
}

async function setVersion(version) {
  for (const name of packages) change(name, (text) => withVersion(text, version))
  change('web/module/src/version.ts', (text) => withVersion(text, version))
  await output('npm', ['install', '--package-lock-only', '--ignore-scripts'], { cwd: root })
  const day = new Date().toISOString().slice(0, 10)
  change(changelog, (text) => withRelease(text, version, day))
}

/** The site with the sample of headers, in one file. */
async function packSite(version) {
  const site = path.join(root, 'web/app/dist')
  copyFileSync(path.join(root, 'web/hosting/_headers'), path.join(site, '_headers'))
  const file = path.join(folder, `headwise-site-${version}.tar.gz`)
  await output('tar', ['-czf', file, '-C', path.dirname(site), path.basename(site)])
  return file
}

function sumsOf(files) {
  const lines = files.map((file) => {
    const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
    return `${sha256}  ${path.basename(file)}\n`
  })
  writeFileSync(path.join(folder, 'SHA256SUMS'), lines.join(''))
}

await main(async () => {
  const { positionals } = parseArgs({ allowPositionals: true, options: {} })
  const [version] = positionals
  checkVersion(version, JSON.parse(read('web/module/package.json')).version)
  await checkTree(version)
  const toolchain = await setup('test')
  await setVersion(version)
  await build(toolchain)
  const checked = sum([await packageChecks(), await consumers()])
  say(inWords(checked))
  if (checked.failed > 0) throw new PlainError('the package is not fit to be released, see above')
  mkdirSync(folder, { recursive: true })
  const { file } = await packModule(folder)
  const files = [file, await packSite(version)]
  sumsOf(files)
  console.log(`
${files.map((each) => `  ${shown(each)}`).join('\n')}

Nothing is published, and the new version is not committed yet. What is left, once npm test is green:

  git commit -am "Version ${version}" && git tag v${version}
  npm publish ${shown(file)}
`)
})
