import { stat } from 'node:fs/promises'
import { fail, ServiceError } from '../../base/errors.ts'
import type { Resource } from '../../catalog/resource.ts'
import { resources } from '../../catalog/resources.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import { openLake } from '../../lake/snapshot/lake.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { CompactionWriter } from '../ports/compaction-writer.ts'
import type { Amendment, StagedFile } from '../store/amend-table.ts'
import { commitAmendment, type Store, type StoreRequest, withStore } from '../store/store.ts'
import { mergePartition } from './merge-partition.ts'
import { readFooter } from './read-footer.ts'
import {
  hasMonths,
  partitionsOf,
  type ScatteredPartition,
  scatteredPartitions,
} from './scattered-partitions.ts'

export interface CompactRequest extends StoreRequest<CompactionWriter> {
  /** Months as `YYYY-MM`, the newest included. Default: every partition before the newest of its table. */
  readonly months?: readonly string[] | undefined
  /** Called for each table once it is committed. */
  readonly onTable?: (partitions: readonly CompactedPartition[]) => void
}

/** Result of compacting one partition. */
export interface CompactedPartition {
  readonly table: string
  readonly partition: string
  readonly rows: number
  readonly filesBefore: number
  readonly filesAfter: number
  readonly bytesBefore: number
  readonly bytesAfter: number
}

/**
 * Rewrites scattered partitions into few files, in one commit per table. Rows, ids and responses stay the same, and
 * old files stay for older snapshots. A damaged table is skipped and reported at the end.
 * Errors: `not_ready` without a lake, `malformed_request` for unknown months, `lake_damaged`, `lake_unwritable`,
 * `commit_conflict`, `internal` when the written rows differ.
 */
export async function compact(request: CompactRequest): Promise<readonly CompactedPartition[]> {
  const lake = await openLake(request.lake)
  refuseUnknownMonths(await lake.latest(), request.months ?? [])
  return await withStore(request, async (store) => {
    const compacted: CompactedPartition[] = []
    let damage: unknown
    for (const resource of resources) {
      try {
        const partitions = await compactTable(store, resource, request.months)
        if (partitions.length > 0) request.onTable?.(partitions)
        compacted.push(...partitions)
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'lake_damaged') throw error
        damage ??= error
      }
    }
    if (damage !== undefined) throw damage
    return compacted
  })
}

function refuseUnknownMonths(at: Snapshot, months: readonly string[]): void {
  const monthsInLake = partitionsOf(
    at.tables.flatMap((table) => (hasMonths(table.resource) ? table.files : [])),
  )
  const unknown = months.find((month) => !monthsInLake.includes(month))
  if (unknown === undefined) return
  const accepted =
    monthsInLake.length === 0 ? 'the lake has no month yet' : `the lake has ${monthsInLake.join(', ')}`
  fail('malformed_request', `--month is ${unknown}; ${accepted}.`)
}

/** Retries from the newest version after a concurrent commit; files merged before are reused. */
async function compactTable(
  store: Store<CompactionWriter>,
  resource: Resource,
  months: readonly string[] | undefined,
): Promise<readonly CompactedPartition[]> {
  const written = new Map<string, readonly StagedFile[]>()
  let compacted: readonly CompactedPartition[] = []

  async function stage(scattered: ScatteredPartition): Promise<readonly StagedFile[]> {
    // Names of data files are never reused.
    const key = scattered.files.map((file) => file.path).join('\n')
    const staged = written.get(key) ?? (await mergePartition(store, resource, scattered))
    written.set(key, staged)
    return staged
  }

  async function amend(table: TableSnapshot): Promise<Amendment> {
    const stale: DataFile[] = []
    const staged: StagedFile[] = []
    const described: CompactedPartition[] = []
    const footerOf = <T>(file: DataFile, read: (path: string) => Promise<T>) => readFooter(store, file, read)
    for (const scattered of await scatteredPartitions(table, months, store.writer, footerOf)) {
      const stagedFiles = await stage(scattered)
      stale.push(...scattered.files)
      staged.push(...stagedFiles)
      described.push(await describe(resource, scattered, stagedFiles))
    }
    compacted = described
    return { stale, staged, dataChange: false }
  }

  await commitAmendment(store, resource, 'OPTIMIZE', amend, true)
  return compacted
}

async function describe(
  { name }: Resource,
  { partition, files }: ScatteredPartition,
  staged: readonly StagedFile[],
): Promise<CompactedPartition> {
  let bytesAfter = 0
  for (const { path } of staged) bytesAfter += (await stat(path)).size
  return {
    table: name,
    partition,
    rows: files.reduce((sum, file) => sum + file.rows, 0),
    filesBefore: files.length,
    filesAfter: staged.length,
    bytesBefore: files.reduce((sum, file) => sum + file.bytes, 0),
    bytesAfter,
  }
}
