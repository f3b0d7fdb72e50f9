// The page without a network: registers the service worker once the page's model is there (it must
// not compete with it for the line), has each model kept that the reader has loaded, and learns of
// new versions, which wait until the reader wants them. Where a browser has no service workers or forbids storage, the page is as
// it would be without.

import type { ModelName } from './models.svelte'

/** How far it is; `failed` where the browser refuses or storage is full. */
export type OfflineState = 'waiting' | 'preparing' | 'ready' | 'failed'

interface State {
  state: OfflineState
  /** Folders of the models that are kept. */
  kept: readonly ModelName[]
  /** Another version of the page is there, or has taken over in another tab. */
  newVersion: boolean
}

const shared = $state<State>({ state: 'waiting', kept: [], newVersion: false })

export const offline: Readonly<State> = shared

/** Between two looks for a new version while the page stays open, ms. */
const lookAgain = 60 * 60_000

let registering: Promise<ServiceWorkerRegistration> | null = null
let registration: ServiceWorkerRegistration | null = null
let reloading = false

/** Call when the page's model is there, or will not come, and with each model that is. Never rejects. */
export async function prepareOffline(model: ModelName | null): Promise<void> {
  if (!import.meta.env.PROD) return
  try {
    registering ??= register()
    registration = await registering
    if (model === null || shared.kept.includes(model)) return
    shared.state = 'preparing'
    if (await isKept(await activeWorker(registration), model)) {
      shared.kept = [...shared.kept.filter((kept) => kept !== model), model]
      shared.state = 'ready'
    } else shared.state = 'failed'
  } catch {
    shared.state = 'failed'
  }
}

async function register(): Promise<ServiceWorkerRegistration> {
  const { serviceWorker } = navigator
  const isControlled = serviceWorker.controller !== null
  const registered = await serviceWorker.register(new URL('service-worker.js', document.baseURI))
  watch(registered)
  serviceWorker.addEventListener('controllerchange', () => {
    // The first one of all is no new version.
    if (reloading) location.reload()
    else if (isControlled) shared.newVersion = true
  })
  let looked = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - looked < lookAgain) return
    looked = Date.now()
    registered.update().catch(() => {
      // No network: it is looked for another time.
    })
  })
  return registered
}

function watch(registered: ServiceWorkerRegistration): void {
  const note = (): void => {
    if (registered.waiting && registered.active) shared.newVersion = true
  }
  note()
  registered.addEventListener('updatefound', () => {
    registered.installing?.addEventListener('statechange', note)
  })
}

/** The worker that answers for the page; rejects when it could not keep the page's files. */
function activeWorker({ active, waiting, installing }: ServiceWorkerRegistration) {
  return new Promise<ServiceWorker>((resolve, reject) => {
    const worker = active ?? waiting ?? installing
    if (!worker) {
      reject(new Error('the service worker: expected one; received none'))
      return
    }
    const look = (): void => {
      if (worker.state === 'activated') resolve(worker)
      if (worker.state === 'redundant') reject(new Error('the service worker did not install'))
    }
    worker.addEventListener('statechange', look)
    look()
  })
}

/** Has a model kept; whether that worked. */
function isKept(worker: ServiceWorker, model: ModelName): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = (event: MessageEvent<boolean>) => {
      resolve(event.data)
    }
    worker.postMessage({ keep: `models/${model}/` }, [port2])
  })
}

/** Loads the page again in its new version; the view and the text are in the address. */
export function takeNewVersion(): void {
  const next = registration?.waiting
  if (!next) {
    location.reload()
    return
  }
  reloading = true
  next.postMessage('take-over')
}

export function dismissNewVersion(): void {
  shared.newVersion = false
}
