import { markdownTable } from '../../../bench/support/markdown.ts'

/** How many of some there are by two properties, as a table in Markdown; with these rows, and columns as they come. */
export function countsTable<T>(
  head: string,
  items: readonly T[],
  rows: readonly string[],
  rowOf: (item: T) => string,
  columnOf: (item: T) => string,
): string {
  const columns = [...new Set(items.map(columnOf))]
  const count = (row?: string, column?: string) =>
    items.filter(
      (item) =>
        (row === undefined || rowOf(item) === row) && (column === undefined || columnOf(item) === column),
    ).length
  const lines = [...rows, undefined].map((row) => [
    row ?? 'all',
    ...[...columns, undefined].map((column) => String(count(row, column))),
  ])
  return markdownTable([head, ...columns, 'all'], lines)
}
