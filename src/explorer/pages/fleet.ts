import type { Context, Shown } from '../ask/context.ts'
import type { Span, Whose } from '../ask/series.ts'
import { copied } from '../parts/facts.ts'
import { h } from '../parts/h.ts'
import { pathOf } from '../values/addresses.ts'
import { grouped } from '../values/amounts.ts'
import { compared } from '../views/compared.ts'
import { earningsOf } from '../views/earnings.ts'
import { hotspotTable } from '../views/hotspot-table.ts'
import { rememberedKeys, rememberKeys } from '../views/remembered.ts'
import { statementFiles } from '../views/statement-files.ts'

/** The most groups that a series gives. */
const MOST = 1000

/** More do not fit into an address. */
const MOST_KEYS = 200

/** All hotspots of an owner together. */
export async function showOwner(context: Context, owner: string): Promise<Shown> {
  const content = h(
    'div',
    {},
    h('h1', {}, 'Hotspots of an owner'),
    h('p', { class: 'subject' }, copied(owner)),
    h(
      'p',
      { class: 'quiet' },
      'These are the hotspots that belong to this owner now. Who owned one when it was paid is not known.',
    ),
    h(
      'p',
      {},
      h(
        'a',
        { href: context.base + pathOf('account', owner) },
        'Its account on the L1 ledger, and what that was paid',
      ),
    ),
    earningsOf(context, { owner }, ({ span }) => [
      ...each(context, { owner }, span),
      statementFiles(context, owner, span),
    ]),
  )
  return { title: `Owner ${owner}`, content }
}

/** Hotspots that a reader put together: those of the link, else those of this browser. */
export async function show(context: Context): Promise<Shown> {
  const { query, go, base } = context
  const listed = keysIn(query.get('keys') ?? rememberedKeys().join(','))
  const keys = listed.slice(0, MOST_KEYS)
  const field = h(
    'textarea',
    { id: 'keys', rows: '4', spellcheck: 'false', autocapitalize: 'off' },
    listed.join('\n'),
  )
  const use = (event: Event) => {
    event.preventDefault()
    const wanted = keysIn(field.value)
    rememberKeys(wanted)
    go(wanted.length > MOST_KEYS ? `${base}/fleet` : `${base}/fleet?keys=${wanted.join(',')}`)
  }
  const form = h(
    'form',
    { class: 'panel', submit: use },
    h('label', { for: 'keys' }, 'Keys of hotspots, one a line'),
    field,
    h(
      'p',
      { class: 'quiet' },
      `The list stays in this browser and in the link of this page, so a bookmark keeps it; of more than ${MOST_KEYS} the first are shown.`,
    ),
    h('button', { type: 'submit' }, 'Show these'),
  )
  const whose = { hotspot_key: keys.join(',') }
  const content = h(
    'div',
    {},
    h('h1', {}, 'My hotspots'),
    keys.length === 0
      ? h(
          'p',
          {},
          'There is no hotspot in your list yet. Put keys in here, or press “Add to my hotspots” on the page of one.',
        )
      : undefined,
    form,
    keys.length < listed.length ? tooMany(listed.length, base) : undefined,
    keys.length === 0 ? undefined : earningsOf(context, whose, ({ span }) => each(context, whose, span)),
  )
  return { title: 'My hotspots', content }
}

const each = (context: Context, whose: Whose, span: Span) => [
  hotspotTable(context, 'Each hotspot', whose, span, MOST),
  compared(context, whose, span),
]

function keysIn(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((key) => key !== ''))]
}

/** What is shown of a longer list, and what answers all of it. */
function tooMany(listed: number, base: string): HTMLElement {
  return h(
    'p',
    { class: 'note', role: 'note' },
    `The first ${MOST_KEYS} of the ${grouped(String(listed))} hotspots of your list are shown, and the sums are those of them alone. For all of them write a `,
    h('a', { href: `${base}/guide/statements` }, 'statement of a list of keys'),
    ', or ask for the ',
    h('a', { href: `${base}/guide/asking#sums-by-day-week-or-month` }, 'sums of up to 10,000 keys'),
    ' with a POST.',
  )
}
