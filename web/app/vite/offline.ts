// A Vite plugin: builds the service worker when the site is complete, and tells it which files there
// are. Files whose names carry a hash need no revision; the others have one of their content.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, resolve, sep } from 'node:path'
import { build, type Plugin } from 'vite'

export interface OfflineOptions {
  /** The service worker's source. */
  source: string
  /** Its name in the site. */
  name: string
}

interface Listed {
  url: string
  revision: string | null
}

/** Kept out: the manifest of the build, documentation, and what only a debugger reads. */
const leftOut = /^(\.vite|docs)\/|\.map$/
const hashed = /^assets\/.+-[\w-]{8}\.\w+$/

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, posix.sep))
    .sort()
}

/** Everything that the site needs without a network, the models apart. */
export function filesForOffline(
  site: string,
  own: string,
): { pageFiles: Listed[]; modelFiles: Listed[] } {
  const listed = filesIn(site)
    .filter((url) => url !== own && !leftOut.test(url))
    .map((url) => ({ url, revision: hashed.test(url) ? null : revisionOf(join(site, url)) }))
  const isModel = ({ url }: Listed): boolean => url.startsWith('models/')
  return {
    pageFiles: listed.filter((file) => !isModel(file)),
    modelFiles: listed.filter(isModel),
  }
}

function revisionOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16)
}

export function offline({ source, name }: OfflineOptions): Plugin {
  let site = ''
  return {
    name: 'headwise-offline',
    apply: 'build',
    configResolved({ root, build: { outDir } }) {
      site = resolve(root, outDir)
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler(error?: Error) {
        if (error) return
        const { pageFiles, modelFiles } = filesForOffline(site, name)
        await build({
          configFile: false,
          logLevel: 'warn',
          publicDir: false,
          define: {
            pageFiles: JSON.stringify(pageFiles),
            modelFiles: JSON.stringify(modelFiles),
            'process.env.NODE_ENV': '"production"',
          },
          build: {
            outDir: site,
            emptyOutDir: false,
            target: 'es2023',
            reportCompressedSize: false,
            rolldownOptions: { input: source, output: { entryFileNames: name, format: 'iife' } },
          },
        })
      },
    },
  }
}
