import type { Resource } from '../catalog/resource.ts'
import type { DataFile } from '../lake/data-file.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { filesNeeded } from './divide.ts'

/** Files of one partition of a table that fewer files can hold. */
export interface ScatteredPartition {
  readonly partition: string
  readonly files: readonly DataFile[]
}

export function hasMonths({ partition }: Resource): boolean {
  return partition?.by === 'month'
}

/**
 * The partitions of a table that lie in more files than they need: all before its newest, or the months named. Tables
 * without partitions have none: those of states are one file after every upsert, and refused messages are few.
 */
export function scatteredPartitions(
  { resource, files }: TableSnapshot,
  months: readonly string[] | undefined,
): readonly ScatteredPartition[] {
  if (months !== undefined && !hasMonths(resource)) return []
  const partitions = partitionsOf(files)
  const isChosen = (partition: string) => months?.includes(partition) ?? partition !== partitions.at(-1)
  return partitions.filter(isChosen).flatMap((partition) => {
    const own = withoutTwins(files.filter((file) => file.partition === partition))
    return own.length > filesNeeded(resource, own) ? [{ partition, files: own }] : []
  })
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
