import type { Resource } from '../../catalog/resource.ts'
import { COMPACTED_GROUP_ROWS } from '../../lake/facts/chunk.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { CompactionWriter } from '../ports/compaction-writer.ts'
import { filesNeeded } from './divide.ts'

/** Reads the footer of a file, possibly from a sparse local copy at another path. */
type ReadFooter = <T>(file: DataFile, read: (path: string) => Promise<T>) => Promise<T>

type FileReader = Pick<CompactionWriter, 'countRowGroups' | 'hasBinaryFilters'>

/** Files of one partition that compaction should rewrite. */
export interface ScatteredPartition {
  readonly partition: string
  readonly files: readonly DataFile[]
}

export function hasMonths({ partition }: Resource): boolean {
  return partition?.by === 'month'
}

/**
 * Returns the partitions to compact: too many files, too long files, small row groups, or Bloom filters that readers
 * misread. Checks all but the newest partition, or the given months. Unpartitioned tables need no compaction.
 * Errors: `lake_damaged`.
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
    const candidates = withoutTwins(files.filter((file) => file.partition === partition))
    const needed = filesNeeded(resource, candidates)
    const areLong = resource.statistics !== undefined && candidates.length < needed
    const isWorthwhile =
      candidates.length > needed || areLong || (await areOutdated(resource, candidates, reader, footerOf))
    if (isWorthwhile) scattered.push({ partition, files: candidates })
  }
  return scattered
}

/** Returns true for files with small row groups or with misread Bloom filters. */
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

/** Returns the partition names, sorted. */
export function partitionsOf(files: readonly DataFile[]): readonly string[] {
  const names = files.map(({ partition }) => partition).filter((partition) => partition !== null)
  return [...new Set(names)].sort()
}

/** Rows store the name of their source and not its kind, so two sources of one name cannot be replaced separately. */
function withoutTwins(files: readonly DataFile[]): readonly DataFile[] {
  const kindOf = new Map<string, string>()
  const twins = new Set<string>()
  for (const { kind, name } of files.flatMap((file) => file.sources)) {
    if ((kindOf.get(name) ?? kind) !== kind) twins.add(name)
    kindOf.set(name, kind)
  }
  return files.filter(({ sources }) => !sources.some(({ name }) => twins.has(name)))
}
