import { openApi } from './ask/api.ts'
import type { Context, Shown } from './ask/context.ts'
import { showFleet } from './pages/fleet.ts'
import { showHotspot } from './pages/hotspot.ts'
import { showLedgerRecord } from './pages/ledger.ts'
import { showNetwork } from './pages/network.ts'
import { showOwner } from './pages/owner.ts'
import { div, fill, h, paragraph } from './parts/h.ts'
import { forgetButton, KEY_CHANGED } from './parts/key-form.ts'
import { masthead } from './parts/masthead.ts'
import { offlineNote } from './parts/offline-note.ts'
import { refusal } from './parts/panel.ts'
import { searchBox } from './parts/search-box.ts'
import { type Place, routeOf } from './values/addresses.ts'

/** The frame of all pages and the client-side router. */

const { base = '', api: apiBase = '/v1/net' } = document.documentElement.dataset
const page = h('main', { id: 'page', tabindex: '-1' })
let leaving = new AbortController()

async function load(place: Place | undefined, context: Context): Promise<Shown> {
  if (place === undefined) return { title: 'Not found', content: notFound() }
  switch (place.page) {
    case 'network':
      return showNetwork(context)
    case 'fleet':
      return showFleet(context)
    case 'hotspot':
      return showHotspot(context, place.key)
    case 'owner':
      return showOwner(context, place.key)
    default:
      return showLedgerRecord(context, place.page, place.key)
  }
}

const notFound = () =>
  div(h('h1', 'There is no such page'), paragraph(h('a', { href: `${base}/` }, 'To the network')))

/** Renders the page of the address and aborts the requests of the previous page. */
async function show(): Promise<void> {
  leaving.abort()
  leaving = new AbortController()
  const { signal } = leaving
  const query = new URLSearchParams(location.search)
  try {
    const context = { api: openApi({ base, apiBase }, signal), base, query, go }
    const shown = await load(routeOf(location.pathname, base), context)
    if (signal.aborted) return
    document.title = `${shown.title} · ledgerlake`
    fill(page, shown.content)
  } catch (error) {
    if (signal.aborted) return
    fill(page, refusal(error, retry))
  }
}

const retry = () => void show()

function go(address: string): void {
  const isSamePage = address.split('?')[0] === location.pathname
  history.pushState(null, '', address)
  void show()
  if (isSamePage) return
  scrollTo(0, 0)
  page.focus({ preventScroll: true })
}

/** Navigates to pages of the explorer without a page load. The browser follows all other links. */
function follow(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const isOther =
    event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented
  if (link === null || isOther || link.target !== '' || link.origin !== location.origin) return
  if ('plain' in link.dataset || link.hash !== '' || routeOf(link.pathname, base) === undefined) return
  event.preventDefault()
  go(link.pathname + link.search)
}

const search = searchBox(() => openApi({ base, apiBase }, leaving.signal), base, go)

document.body.append(
  ...masthead(base, undefined, search),
  offlineNote(),
  page,
  h(
    'footer',
    paragraph(
      'Days are days of UTC. Amounts are exact; USD is the value at the oracle price of the day it was paid, rounded for reading.',
    ),
    forgetButton(),
  ),
)
document.addEventListener('click', follow)
document.addEventListener(KEY_CHANGED, retry)
addEventListener('popstate', retry)
// Browsers have service workers only behind HTTPS, and on this machine.
addEventListener(
  'load',
  () => void navigator.serviceWorker?.register(`${base}/service-worker.js`).catch(() => undefined),
)
void show()
