import { dirname } from 'node:path'
import type { Snapshot, TableSnapshot } from '../lake/snapshot.ts'
import { dropIndex, folderOf, readIndex, type TableCopies, VERSIONS_KEPT } from './copies-index.ts'
import { sortedTablesOf } from './sorted-tables.ts'

/** The sorted copies that requests may use. */
export interface SortedCopies {
  /** Those of this version of a table; undefined while there are none, which changes the work and no answer. */
  of(table: TableSnapshot): TableCopies | undefined
  /** Looks for those of a snapshot; gives the tables that have none. */
  load(at: Snapshot): Promise<readonly TableSnapshot[]>
  /** Whether a table of a snapshot that should have some has none that are used. */
  lacks(at: Snapshot): boolean
  /** Never again uses those of a table, because they cannot be read; others may be built in their place. */
  forget(table: TableSnapshot): Promise<void>
}

/** Smaller tables are read whole as fast. */
const WORTHWHILE_ROWS = 10_000

/** `stateFolder` may be missing: then there are no sorted copies. */
export function openSortedCopies(stateFolder: string, worthwhileRows = WORTHWHILE_ROWS): SortedCopies {
  const known = new Map<string, TableCopies>()
  const folders = new WeakMap<TableSnapshot, string>()
  const placeOf = (table: TableSnapshot) => {
    const folder = folders.get(table) ?? folderOf(stateFolder, table)
    folders.set(table, folder)
    return folder
  }
  /** Older ones are removed from the folder too, and would take memory for ever. */
  const know = (folder: string, sortedCopies: TableCopies) => {
    known.delete(folder)
    known.set(folder, sortedCopies)
    const ofTable = [...known.keys()].filter((other) => dirname(other) === dirname(folder))
    for (const older of ofTable.slice(0, -VERSIONS_KEPT)) known.delete(older)
  }
  const wantedOf = ({ tables }: Snapshot) =>
    tables.filter(({ resource, rows }) => rows >= worthwhileRows && sortedTablesOf(resource).length > 0)
  return {
    of: (table) => (table.resource.access === undefined ? undefined : known.get(placeOf(table))),
    async load(at) {
      const missing: TableSnapshot[] = []
      for (const table of wantedOf(at)) {
        const folder = placeOf(table)
        const sortedCopies = known.get(folder) ?? (await readIndex(folder, table.resource))
        if (sortedCopies === undefined) missing.push(table)
        else know(folder, sortedCopies)
      }
      return missing
    },
    lacks: (at) => wantedOf(at).some((table) => !known.has(placeOf(table))),
    async forget(table) {
      known.delete(placeOf(table))
      await dropIndex(placeOf(table))
    },
  }
}
