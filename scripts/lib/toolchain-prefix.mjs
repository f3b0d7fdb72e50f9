// Makes the private toolchain: Emscripten, clang-format, clang-tidy and xsimd from Debian's
// packages in one folder of the user's cache, beside the host's own packages and without root.
// A prefix is built in a folder beside its final name, tried, and only then renamed, so a half-made
// one is never used. Finding and choosing a toolchain is toolchain.mjs's work.

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { download, unpack } from './debian-packages.mjs'
import { cacheFolder } from './paths.mjs'
import { inParallel, output } from './process.mjs'
import { PlainError, say, timed } from './say.mjs'

/** What a prefix is made from. A change here gives a prefix of another name. */
const recipe = {
  revision: 1,
  // Testing first; stable, which never changes, when testing cannot be resolved just now.
  suites: ['forky', 'trixie'],
  packages: ['emscripten', 'libxsimd-dev', 'clang-format', 'clang-tidy'],
  // What the host supplies or nothing here calls: python and node themselves (node-acorn is
  // needed), development files of C, run-time libraries of sanitizers, network libraries.
  dropped: new RegExp(
    '^(' +
      [
        'python3.*|libpython3.*|nodejs|libnode\\d+|node-(?!acorn$).*|ccache',
        'debconf|tzdata|netbase|media-types|.*-base|clang-tools-.*',
        'libc6-dev|libc-dev-bin|linux-libc-dev|libstdc\\+\\+-\\d+-dev|libgcc-\\d+-dev|libobjc.*',
        'lib[a-z]*san\\d+|libitm1|libgomp1|libquadmath0|binutils.*|libbinutils|libctf.*',
        'libgprofng.*|libsframe.*|libcurl.*|libkrb.*|libk5.*|libgssapi.*|libldap.*|libsasl.*',
        'libssh.*|libng.*|libpsl.*|libidn.*|libunistring.*',
      ].join('|') +
      ')$',
  ),
}

/** The folder of the prefix for this machine's architecture. */
export function prefixFolder(architecture) {
  const made = JSON.stringify({ ...recipe, dropped: recipe.dropped.source })
  const key = createHash('sha256').update(made).digest('hex').slice(0, 12)
  return path.join(cacheFolder(), `toolchain-${architecture}-${key}`)
}

/** The parts of a prefix that others need to know. */
export async function layout(prefix) {
  const libraries = path.join(prefix, 'usr/lib')
  const names = await readdir(libraries)
  const pick = (pattern) => names.filter((name) => pattern.test(name)).sort()
  const llvm = pick(/^llvm-\d+$/).at(-1)
  const triplet = pick(/-linux-gnu$/).at(0)
  if (!llvm || !triplet) throw new PlainError(`${prefix} holds no LLVM`)
  const llvmBin = path.join(libraries, llvm, 'bin')
  return {
    emscripten: path.join(prefix, 'usr/share/emscripten'),
    llvmBin,
    shared: path.join(libraries, triplet),
    include: path.join(prefix, 'usr/include'),
    bin: path.join(prefix, 'usr/bin'),
    config: path.join(prefix, 'emscripten-config.py'),
    clangFormat: path.join(llvmBin, 'clang-format'),
    clangTidy: path.join(llvmBin, 'clang-tidy'),
  }
}

async function isElf(file) {
  if (!(await lstat(file)).isFile()) return false
  const handle = await open(file)
  try {
    const { buffer } = await handle.read({ buffer: Buffer.alloc(4), length: 4 })
    return buffer.toString('latin1') === '\x7fELF'
  } finally {
    await handle.close()
  }
}

/**
 * Lets the unpacked programs find the prefix's own C library and LLVM wherever they are started
 * from. `finalFolder` is the name that the prefix will have. --force-rpath: a RUNPATH would not
 * hold for libraries of libraries, and LLVM's own RUNPATH hides the rest of the prefix.
 */
async function bindPrograms(prefix, finalFolder) {
  const { llvmBin, shared, bin } = await layout(prefix)
  const elves = async (folder, wanted) => {
    const files = (await readdir(folder)).filter((name) => wanted.test(name))
    const paths = files.map((name) => path.join(folder, name))
    const answers = await Promise.all(paths.map(isElf))
    return paths.filter((_, index) => answers[index])
  }
  const loader = (await readdir(shared)).find((name) => /^ld-linux.*\.so/.test(name))
  const finalShared = path.join(finalFolder, path.relative(prefix, shared))
  const programs = [...(await elves(llvmBin, /./)), ...(await elves(bin, /^wasm-/))]
  const libraries = await elves(shared, /^lib(LLVM|clang|binaryen)/)
  const rpath = ['--force-rpath', '--set-rpath', finalShared]
  await inParallel(programs, 2, (file) =>
    output('patchelf', ['--set-interpreter', path.join(finalShared, loader), ...rpath, file]),
  )
  await inParallel(libraries, 2, (file) => output('patchelf', [...rpath, file]))
}

/** Emscripten's own configuration; it keeps its compiled system libraries in the prefix too. */
async function writeConfig(prefix, finalFolder) {
  const final = (file) => JSON.stringify(path.join(finalFolder, path.relative(prefix, file)))
  const { emscripten, llvmBin, config } = await layout(prefix)
  const text = [
    `EMSCRIPTEN_ROOT = ${final(emscripten)}`,
    `LLVM_ROOT = ${final(llvmBin)}`,
    `BINARYEN_ROOT = ${final(path.join(prefix, 'usr'))}`,
    `CACHE = ${final(path.join(prefix, 'emscripten-cache'))}`,
    // The node that runs these scripts is found again through PATH by whoever runs emcc.
    "NODE_JS = 'node'",
  ]
  await writeFile(config, `${text.join('\n')}\n`)
}

/** Compiles one line to see that the prefix works at its final place. */
async function trial(prefix) {
  const { emscripten, config, clangFormat, clangTidy } = await layout(prefix)
  const env = { EM_CONFIG: config }
  const source = path.join(prefix, 'trial.cpp')
  await writeFile(source, 'int answer() { return 42; }\n')
  await output(path.join(emscripten, 'em++'), ['-c', source, '-o', `${source}.o`], { env })
  await output(clangFormat, ['--version'])
  await output(clangTidy, ['--version'])
  await Promise.all([rm(source), rm(`${source}.o`)])
}

async function makeFrom(suite, architecture, finalFolder) {
  const downloads = path.join(cacheFolder(), `download-${suite}-${architecture}`)
  const prefix = `${finalFolder}.making-${process.pid}`
  const packages = await timed(`downloading Emscripten from Debian ${suite} (120 MB)`, () =>
    download({ ...recipe, suite, architecture, folder: downloads }),
  )
  try {
    await timed('unpacking it (600 MB)', async () => {
      await unpack(
        packages.map(({ file }) => file),
        prefix,
      )
      // Emscripten's JavaScript optimiser imports acorn; this is where Node looks for it.
      await symlink('nodejs', path.join(prefix, 'usr/share/node_modules'))
      await bindPrograms(prefix, finalFolder)
      await writeConfig(prefix, finalFolder)
      const contents = packages.map(({ name, version }) => ({ name, version }))
      const about = JSON.stringify({ suite, packages: contents }, null, 2)
      await writeFile(path.join(prefix, 'made-from.json'), `${about}\n`)
    })
    // Another run may have finished first; then its prefix is as good.
    if (!existsSync(finalFolder)) await rename(prefix, finalFolder)
  } finally {
    await rm(prefix, { recursive: true, force: true })
  }
  try {
    await timed('trying it', () => trial(finalFolder))
  } catch (error) {
    await rm(finalFolder, { recursive: true, force: true })
    throw error
  }
  await rm(downloads, { recursive: true, force: true })
}

/** Removes what interrupted runs left behind; a run still alive keeps its folder. */
async function removeRemains(finalFolder) {
  const beside = path.dirname(finalFolder)
  for (const name of await readdir(beside)) {
    const pid = /\.making-(\d+)$/.exec(name)?.[1]
    if (!pid) continue
    try {
      process.kill(Number(pid), 0)
    } catch {
      await rm(path.join(beside, name), { recursive: true, force: true })
    }
  }
}

/** Makes the prefix of this machine and resolves to its folder. */
export async function makePrefix(architecture) {
  const finalFolder = prefixFolder(architecture)
  await mkdir(path.dirname(finalFolder), { recursive: true })
  await removeRemains(finalFolder)
  const reasons = []
  for (const suite of recipe.suites) {
    try {
      await makeFrom(suite, architecture, finalFolder)
      return finalFolder
    } catch (error) {
      if (!(error instanceof PlainError)) throw error
      reasons.push(`${suite}: ${error.message}`)
      say(`Debian ${suite} did not give a working Emscripten: ${error.message.split('\n')[0]}`)
    }
  }
  throw new PlainError(`no Emscripten could be had from Debian.\n${reasons.join('\n')}`)
}
