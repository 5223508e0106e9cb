import type { Context } from '../ask/context.ts'
import { shortKey } from '../parts/facts.ts'
import { fill, h, quiet } from '../parts/h.ts'
import { fillLater, panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { table } from '../parts/table.ts'
import { labelOf } from './labels.ts'
import { type LedgerRecord, memberValue } from './ledger-record.ts'

interface Page {
  readonly meta: Readonly<Record<'current_page' | 'total_pages', string>> & {
    readonly next_page: string | null
  }
  readonly objects: readonly LedgerRecord[]
}

/** A list of the ledger that refers to the record of a page. */
export interface LedgerListing {
  readonly title: string
  readonly path: string
  /** The filter by the key of the page. */
  readonly by: string
  readonly columns: readonly string[]
}

const PER_PAGE = '25'

/** A paged list of the ledger. */
export function ledgerList({ api, base }: Context, listing: LedgerListing, key: string): HTMLElement {
  const { title, path, by, columns } = listing
  const list = h('div.list')
  const cells = columns.map((name) => ({
    title: labelOf(name),
    isNumber: name === 'amount' || name.startsWith('num_') || name === 'block',
    cell: (record: LedgerRecord) => memberValue(name, record[name] ?? null, base, record, shortKey),
  }))
  const turn = (text: string, to: string | null) => {
    const click = () => to !== null && void fillLater(list, () => pageAt(to))
    return h('button', { type: 'button', disabled: to === null, click }, text)
  }

  async function pageAt(page: string) {
    const { value, address } = await api.ask<Page>(path, { [by]: key, page, per_page: PER_PAGE })
    const { meta, objects } = value
    if (objects.length === 0) return [quiet('None.'), requests(address)]
    const before = meta.current_page === '1' ? null : String(Number(meta.current_page) - 1)
    const turns = [
      turn('Previous', before),
      `Page ${meta.current_page} of ${meta.total_pages}`,
      turn('Next', meta.next_page),
    ]
    return [
      table(title, cells, objects),
      meta.total_pages === '1' ? undefined : h('p.row', turns),
      requests(address),
    ]
  }

  return panel(title, async () => {
    fill(list, await pageAt('1'))
    return list
  })
}
