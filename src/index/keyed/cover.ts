import type { GroupRange } from '../../catalog/query/group-range.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { KeyFile } from './key-file.ts'
import { describeKeyed, nameOfColumn } from './key-file-contents.ts'

/** A file and the groups that are read from it. */
export interface Covering {
  readonly file: KeyFile
  /** By group number: 1 if the group is read from this file. */
  readonly isCovered: Uint8Array
  /** True if all groups are read from this file. */
  readonly isWhole: boolean
}

/** Assigns each source of a table version to one file. */
export interface Cover {
  readonly coverings: readonly Covering[]
  /** Names of the sources without a file. */
  readonly missing: ReadonlySet<string>
  /** Periods of missing sources. */
  readonly missingPeriods: readonly bigint[]
}

/** Returns whether files have the rows of a table version, and no further rows. */
export function isExact({ coverings, missing }: Cover): boolean {
  return missing.size === 0 && coverings.every(({ isWhole }) => isWhole)
}

/** Digests and row counts of the sources with rows, by name. Artifacts of two kinds may share a name. */
export function sourcesOf(table: TableSnapshot): ReadonlyMap<string, string> {
  const sources = new Map<string, string>()
  for (const { name, groups } of table.files.flatMap((file) => file.sources)) {
    if (groups.length === 0 || sources.has(name)) continue
    const artifacts = table.sourcesNamed(name).map(({ kind, sha256, rows }) => `${kind} ${sha256} ${rows}`)
    sources.set(name, artifacts.sort().join(', '))
  }
  return sources
}

/** Prefers files without outdated sources, then large files, so that few files are read. */
export function findCover(table: TableSnapshot, files: readonly KeyFile[]): Cover {
  const digests = sourcesOf(table)
  const missing = new Set(digests.keys())
  const coverings: Covering[] = []
  const hasOutdated = ({ contents }: KeyFile) =>
    Object.entries(contents.sources).some(([source, digest]) => digests.get(source) !== digest)
  const sorted = files
    .map((file) => ({ file, rank: Number(hasOutdated(file)) }))
    .sort((a, b) => a.rank - b.rank || b.file.contents.rows - a.file.contents.rows)
  for (const { file } of sorted) {
    if (!isReadable(file, table)) continue
    const { sources, groups } = file.contents
    const names = new Set<string>()
    for (const [source, digest] of Object.entries(sources)) {
      if (!missing.has(source) || digests.get(source) !== digest) continue
      missing.delete(source)
      names.add(source)
    }
    if (names.size === 0) continue
    const isCovered = Uint8Array.from(groups, ({ source }) => (names.has(source) ? 1 : 0))
    coverings.push({ file, isCovered, isWhole: !isCovered.includes(0) })
  }
  const lacking = table.files.flatMap(({ sources }) => sources.filter(({ name }) => missing.has(name)))
  const missingPeriods = new Set(lacking.flatMap(({ groups }) => groups.map(({ period }) => period)))
  return { coverings, missing, missingPeriods: [...missingPeriods] }
}

/** Returns whether a file has the current columns. Columns that its data files lack are null. */
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

/** The files with rows of a range; undefined if rows are missing. */
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
