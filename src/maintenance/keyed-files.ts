import { rm } from 'node:fs/promises'
import type { ContentReader } from '../lake/content-reader.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { onceByKey } from './compare-sums.ts'
import type { DerivedFile } from './derived.ts'

/** How files are looked at that were built from the rows of each key of a table. */
interface KeyedFiles {
  pathsOf(table: TableSnapshot): Promise<readonly string[]>
  faultOf(path: string): string | undefined
  /** `sumKeyed` sums the rows of the table by key; once for all its files. */
  differenceOf(
    path: string,
    table: TableSnapshot,
    sumKeyed: () => ReturnType<ContentReader['sumKeyed']>,
  ): Promise<string | undefined>
}

/** Such files of some tables that are in the state folder. */
export async function keyedFiles(
  tables: readonly TableSnapshot[],
  { pathsOf, faultOf, differenceOf }: KeyedFiles,
): Promise<readonly DerivedFile[]> {
  const files: DerivedFile[] = []
  for (const table of tables) {
    const sumKeyed = onceByKey((reader: ContentReader) => reader.sumKeyed(table.resource, table.files))
    for (const path of await pathsOf(table))
      files.push({
        path,
        fault: async () => faultOf(path),
        difference: (reader) => differenceOf(path, table, () => sumKeyed(reader)),
        remove: () => rm(path, { force: true }),
      })
  }
  return files
}
