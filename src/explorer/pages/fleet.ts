import type { Context, Shown } from '../ask/context.ts'
import { div, h, paragraph, quiet } from '../parts/h.ts'
import { newsLine } from '../parts/news-line.ts'
import { grouped } from '../values/amounts.ts'
import { readList } from '../values/hotspot-list.ts'
import { listTexts } from '../values/unknown.ts'
import { downloads } from '../views/downloads.ts'
import { earningsOf } from '../views/earnings.ts'
import { eachHotspot } from '../views/hotspot-table.ts'
import { rememberedKeys, rememberKeys } from '../views/remembered.ts'

/** More keys would make the address too long. */
const MOST_KEYS = 200

const EMPTY =
  'There is no hotspot in your list yet. Put keys or names in here, or press “Add to my hotspots” on the page of one.'
const KEPT = `The list is kept in this browser and in the address of this page, so a bookmark keeps it too. The page shows the first ${MOST_KEYS} hotspots.`

/** The hotspots of the user: those in the address, otherwise those stored in this browser. */
export async function showFleet(context: Context): Promise<Shown> {
  const { query, base } = context
  const listed = readList(query.get('keys') ?? rememberedKeys().join(','))
  const entries = listed.slice(0, MOST_KEYS)
  const news = newsLine()
  const whose = { hotspot_key: entries.join(',') }
  const content = div(
    h('h1', 'My hotspots'),
    news.element,
    entries.length === 0 ? paragraph(EMPTY) : undefined,
    listForm(listed, context),
    entries.length < listed.length ? tooMany(listed.length, base) : undefined,
    entries.length === 0
      ? undefined
      : earningsOf(
          context,
          whose,
          ({ span }) => [eachHotspot(context, whose, span), downloads(context.api, whose, span)],
          ({ unknown }) => news.tell(...listTexts(entries, unknown)),
        ),
  )
  return { title: 'My hotspots', content }
}

function listForm(listed: readonly string[], { base, go }: Context): HTMLElement {
  const options = { id: 'keys', rows: '4', spellcheck: 'false', autocapitalize: 'off' }
  const field = h('textarea', options, listed.join('\n'))
  const submit = (event: Event) => {
    event.preventDefault()
    const wanted = readList(field.value)
    rememberKeys(wanted)
    const keys = wanted.map(encodeURIComponent).join(',')
    go(wanted.length > MOST_KEYS ? `${base}/fleet` : `${base}/fleet?keys=${keys}`)
  }
  return h(
    'form.panel',
    { submit },
    h('label', { for: 'keys' }, 'Keys or names of hotspots, one a line'),
    field,
    quiet(KEPT),
    h('button', { type: 'submit' }, 'Show these'),
  )
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
