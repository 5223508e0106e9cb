import { dirname } from 'node:path'
import type { Resource } from '../catalog/resource.ts'
import type { DigestedFile } from '../integrity/verdict.ts'
import type { CopiesWriter } from '../lake/copies-writer.ts'
import type { OpenWriter } from '../lake/open-writer.ts'
import type { Snapshot, TableSnapshot } from '../lake/snapshot.ts'
import { type Derived, WORTH_SEARCHING_ROWS } from '../maintenance/derived.ts'
import { VERSIONS_KEPT } from '../maintenance/versions.ts'
import { buildSortedCopies } from './build-copies.ts'
import { dropIndex, folderOf, readIndex, type TableCopies } from './copies-index.ts'
import { copyFiles } from './copy-files.ts'
import { sortedTablesOf } from './sorted-tables.ts'

/** A file of a sorted copy, or of pointers. */
interface CopiedFile {
  readonly resource: Resource
  readonly file: DigestedFile & { readonly lacks: readonly string[] }
}

/** The sorted copies that are loaded. */
export interface SortedCopies extends Derived {
  /** Those of this version of a table; undefined while there are none: answers are the same, only slower. */
  of(table: TableSnapshot): TableCopies | undefined
  /** Their files, each with the table that it is one of. */
  filesOf(table: TableSnapshot): readonly CopiedFile[]
  /** The same as of anything derived; only `used`, if given, and not what was built in its place meanwhile. */
  forget(table: TableSnapshot, used?: TableCopies): Promise<void>
}

/**
 * `stateFolder` may be missing: then there are no sorted copies. Tables of fewer than `worthwhileRows` get none. The files of
 * those that are loaded stand in `derived`, by their paths.
 */
export function openSortedCopies(
  stateFolder: string,
  openWriter: OpenWriter<CopiesWriter>,
  worthwhileRows = WORTH_SEARCHING_ROWS,
  derived = new Map<string, DigestedFile>(),
): SortedCopies {
  const known = new Map<string, TableCopies>()
  const folders = new WeakMap<TableSnapshot, string>()
  const placeOf = (table: TableSnapshot) => {
    const folder = folders.get(table) ?? folderOf(stateFolder, table)
    folders.set(table, folder)
    return folder
  }
  /** Keeps as many versions in memory as in the folder. */
  const remember = (folder: string, sortedCopies: TableCopies) => {
    known.delete(folder)
    known.set(folder, sortedCopies)
    for (const file of filesOf(sortedCopies)) derived.set(file.path, file)
    const ofTable = [...known.keys()].filter((other) => dirname(other) === dirname(folder))
    for (const older of ofTable.slice(0, -VERSIONS_KEPT)) drop(older)
  }
  const drop = (folder: string) => {
    for (const { path } of filesOf(known.get(folder))) derived.delete(path)
    known.delete(folder)
  }
  const sortable = ({ tables }: Snapshot) =>
    tables.filter(({ resource }) => sortedTablesOf(resource).length > 0)
  const wantedOf = (at: Snapshot) => sortable(at).filter(({ rows }) => rows >= worthwhileRows)

  async function load(at: Snapshot): Promise<readonly TableSnapshot[]> {
    const missing: TableSnapshot[] = []
    for (const table of wantedOf(at)) {
      const folder = placeOf(table)
      const sortedCopies = known.get(folder) ?? (await readIndex(folder, table.resource))
      if (sortedCopies === undefined) missing.push(table)
      else remember(folder, sortedCopies)
    }
    return missing
  }

  return {
    name: 'sorted copies',
    speedsUp: 'filters',
    of: (table) => (table.resource.access === undefined ? undefined : known.get(placeOf(table))),
    filesOf(table) {
      const { copies = [], pointers = [] } = known.get(placeOf(table)) ?? {}
      return [...copies, ...pointers].flatMap(([, { resource, files }]) =>
        files.map((file) => ({ resource, file: { ...file, lacks: [] } })),
      )
    },
    load,
    lacks: (at) => wantedOf(at).some((table) => !known.has(placeOf(table))),
    build: async (at, options) =>
      await buildSortedCopies(await load(at), { ...options, stateFolder, openWriter }),
    files: (at) => copyFiles(stateFolder, sortable(at)),
    async forget(table, used) {
      const folder = placeOf(table)
      if (used !== undefined && known.get(folder) !== used) return
      drop(folder)
      await dropIndex(folder, used)
    },
  }
}

function filesOf(sorted: TableCopies | undefined): readonly DigestedFile[] {
  return [...(sorted?.copies.values() ?? []), ...(sorted?.pointers.values() ?? [])].flatMap(
    ({ files }) => files,
  )
}
