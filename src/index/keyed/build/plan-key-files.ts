import type { TableSnapshot } from '../../../lake/snapshot/snapshot.ts'
import { type Cover, isExact, sourcesOf } from '../cover.ts'
import { keyedColumns } from '../key-file-contents.ts'

/** Bounds of the rows and values of a file, for bounded sorting time and memory. */
const MOST_ROWS = 8_000_000
const MOST_VALUES = 200_000_000

/** A file is merged if it has at most this many times the new rows, which keeps files few. */
const GROWTH = 4

/**
 * Returns the source names of each file to write: missing sources, covered sources of partly outdated files, and those of
 * small files.
 */
export function planKeyFiles(table: TableSnapshot, cover: Cover): readonly ReadonlySet<string>[] {
  if (isExact(cover)) return []
  const { coverings, missing } = cover
  const most = Math.min(MOST_ROWS, MOST_VALUES / keyedColumns(table.resource).length)
  const rowsOf = (name: string) => table.sourcesNamed(name).reduce((sum, { rows }) => sum + rows, 0)
  const sumRows = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + rowsOf(name), 0)
  const chosen = new Set(missing)
  let rows = sumRows(missing)
  const smallestFirst = coverings.toReversed()
  const sorted = [
    ...smallestFirst.filter(({ isWhole }) => !isWhole),
    ...smallestFirst.filter(({ isWhole }) => isWhole),
  ]
  for (const { file, isCovered, isWhole } of sorted) {
    const { groups } = file.contents
    const names = new Set(groups.flatMap(({ source }, number) => (isCovered[number] === 1 ? [source] : [])))
    const more = sumRows(names)
    if (isWhole && (more > GROWTH * rows || rows + more > most)) break
    for (const name of names) chosen.add(name)
    rows += more
  }
  const files: Set<string>[] = []
  let fileRows = Number.POSITIVE_INFINITY
  for (const name of sourcesOf(table).keys()) {
    if (!chosen.has(name)) continue
    const sourceRows = rowsOf(name)
    if (fileRows + sourceRows > most) {
      files.push(new Set())
      fileRows = 0
    }
    files.at(-1)?.add(name)
    fileRows += sourceRows
  }
  return files
}
