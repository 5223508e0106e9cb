import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { addedFiles, type ExactRow, locationOf, readEntries, readExactRows } from './delta-table.ts'
import { factsOf } from './file-facts.ts'

/** A source as the log of a table tells of it, for one data file. */
export interface LoggedSource {
  readonly month: string | undefined
  readonly kind: string
  readonly name: string
  readonly sha256: string
  readonly rows: number
  readonly refused: number
}

/** The newest version of a table; -1 when there is none. */
export function versionOf(lake: string, table: string): number {
  const folder = join(lake, table)
  return existsSync(folder) ? (readEntries(folder).at(-1)?.version ?? -1) : -1
}

/** What the log of a table says of its sources, file by file; nothing when there is no such table. */
export function loggedSources(lake: string, table: string): readonly LoggedSource[] {
  const folder = join(lake, table)
  if (!existsSync(folder)) return []
  return addedFiles(folder).flatMap((file) => {
    const sources: readonly LoggedSource[] = factsOf(folder, file).sources
    const { month } = file.partitionValues
    return sources.map(({ kind, name, sha256, rows, refused }) => ({
      month,
      kind,
      name,
      sha256,
      rows,
      refused,
    }))
  })
}

/** All rows of a table out of the files that its log names, in their order; none when there is no such table. */
export async function readTable(
  lake: string,
  table: string,
  columns?: string[],
): Promise<readonly ExactRow[]> {
  const folder = join(lake, table)
  if (!existsSync(folder)) return []
  const rows = await Promise.all(
    addedFiles(folder).map((file) => readExactRows(locationOf(folder, file), columns)),
  )
  return rows.flat()
}
