import { pageBelow } from './page-below.ts'

/**
 * The service worker: keeps the document, scripts and styles of this build, and shows them without a connection. It never
 * stores replies of the API, which may be of a key.
 */

/** Set by scripts/bundle.mjs: names of the files, which change with their content. */
declare const EXPLORER_FILES: readonly string[]

interface LaterEvent extends Event {
  waitUntil(done: Promise<unknown>): void
}

interface FetchedEvent extends Event {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

interface WorkerScope {
  readonly registration: { readonly scope: string }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: LaterEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchedEvent) => void): void
}

const worker = globalThis as unknown as WorkerScope
const { scope } = worker.registration
const family = `ledgerlake ${scope} `
const cacheName = family + EXPLORER_FILES
/** The same document as that of any page. */
const shell = `${scope}fleet`

async function install(): Promise<void> {
  const cache = await caches.open(cacheName)
  await cache.addAll([shell, ...EXPLORER_FILES.map((name) => `${scope}explorer/${name}`)])
  await worker.skipWaiting()
}

/** Deletes the files of other builds. */
async function activate(): Promise<void> {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(family) && name !== cacheName)
  await Promise.all(old.map((name) => caches.delete(name)))
}

const kept = async (address: string) => await (await caches.open(cacheName)).match(address)

async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const response = await kept(shell)
    if (response === undefined) throw error
    return response
  }
}

worker.addEventListener('install', (event) => event.waitUntil(install()))
worker.addEventListener('activate', (event) => event.waitUntil(activate()))
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const path = pageBelow(request.url, scope)
  if (request.mode === 'navigate' && path === 'page') event.respondWith(page(request))
  else if (path === 'file')
    event.respondWith(kept(request.url).then((response) => response ?? fetch(request)))
})
