import type { Resource } from '../../catalog/resource.ts'
import { COMPACTED_GROUP_ROWS } from '../../lake/facts/chunk.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import type { CompactionWriter } from '../../lake/ports/compaction-writer.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { filesNeeded } from './divide.ts'

/** Reads the footer of a file by a path that may be another. */
type ReadFooter = <T>(file: DataFile, read: (path: string) => Promise<T>) => Promise<T>

type FileReader = Pick<CompactionWriter, 'countRowGroups' | 'hasBinaryFilters'>

/** Files of one partition of a table that are worth writing anew. */
export interface ScatteredPartition {
  readonly partition: string
  readonly files: readonly DataFile[]
}

export function hasMonths({ partition }: Resource): boolean {
  return partition?.by === 'month'
}

/**
 * The partitions of a table that lie in more files than they need, in files that are too long, in smaller row groups than
 * take the fewest bytes, or with Bloom filters that are misread: all before its newest, or the months named. Tables without partitions
 * have none, since an upsert leaves a state table in few files, and refused messages are few. Errors: `lake_damaged`.
 */
export async function scatteredPartitions(
  { resource, files }: TableSnapshot,
  months: readonly string[] | undefined,
  reader: FileReader,
  footerOf: ReadFooter = (file, read) => read(file.path),
): Promise<readonly ScatteredPartition[]> {
  if (months !== undefined && !hasMonths(resource)) return []
  const partitions = partitionsOf(files)
  const isChosen = (partition: string) => months?.includes(partition) ?? partition !== partitions.at(-1)
  const scattered: ScatteredPartition[] = []
  for (const partition of partitions.filter(isChosen)) {
    const own = withoutTwins(files.filter((file) => file.partition === partition))
    const needed = filesNeeded(resource, own)
    const areLong = resource.statistics !== undefined && own.length < needed
    const isWorthwhile =
      own.length > needed || areLong || (await areOutdated(resource, own, reader, footerOf))
    if (isWorthwhile) scattered.push({ partition, files: own })
  }
  return scattered
}

/** Whether a file has row groups of a chunk each, as an ingest writes them and older builds compacted, or filters that are misread. */
async function areOutdated(
  resource: Resource,
  files: readonly DataFile[],
  reader: FileReader,
  footerOf: ReadFooter,
): Promise<boolean> {
  const isOutdated = async (path: string, rows: number) => {
    if (await reader.hasBinaryFilters(resource, path)) return true
    if (resource.statistics === undefined) return false
    return (await reader.countRowGroups(path)) > Math.ceil(rows / COMPACTED_GROUP_ROWS)
  }
  for (const file of files) if (await footerOf(file, (path) => isOutdated(path, file.rows))) return true
  return false
}

/** Names of the partitions in their order, which is that of the texts. */
export function partitionsOf(files: readonly DataFile[]): readonly string[] {
  const names = files.map(({ partition }) => partition).filter((partition) => partition !== null)
  return [...new Set(names)].sort()
}

/** Rows know the name of their source but not its kind, so two sources of one name could not be replaced one by one. */
function withoutTwins(files: readonly DataFile[]): readonly DataFile[] {
  const kindOf = new Map<string, string>()
  const twins = new Set<string>()
  for (const { kind, name } of files.flatMap((file) => file.sources)) {
    if ((kindOf.get(name) ?? kind) !== kind) twins.add(name)
    kindOf.set(name, kind)
  }
  return files.filter(({ sources }) => !sources.some(({ name }) => twins.has(name)))
}
