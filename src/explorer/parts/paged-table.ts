import { div, fill, h } from './h.ts'
import { type TableColumn, table } from './table.ts'

/** Most rows in the document, a year of days: the browser lays out the whole table whenever one row changes. */
const MOST_ROWS = 366

/** A paged table. It shows the first `few` rows until the user asks for all. */
export function pagedTable<Row>(
  caption: string,
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  few = MOST_ROWS,
): HTMLElement {
  const container = h('div')
  const below = h('p.row')
  const said = h('span', { role: 'status' })
  let first = 0
  const turn = (text: string, by: number) =>
    h('button', { type: 'button', click: () => show(first + by) }, text)
  const previous = turn('Previous', -MOST_ROWS)
  const next = turn('Next', MOST_ROWS)

  function show(from: number, count = MOST_ROWS): void {
    first = from
    const shown = rows.slice(first, first + count)
    fill(container, table(caption, columns, shown))
    fill(said, `${first + 1} to ${first + shown.length} of ${rows.length}`)
    previous.disabled = first === 0
    next.disabled = first + shown.length >= rows.length
  }

  const showAll = () => {
    show(0)
    fill(below, rows.length > MOST_ROWS ? [previous, said, next] : undefined)
  }
  if (rows.length <= few) showAll()
  else {
    show(0, few)
    fill(below, h('button', { type: 'button', click: showAll }, `Show all ${rows.length}`))
  }
  return div(container, below)
}
