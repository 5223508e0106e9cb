import { groupBy } from '../../base/maps.ts'
import { itemAt } from '../../base/values/item-at.ts'
import type { Resource } from '../../catalog/resource.ts'
import { type BoundValue, bind, kindOfColumn } from './compile-where.ts'
import type { SqlDialect } from './dialect.ts'

/** Columns missing in a file; they read as null. */
export type LacksOf = (file: string) => readonly string[]

export const lacksNone: LacksOf = () => []

/** FROM item over files, with at least these columns. */
export function fromFiles(
  resource: Resource,
  columns: readonly string[],
  files: readonly string[],
  values: BoundValue[],
  dialect: SqlDialect,
  lacksOf: LacksOf,
): string {
  const from = (paths: readonly string[]) => dialect.files(bind(values, { kind: 'files', value: paths }))
  const isWhole = (file: string) => !lacksOf(file).some((name) => columns.includes(name))
  if (files.every(isWhole)) return from(files)
  const selects = [...groupByLacks(files, lacksOf)].map(([lacks, paths]) => {
    const selected = columns.map((name) => {
      const column = dialect.identifier(name)
      return lacks.includes(name) ? `${dialect.absent(kindOfColumn(resource, name))} AS ${column}` : column
    })
    return `SELECT ${selected.join(', ')} FROM ${from(paths)}`
  })
  return `(${selects.join(' UNION ALL ')})`
}

/** FROM item over files that lack the same columns, with these as nulls. */
export function withAbsent(
  { columns }: Resource,
  lacks: readonly string[],
  from: string,
  dialect: Pick<SqlDialect, 'absent' | 'identifier'>,
): string {
  const nulls = lacks.flatMap((name) => {
    const kind = columns[name]?.kind
    return kind === undefined ? [] : [`${dialect.absent(kind)} AS ${dialect.identifier(name)}`]
  })
  return nulls.length === 0 ? from : `(SELECT *, ${nulls.join(', ')} FROM ${from})`
}

/** Groups files by their missing columns. */
export function groupByLacks(
  files: readonly string[],
  lacksOf: LacksOf,
): ReadonlyMap<readonly string[], readonly string[]> {
  const groups = groupBy(files, (file) => lacksOf(file).join())
  return new Map([...groups.values()].map((group) => [lacksOf(itemAt(group, 0)), group]))
}
