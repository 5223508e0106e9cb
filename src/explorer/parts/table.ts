import { type Child, h } from './h.ts'

export interface Column<Row> {
  readonly title: string
  readonly isNumber?: boolean
  readonly cell: (row: Row) => Child
}

/** A table that can be scrolled sideways with the keyboard where it is wider than the screen. The first column names its row. */
export function table<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): HTMLElement {
  const kind = ({ isNumber }: Column<Row>) => (isNumber ? 'number' : undefined)
  const head = columns.map((column) => h('th', { scope: 'col', class: kind(column) }, column.title))
  const line = (row: Row) =>
    columns.map((column, place) =>
      place === 0
        ? h('th', { scope: 'row' }, column.cell(row))
        : h('td', { class: kind(column), 'data-title': column.title }, column.cell(row)),
    )
  return h(
    'div',
    { class: 'table', tabindex: '0', role: 'region', 'aria-label': `${caption}: table` },
    h(
      'table',
      {},
      h('caption', { class: 'hidden' }, caption),
      h('thead', {}, h('tr', {}, head)),
      h(
        'tbody',
        {},
        rows.map((row) => h('tr', {}, line(row))),
      ),
    ),
  )
}
