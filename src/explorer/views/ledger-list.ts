import type { Context } from '../ask/context.ts'
import { shortKey } from '../parts/facts.ts'
import { div, fill, h, quiet } from '../parts/h.ts'
import { isLeft, panel, refusal } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { table } from '../parts/table.ts'
import { type LedgerRecord, memberValue } from './ledger-record.ts'

interface Page {
  readonly meta: {
    readonly current_page: string
    readonly total_pages: string
    readonly next_page: string | null
  }
  readonly objects: readonly LedgerRecord[]
}

interface Asked {
  readonly title: string
  readonly path: string
  readonly by: string
  readonly columns: readonly string[]
}

const PER_PAGE = '25'

/** A paged list of the ledger. */
export function ledgerList(context: Context, { title, path, by, columns }: Asked, key: string): HTMLElement {
  const { api, base } = context
  async function pageAt(page: string): Promise<HTMLElement> {
    const { value, address } = await api.ask<Page>(path, { [by]: key, page, per_page: PER_PAGE })
    const { meta, objects } = value
    if (objects.length === 0) return div(quiet('None.'), requests(address))
    const cells = columns.map((name) => ({
      title: name.replaceAll('_', ' '),
      isNumber: name === 'amount' || name.startsWith('num_') || name === 'block',
      cell: (record: LedgerRecord) => memberValue(name, record[name] ?? null, base, record, shortKey),
    }))
    const turn = (text: string, to: string | null) =>
      h(
        'button',
        { type: 'button', disabled: to === null, click: (event) => to !== null && void turned(event, to) },
        text,
      )
    const before = meta.current_page === '1' ? null : String(Number(meta.current_page) - 1)
    return h(
      'div',
      { class: 'list' },
      table(title, cells, objects),
      meta.total_pages === '1'
        ? undefined
        : h(
            'p',
            { class: 'row' },
            turn('Before', before),
            `Page ${meta.current_page} of ${meta.total_pages}`,
            turn('Next', meta.next_page),
          ),
      requests(address),
    )
  }

  async function turned({ currentTarget }: Event, page: string): Promise<void> {
    const list = (currentTarget as HTMLElement).closest<HTMLElement>('.panel-body')
    if (list === null) return
    try {
      fill(list, await pageAt(page))
    } catch (error) {
      if (!isLeft(error))
        fill(
          list,
          refusal(error, () => void pageAt(page).then((shown) => fill(list, shown))),
        )
    }
  }

  return panel(title, () => pageAt('1'))
}
