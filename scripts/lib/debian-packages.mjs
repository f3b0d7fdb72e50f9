// Downloads packages of another Debian suite into a folder and unpacks them into a prefix, through
// an apt state of its own: the host's sources, package lists and installed packages stay as they
// are, and no root is needed. It does not make the programs run; toolchain-prefix.mjs does.

import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { inParallel, output } from './process.mjs'
import { PlainError } from './say.mjs'

const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'

/** The mirror that apt itself uses for this machine's own release. */
async function mirror() {
  const release = await readFile('/etc/os-release', 'utf8')
  const codename = /^VERSION_CODENAME=(.*)$/m.exec(release)?.[1]?.replaceAll('"', '')
  const targets = await output('apt-get', [
    'indextargets',
    '--format',
    '$(REPO_URI) $(RELEASE) $(ORIGIN)',
    'Created-By: Packages',
  ])
  const rows = targets.split('\n').map((line) => line.split(' '))
  const own = rows.filter(([, suite]) => suite === codename || suite === 'stable')
  // ORIGIN is known only once apt has read the release file.
  const chosen = own.find(([, , origin]) => origin === 'Debian') ?? own[0]
  if (!chosen) throw new PlainError(`apt names no mirror for the Debian release '${codename}'`)
  return chosen[0]
}

/** A private apt: `apt(args)` runs apt-get on the given suite and resolves to what it prints. */
async function privateApt(folder, suite, architecture) {
  await mkdir(path.join(folder, 'lists/partial'), { recursive: true })
  await mkdir(path.join(folder, 'cache/archives/partial'), { recursive: true })
  await mkdir(path.join(folder, 'parts'), { recursive: true })
  const source = `deb [arch=${architecture} signed-by=${keyring}] ${await mirror()} ${suite} main\n`
  const settings = {
    'Dir::State': folder,
    'Dir::State::status': path.join(folder, 'status'),
    'Dir::State::Lists': path.join(folder, 'lists'),
    'Dir::Cache': path.join(folder, 'cache'),
    'Dir::Etc::sourcelist': path.join(folder, 'sources.list'),
    'Dir::Etc::sourceparts': path.join(folder, 'parts'),
    'Dir::Etc::preferences': path.join(folder, 'no-preferences'),
    'Dir::Etc::preferencesparts': path.join(folder, 'parts'),
    'Acquire::Languages': 'none',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
    // Root would otherwise download as a user who cannot enter a private cache folder.
    'APT::Sandbox::User': '',
  }
  const lines = Object.entries(settings).map(([key, value]) => `${key} "${value}";\n`)
  const config = path.join(folder, 'apt.conf')
  await writeFile(path.join(folder, 'sources.list'), source)
  await writeFile(path.join(folder, 'status'), '')
  await writeFile(config, lines.join(''))
  return (args, options = {}) =>
    output('apt-get', args, { ...options, env: { APT_CONFIG: config } })
}

/**
 * Downloads `packages` of `suite` with what they depend upon, except names that match `dropped`,
 * into `folder`. Files that are there already are kept, so an interrupted download goes on.
 * Resolves to [{ name, version, file }].
 */
export async function download({ suite, architecture, packages, dropped, folder }) {
  const apt = await privateApt(path.join(folder, 'apt'), suite, architecture)
  await apt(['update'])
  const plan = await apt(['install', '--simulate', '--no-install-recommends', ...packages])
  const chosen = [...plan.matchAll(/^Inst (\S+) \((\S+)/gm)]
    .map(([, name, version]) => ({ name, version }))
    .filter(({ name }) => !dropped.test(name))
  const debs = path.join(folder, 'debs')
  await mkdir(debs, { recursive: true })
  await apt(['download', ...chosen.map(({ name, version }) => `${name}=${version}`)], { cwd: debs })
  const files = await readdir(debs)
  return chosen.map(({ name, version }) => {
    const prefix = `${name}_${version.replaceAll(':', '%3a')}_`
    const file = files.find((candidate) => candidate.startsWith(prefix))
    if (!file) throw new PlainError(`apt said that it downloaded ${name} ${version}, but did not`)
    return { name, version, file: path.join(debs, file) }
  })
}

/** Unpacks package files into `prefix`. */
export async function unpack(files, prefix) {
  await mkdir(prefix, { recursive: true })
  await inParallel(files, 2, (file) => output('dpkg', ['-x', file, prefix]))
}
