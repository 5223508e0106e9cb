import { basename } from 'node:path'
import { dateOf, dayOf } from '../../../base/values/epoch-day.ts'
import { readInstant } from '../../../base/values/instant.ts'
import { rewardManifests } from '../../../catalog/l2/reward-manifests.ts'
import { isReward } from '../../../catalog/records/flat-columns.ts'
import type { Resource } from '../../../catalog/resource.ts'
import type { DataFile } from '../../../lake/facts/data-file.ts'
import type { Snapshot, TableSnapshot } from '../../../lake/snapshot/snapshot.ts'
import { type LogSums, sumsOfTable } from './log-sums.ts'

/** A data file as statements read it. */
export interface SqlFile
  extends Pick<DataFile, 'path' | 'lacks' | 'partition' | 'sha256' | 'bytes' | 'rows'> {
  /** First and last paid day of its rows, from the statistics of the log. */
  readonly days?: readonly [first: string, last: string]
}

/** Files of a snapshot by table name, serializable for another process. */
export interface SnapshotFiles {
  readonly id: string
  readonly tables: Readonly<Record<string, readonly SqlFile[]>>
  /** Sums of the log by table name, for tables of reward shares. */
  readonly sums: Readonly<Record<string, LogSums>>
}

export function filesOfSnapshot(at: Snapshot): SnapshotFiles {
  const { id, tables } = at
  const named = tables.map((table) => [table.resource.name, filesWithDays(table)] as const)
  const manifestsAt = tables.find(({ resource }) => resource === rewardManifests)?.committedAt ?? 0
  const sums = tables
    .filter(({ resource }) => isReward(resource))
    .map((table) => [table.resource.name, sumsOfTable(table, manifestsAt)] as const)
  return { id, tables: Object.fromEntries(named), sums: Object.fromEntries(sums) }
}

function filesWithDays({ resource, files, logged }: TableSnapshot): readonly SqlFile[] {
  const stats = new Map([...(logged?.live ?? [])].map(([path, add]) => [basename(path), add.stats]))
  return files.map(({ path, lacks, partition, sha256, bytes, rows }) => {
    const days = isReward(resource) ? daysOf(stats.get(basename(path))) : undefined
    return { path, lacks, partition, sha256, bytes, rows, ...(days && { days }) }
  })
}

type Bounds = Readonly<Record<string, unknown>>

/** Days of the middles between the least and the greatest instants. Bounds of the log may be wider than the rows. */
function daysOf(stats: string | null | undefined): SqlFile['days'] {
  const { minValues, maxValues } = JSON.parse(stats ?? '{}') as Readonly<Record<string, Bounds | undefined>>
  const dayIn = (bounds: Bounds = {}) => {
    const [start, end] = [bounds.start_period, bounds.end_period].map((bound) => readInstant(String(bound)))
    return start === undefined || end === undefined ? undefined : dateOf(dayOf((start + end) / 2n))
  }
  const [first, last] = [dayIn(minValues), dayIn(maxValues)]
  return first === undefined || last === undefined ? undefined : [first, last]
}

export function filesOfTable(
  { tables }: SnapshotFiles,
  { name }: Pick<Resource, 'name'>,
): readonly SqlFile[] {
  return tables[name] ?? []
}
