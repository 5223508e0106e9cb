import { type Child, h } from './h.ts'

export interface TableColumn<Row> {
  readonly title: string
  readonly isNumber?: boolean
  /** On a narrow screen, the cell is next to the row header. */
  readonly isLead?: boolean
  readonly cell: (row: Row) => Child
}

/**
 * A table whose first column is the row header. The style sheet turns rows into blocks on phones, so the roles are
 * explicit.
 */
export function table<Row>(
  caption: string,
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
): HTMLElement {
  const kind = ({ isNumber, isLead }: TableColumn<Row>) =>
    [isNumber ? 'number' : '', isLead ? 'beside' : ''].join(' ').trim() || undefined
  const head = columns.map((column) =>
    h('th', { role: 'columnheader', scope: 'col', class: kind(column) }, column.title),
  )
  const cell = (column: TableColumn<Row>, place: number, row: Row) =>
    place === 0
      ? h('th', { role: 'rowheader', scope: 'row' }, column.cell(row))
      : h('td', { role: 'cell', class: kind(column), 'data-title': column.title }, column.cell(row))
  const line = (row: Row) =>
    h(
      'tr',
      { role: 'row' },
      columns.map((column, place) => cell(column, place, row)),
    )
  return h(
    'div.table',
    { tabindex: '0', role: 'region', 'aria-label': `${caption}: table` },
    h(
      'table',
      { role: 'table' },
      h('caption.hidden', caption),
      h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, head)),
      h('tbody', { role: 'rowgroup' }, rows.map(line)),
    ),
  )
}
