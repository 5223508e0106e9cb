import type { Context, Shown } from '../ask/context.ts'
import { askAmbiguous } from '../ask/hotspots.ts'
import { div, fill, h, paragraph, quiet } from '../parts/h.ts'
import { newsLine } from '../parts/news-line.ts'
import { grouped } from '../values/amounts.ts'
import { readList } from '../values/hotspot-list.ts'
import { listTexts } from '../values/unknown.ts'
import { downloads } from '../views/downloads.ts'
import { earningsPanel } from '../views/earnings.ts'
import { eachHotspot } from '../views/hotspot-table.ts'
import { listAnswers } from '../views/list-answers.ts'
import { rememberedKeys, rememberKeys } from '../views/remembered.ts'

/** More keys would make the address too long. */
const MOST_KEYS = 200

const EMPTY =
  'There is no hotspot in your list yet. Put keys or names in here, or press “Add to my hotspots” on the page of one.'
const KEPT = `The list is kept in this browser and in the address of this page, so a bookmark keeps it too. The page shows the first ${MOST_KEYS} hotspots.`

/** The hotspots of the user: those in the address, otherwise those stored in this browser. */
export async function showFleet(context: Context): Promise<Shown> {
  const { query, base, api } = context
  const listed = readList(query.get('keys') ?? rememberedKeys().join(','))
  const entries = listed.slice(0, MOST_KEYS)
  keepInAddress(query, listed)
  const news = newsLine()
  const answers = h('div')
  const ambiguous = await askAmbiguous(api, entries)
  const clear = entries.filter((entry) => !ambiguous.has(entry))
  const whose = { hotspot_key: clear.join(',') }
  const replace = (entry: string, by: string) =>
    showList(
      listed.map((one) => (one === entry ? by : one)),
      context,
    )
  const answer = (unknown: readonly string[] | null, names: Readonly<Record<string, string>>) => {
    news.tell(...listTexts(clear, unknown))
    fill(answers, listAnswers(context, { entries, ambiguous, unknown: unknown ?? [], names }, replace))
  }
  if (whose.hotspot_key === '' && entries.length > 0) answer([], {})
  const { form, field } = listForm(listed, context)
  const change = h('button.small', { type: 'button', click: () => field.focus() }, 'Change the list')
  const content = div(
    h('h1', 'My hotspots'),
    news.element,
    entries.length === 0 ? [paragraph(EMPTY), form] : [answers, h('p.row', change)],
    entries.length < listed.length ? tooMany(listed.length, base) : undefined,
    whose.hotspot_key === ''
      ? undefined
      : earningsPanel(context, whose, {
          below: ({ span }) => [eachHotspot(context, whose, span), downloads(api, whose, span)],
          report: ({ unknown, names }) => answer(unknown, names),
        }),
    entries.length === 0 ? undefined : form,
  )
  return { title: 'My hotspots', content }
}

const keysOf = (listed: readonly string[]) => listed.map(encodeURIComponent).join(',')

/** Adds the stored list to an address without one, so that a copy of the address has it. */
function keepInAddress(query: URLSearchParams, listed: readonly string[]): void {
  if (query.has('keys') || listed.length === 0 || listed.length > MOST_KEYS) return
  const chosen = query.toString()
  history.replaceState(null, '', `${location.pathname}?keys=${keysOf(listed)}${chosen && `&${chosen}`}`)
  query.set('keys', listed.join(','))
}

/** Stores a list and shows it. */
function showList(listed: readonly string[], { base, go }: Context): void {
  const wanted = [...new Set(listed)]
  rememberKeys(wanted)
  go(wanted.length > MOST_KEYS ? `${base}/fleet` : `${base}/fleet?keys=${keysOf(wanted)}`)
}

function listForm(listed: readonly string[], context: Context) {
  const options = { id: 'keys', rows: '4', spellcheck: 'false', autocapitalize: 'off' }
  const field = h('textarea', options, listed.join('\n'))
  const submit = (event: Event) => {
    event.preventDefault()
    showList(readList(field.value), context)
  }
  const form = h(
    'form.panel',
    { submit },
    h('label', { for: 'keys' }, 'Keys or names of hotspots, one a line'),
    field,
    quiet(KEPT),
    h('button', { type: 'submit' }, 'Show these'),
  )
  return { form, field }
}

/** The note that only the first hotspots are shown, with links to requests for all. */
function tooMany(listed: number, base: string): HTMLElement {
  return h(
    'p.note',
    { role: 'note' },
    `The first ${MOST_KEYS} of the ${grouped(String(listed))} hotspots of your list are shown, and the sums count only these. For all of them, make a `,
    h('a', { href: `${base}/guide/statements` }, 'statement of a list of keys'),
    ', or request the ',
    h('a', { href: `${base}/guide/asking#sums-by-day-week-or-month` }, 'sums of up to 10,000 keys'),
    ' with a POST.',
  )
}
