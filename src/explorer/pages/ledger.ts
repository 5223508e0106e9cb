import type { Context, Shown } from '../ask/context.ts'
import { nameText } from '../ledger/labels.ts'
import { type LedgerListing, ledgerList } from '../ledger/ledger-list.ts'
import { type LedgerRecord, recordFacts } from '../ledger/ledger-record.ts'
import { copied, shortKey } from '../parts/facts.ts'
import { div, h, paragraph } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { type PageKind, pagePath } from '../values/addresses.ts'

interface Kind {
  readonly title: string
  readonly path: string
  readonly lists: readonly LedgerListing[]
}

const rewards = (by: string, other: string): LedgerListing => ({
  ...{ title: 'Rewards', path: '/l1/rewards', by },
  columns: ['time', 'type', 'amount', other, 'transaction_hash'],
})

const transactions = {
  title: 'Transactions',
  path: '/l1/transaction-actors',
  by: 'actor_address',
  columns: ['transaction_hash', 'actor_role', 'block'],
}

const kinds: Readonly<Record<'account' | 'gateway' | 'transaction', Kind>> = {
  account: {
    ...{ title: 'Account', path: '/l1/accounts' },
    lists: [
      { title: 'Gateways', path: '/l1/gateways', by: 'owner_address', columns: ['address', 'name', 'mode'] },
      rewards('account_address', 'gateway_address'),
      transactions,
    ],
  },
  gateway: {
    ...{ title: 'L1 gateway', path: '/l1/gateways' },
    lists: [
      rewards('gateway_address', 'account_address'),
      {
        title: 'Packets',
        path: '/l1/packets',
        by: 'gateway_address',
        columns: ['time', 'num_packets', 'num_dcs', 'transaction_hash'],
      },
      transactions,
    ],
  },
  transaction: {
    ...{ title: 'Transaction', path: '/l1/transactions' },
    lists: [
      {
        title: 'Who took part',
        path: '/l1/transaction-actors',
        by: 'transaction_hash',
        columns: ['actor_role', 'actor_address'],
      },
      rewards('transaction_hash', 'account_address'),
    ],
  },
}

/** Links to the second layer's pages of the same key. The server reads both spellings of a wallet. */
const also: Readonly<Partial<Record<keyof typeof kinds, readonly [PageKind, string]>>> = {
  account: ['owner', 'Hotspots that this wallet owns now'],
  gateway: ['hotspot', 'What this hotspot earns on L2'],
}

/** A record of the L1 ledger, and the lists that refer to it. */
export async function showLedgerRecord(
  context: Context,
  page: keyof typeof kinds,
  key: string,
): Promise<Shown> {
  const { api, base } = context
  const { title, path, lists } = kinds[page]
  const heading = h('h1', title)
  const subject = h('p.subject', copied(key, shortKey(key)))
  const record = panel('The record', async () => {
    const reply = await api.find<LedgerRecord>(`${path}/${encodeURIComponent(key)}`)
    if (reply === undefined) return paragraph('The L1 ledger of this server has no such record.')
    const { name } = reply.value
    if (typeof name === 'string' && name !== '') {
      heading.textContent = nameText(name)
      subject.prepend(h('span.badge', title))
      document.title = `${nameText(name)} on L1 · ledgerlake`
    }
    return [recordFacts(reply.value, base), requests(reply.address)]
  })
  const [kind, text] = also[page] ?? []
  const content = div(
    heading,
    subject,
    kind && paragraph(h('a', { href: base + pagePath(kind, key) }, text)),
    record,
    lists.map((list) => ledgerList(context, list, key)),
  )
  return { title: `${title} ${key.slice(0, 8)}…`, content }
}
