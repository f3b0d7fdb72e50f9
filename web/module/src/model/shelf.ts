// Where downloads are kept: a Cache of the browser, or a folder in Node. Names are addresses.
import { nodeProcess } from '../environment.js'

export interface Shelf {
  get(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>
  put(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>
  /** Takes away everything below this address, which ends with a slash. */
  remove(folder: string): Promise<void>
}

const defaultName = 'headwise'

/** @throws where storage is forbidden, or where there is none */
export async function openShelf(name: string | undefined): Promise<Shelf> {
  const node = nodeProcess()
  if (node !== undefined) return folderShelf(node, name)
  return cacheShelf(await caches.open(name ?? defaultName))
}

function cacheShelf(cache: Cache): Shelf {
  return {
    get: async (name) => {
      const found = await cache.match(name)
      return found && new Uint8Array(await found.arrayBuffer())
    },
    put: (name, bytes) => cache.put(name, new Response(bytes)),
    remove: async (folder) => {
      const below = (await cache.keys()).filter(({ url }) => url.startsWith(folder))
      await Promise.all(below.map((request) => cache.delete(request)))
    },
  }
}

function folderShelf(
  node: NonNullable<ReturnType<typeof nodeProcess>>,
  root = cacheFolder(node),
): Shelf {
  const files = node.getBuiltinModule('node:fs/promises')
  const path = node.getBuiltinModule('node:path')
  const place = (address: string) => {
    const { host, pathname } = new URL(address)
    // Percent signs and all, as the address is normalised: no part is a way up.
    return path.join(root, encodeURIComponent(host), ...pathname.split('/'))
  }
  return {
    get: async (name) => {
      try {
        return new Uint8Array(await files.readFile(place(name)))
      } catch (error) {
        if ((error as { code?: unknown }).code === 'ENOENT') return undefined
        throw error
      }
    },
    put: async (name, bytes) => {
      const file = place(name)
      await files.mkdir(path.dirname(file), { recursive: true })
      // Whole or not at all, whoever reads meanwhile.
      const draft = `${file}.${node.pid}-${Math.random().toString(36).slice(2)}`
      await files.writeFile(draft, bytes)
      await files.rename(draft, file)
    },
    remove: (folder) => files.rm(place(folder), { recursive: true, force: true }),
  }
}

/** The folder that the system has for such files. */
function cacheFolder(node: NonNullable<ReturnType<typeof nodeProcess>>): string {
  const { env, platform } = node
  const home = node.getBuiltinModule('node:os').homedir()
  const path = node.getBuiltinModule('node:path')
  const own = platform === 'darwin' ? path.join(home, 'Library/Caches') : path.join(home, '.cache')
  const base = platform === 'win32' ? env['LOCALAPPDATA'] : env['XDG_CACHE_HOME']
  return path.join(base ?? own, defaultName)
}
