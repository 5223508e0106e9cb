import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ContentReader } from '../lake/content-reader.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { onceByKey } from '../maintenance/compare-sums.ts'
import type { DerivedFile } from '../maintenance/derived.ts'
import { newestFirst } from '../maintenance/versions.ts'
import { faultOfCopy, folderOf, INDEX, readIndex, type TableCopies } from './copies-index.ts'
import { FIRST_ROW, type SortedTable, sortedTablesOf } from './sorted-tables.ts'

/** The sorted copies of some tables that are in the state folder, and what names them. */
export async function copyFiles(
  stateFolder: string,
  tables: readonly TableSnapshot[],
): Promise<readonly DerivedFile[]> {
  const files: DerivedFile[] = []
  for (const table of tables) {
    const current = folderOf(stateFolder, table)
    for (const folder of await newestFirst(dirname(current))) {
      const paths = await readdir(folder, { recursive: true }).catch(() => [])
      const own = folder === current ? table : undefined
      files.push(...filesOf(folder, paths.map((name) => join(folder, name)).sort(), table, own))
    }
  }
  return files
}

function filesOf(
  folder: string,
  paths: readonly string[],
  { resource }: TableSnapshot,
  current: TableSnapshot | undefined,
): readonly DerivedFile[] {
  const index = join(folder, INDEX)
  const remove = () => rm(folder, { recursive: true, force: true })
  const ofIndex = {
    path: index,
    fault: () => faultOfCopy(folder, resource, index),
    difference: async () => undefined,
    remove,
  }
  const copies = sortedTablesOf(resource).flatMap((sorted): readonly DerivedFile[] => {
    const difference = onceByKey(async (reader: ContentReader) => {
      const found = await readIndex(folder, resource)
      return current && found && (await differenceOf(current, sorted, found, reader))
    })
    const own = join(folder, folderNameOf(sorted), '/')
    return paths
      .filter((path) => path.startsWith(own) && path.endsWith('.parquet'))
      .map((path) => ({ path, fault: () => faultOfCopy(folder, resource, path), difference, remove }))
  })
  return [...(paths.includes(index) ? [ofIndex] : []), ...copies]
}

const folderNameOf = ({ as, column }: SortedTable) => `${as}-${column}`

/** The same rows as the table, in any order. */
async function differenceOf(
  table: TableSnapshot,
  { resource, column, as }: SortedTable,
  copies: TableCopies,
  reader: ContentReader,
): Promise<string | undefined> {
  const built = (as === 'copy' ? copies.copies : copies.pointers).get(column)?.files ?? []
  const files = table.files.filter(({ rows }) => rows > 0)
  const own = await reader.sumContent(
    resource,
    built.map(({ path }) => path),
  )
  const lake = await reader.sumContent(resource, files, {
    column,
    firstRow: as === 'pointers' ? FIRST_ROW : undefined,
  })
  if (own.rows === lake.rows && own.digest === lake.digest) return undefined
  return `the files beside it have ${own.rows} rows of digest ${own.digest}, the table ${lake.rows} of ${lake.digest}`
}
