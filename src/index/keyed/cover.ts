import type { GroupRange } from '../../catalog/query/group-range.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { describeKeyed, nameOfColumn } from './contents.ts'
import type { KeyFile } from './key-file.ts'

/** A file and, by the number of each of its groups, 1 where it answers for the rows of that group. */
export interface Covering {
  readonly file: KeyFile
  readonly isOf: Uint8Array
  /** Whether it answers for all of its groups. */
  readonly isWhole: boolean
}

/** The files that answer for a version of a table: one for each source. */
export interface Cover {
  readonly coverings: readonly Covering[]
  /** Names of the sources that no file has. */
  readonly missing: ReadonlySet<string>
  /** Their periods. */
  readonly missingPeriods: readonly bigint[]
}

/** Whether files have all rows of a version of a table, and no others. */
export function isExact({ coverings, missing }: Cover): boolean {
  return missing.size === 0 && coverings.every(({ isWhole }) => isWhole)
}

/** By the name of each source that has rows in groups: its digest, and how many rows it has. Artifacts of two kinds may have one name. */
export function sourcesOf(table: TableSnapshot): ReadonlyMap<string, string> {
  const sources = new Map<string, string>()
  for (const { name, groups } of table.files.flatMap((file) => file.sources)) {
    if (groups.length === 0 || sources.has(name)) continue
    const ofName = table.sourcesNamed(name).map(({ kind, sha256, rows }) => `${kind} ${sha256} ${rows}`)
    sources.set(name, ofName.sort().join(', '))
  }
  return sources
}

/** Files that have nothing else come first, then those with more rows, so that few answer. */
export function coverOf(table: TableSnapshot, files: readonly KeyFile[]): Cover {
  const wanted = sourcesOf(table)
  const missing = new Set(wanted.keys())
  const coverings: Covering[] = []
  const hasOthers = ({ contents }: KeyFile) =>
    Object.entries(contents.sources).some(([source, digest]) => wanted.get(source) !== digest)
  const sorted = files
    .map((file) => ({ file, rank: Number(hasOthers(file)) }))
    .sort((a, b) => a.rank - b.rank || b.file.contents.rows - a.file.contents.rows)
  for (const { file } of sorted) {
    if (!isReadable(file, table)) continue
    const { sources, groups } = file.contents
    const names = new Set<string>()
    for (const [source, digest] of Object.entries(sources)) {
      if (!missing.has(source) || wanted.get(source) !== digest) continue
      missing.delete(source)
      names.add(source)
    }
    if (names.size === 0) continue
    const isOf = Uint8Array.from(groups, ({ source }) => (names.has(source) ? 1 : 0))
    coverings.push({ file, isOf, isWhole: !isOf.includes(0) })
  }
  const lacking = table.files.flatMap(({ sources }) => sources.filter((one) => missing.has(one.name)))
  const missingPeriods = new Set(lacking.flatMap(({ groups }) => groups.map(({ period }) => period)))
  return { coverings, missing, missingPeriods: [...missingPeriods] }
}

/** Whether rows are stored as the table has them now. A column that it got later is null in the rows of all data files that lack it. */
function isReadable({ contents }: KeyFile, { resource, files }: TableSnapshot): boolean {
  const { columns, summed, sources } = contents
  const described = describeKeyed(resource)
  if (summed.join() !== (resource.earned ?? []).join()) return false
  if (columns.some((column) => !described.includes(column))) return false
  const added = described.filter((column) => !columns.includes(column)).map(nameOfColumn)
  return files.every(
    (file) =>
      added.every((name) => file.lacks.includes(name)) || !file.sources.some(({ name }) => name in sources),
  )
}

/** The files that have rows of a range; undefined when rows of it are missing. */
export function coveringRange(
  { coverings, missingPeriods }: Cover,
  range: GroupRange,
): readonly Covering[] | undefined {
  if (missingPeriods.some((period) => range.from <= period && period <= range.to)) return undefined
  return coverings.filter(({ file }) => {
    const { first, end } = file.groupsIn(range)
    return first < end
  })
}
