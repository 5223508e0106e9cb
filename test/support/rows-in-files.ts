import type { Resource, Row } from '../../src/catalog/resource.ts'
import { readExactRows } from './delta-table.ts'

/**
 * Where rows lie: asks each data file, by another reader than the engine's, for the identity of its rows alone.
 * The rows themselves are the given ones.
 */
export function rowsInFiles(
  rowsOf: (resource: Resource) => readonly Row[],
): (resource: Resource, file: string) => Promise<readonly Row[]> {
  const known = new Map<string, Promise<readonly Row[]>>()

  async function read(resource: Resource, file: string): Promise<readonly Row[]> {
    // Both networks may write a manifest of the same name.
    const identity = ['source_file', 'ordinal', 'reward_type'].filter((name) => name in resource.columns)
    const identify = (row: Row) => identity.map((name) => String(row[name])).join(' ')
    const rows = new Map(rowsOf(resource).map((row) => [identify(row), row]))
    return (await readExactRows(file, identity)).map((place) => {
      const row = rows.get(identify(place))
      if (row === undefined) throw new Error(`${file} has a row that nobody wrote: ${identify(place)}`)
      return row
    })
  }

  return (resource, file) => {
    const rows = known.get(file) ?? read(resource, file)
    known.set(file, rows)
    return rows
  }
}
