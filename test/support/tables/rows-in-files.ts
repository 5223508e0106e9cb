import { readDecimal } from '../../../src/base/values/decimal.ts'
import type { Column, Value } from '../../../src/catalog/column.ts'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import type { Snapshot, TableSnapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { type ExactValue, readExactRows } from './delta-table.ts'

/** The rows of tables as another reader than the engine's finds them in the files of a snapshot, the last row first. */
export function rowsInFiles(): (resource: Resource, at: Snapshot) => Promise<readonly Row[]> {
  const known = new WeakMap<TableSnapshot, Promise<readonly Row[]>>()

  async function read({ resource, files }: TableSnapshot): Promise<readonly Row[]> {
    return (await Promise.all(files.map(({ path }) => rowsInFile(resource, path)))).flat().reverse()
  }

  return (resource, at) => {
    const table = at.table(resource)
    const rows = known.get(table) ?? read(table)
    known.set(table, rows)
    return rows
  }
}

/** The rows of one file as they lie in it. */
export async function rowsInFile({ columns }: Resource, path: string): Promise<readonly Row[]> {
  const toRow = (row: Readonly<Record<string, ExactValue>>): Row =>
    Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [name, toValue(column, row[name] ?? null)]),
    )
  return (await readExactRows(path)).map(toRow)
}

function toValue({ kind }: Column, value: ExactValue): Value {
  if (value === null) return null
  if (kind === 'integer') return Number(value)
  if (kind === 'bytes') return Buffer.from(String(value), 'hex')
  return kind === 'decimal' ? (readDecimal(String(value)) ?? null) : value
}
