// The service worker: after one visit the page opens without a network. The page's own files are
// fetched when it is installed and answered from the cache from then on, headers included, so that
// the page stays cross-origin isolated. The models, the largest of which is thirty times as large, are
// fetched by the page alone, each when somebody needs it; once one is there the page asks to have it
// kept, which the browser's HTTP cache answers.
import { cleanupOutdatedCaches, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching'

declare const self: ServiceWorkerGlobalScope

/** Put in by the build, see vite/offline.ts: addresses relative to this file. */
declare const pageFiles: PrecacheEntry[]
declare const modelFiles: { url: string; revision: string }[]

const modelCache = 'headwise-models'

/** Addresses of the models' files, and under which name each is kept: another content, another name. */
const modelKeys = new Map<string, string>(
  modelFiles.map(({ url, revision }) => {
    const { href } = new URL(url, self.location.href)
    return [href, `${href}?revision=${revision}`] satisfies [string, string]
  }),
)

self.addEventListener('fetch', (event) => {
  const { request } = event
  const key = modelKeys.get(request.url.replace(/[?#].*/s, ''))
  if (key === undefined || request.method !== 'GET' || request.headers.has('range')) return
  event.respondWith(kept(key).then((response) => response ?? fetch(request)))
})

/** What is in the cache; nothing where storage is forbidden. */
async function kept(key: string): Promise<Response | undefined> {
  try {
    return await caches.match(key, { cacheName: modelCache })
  } catch {
    return undefined
  }
}

/** Keeps every file of a model that is not kept yet, and forgets those of older versions. */
async function keepModel(folder: string): Promise<void> {
  const cache = await caches.open(modelCache)
  const { href } = new URL(folder, self.location.href)
  for (const [address, key] of modelKeys) {
    if (!address.startsWith(href) || (await cache.match(key))) continue
    const response = await fetch(address)
    if (!response.ok) throw new Error(`${address}: status ${String(response.status)}`)
    await cache.put(key, response)
  }
  const current = new Set(modelKeys.values())
  for (const request of await cache.keys()) {
    if (!current.has(request.url)) await cache.delete(request)
  }
}

self.addEventListener('message', (event) => {
  const [reply] = event.ports
  const { data } = event as { data: unknown }
  if (
    typeof data === 'object' &&
    data !== null &&
    'keep' in data &&
    typeof data.keep === 'string'
  ) {
    const done = keepModel(data.keep).then(
      () => true,
      () => false,
    )
    event.waitUntil(done.then((isKept) => reply?.postMessage(isKept)))
  }
  if (data === 'take-over') void self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  // The page of the first visit fetches its next chapter from here already.
  event.waitUntil(self.clients.claim())
})

cleanupOutdatedCaches()
precacheAndRoute(pageFiles, {
  directoryIndex: 'index.html',
  cleanURLs: false,
  // Whatever somebody's link adds behind "?", the page is the same: its state stands behind "#".
  ignoreURLParametersMatching: [/./],
})
