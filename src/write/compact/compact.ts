import { stat } from 'node:fs/promises'
import { fail, ServiceError } from '../../base/errors.ts'
import type { Resource } from '../../catalog/resource.ts'
import { resources } from '../../catalog/resources.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import type { CompactionWriter } from '../../lake/ports/compaction-writer.ts'
import { openLake } from '../../lake/snapshot/lake.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { Amendment, StagedFile } from '../store/amend-table.ts'
import { amendIn, type Store, type StoreRequest, usingStore } from '../store/store.ts'
import { hasMonths, partitionsOf, type ScatteredPartition, scatteredPartitions } from './closed-partitions.ts'
import { mergePartition } from './merge-partition.ts'
import { readFooter } from './read-footer.ts'

export interface CompactRequest extends StoreRequest<CompactionWriter> {
  /** `YYYY-MM`, of every table of months, the newest too; unless given, every partition before the newest of its table. */
  readonly months?: readonly string[] | undefined
  /** Called for each table once it is committed. */
  readonly onTable?: (partitions: readonly CompactedPartition[]) => void
}

/** What became of one partition. */
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
 * Makes few files of closed partitions that lie in many, in one commit a table. No row, id or answer changes, and the old
 * files stay for whoever reads an older version. A damaged table is left as it is, and told once the others are done.
 * Errors: `not_ready` when there is no lake, `malformed_request` for months that no table has, `lake_damaged`,
 * `lake_unwritable`, `commit_conflict`, `internal` when what is read back is not what went in.
 */
export async function compact(request: CompactRequest): Promise<readonly CompactedPartition[]> {
  const lake = await openLake(request.lake)
  refuseUnknownMonths(await lake.latest(), request.months ?? [])
  return await usingStore(request, async (store) => {
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
  const known = partitionsOf(at.tables.flatMap((table) => (hasMonths(table.resource) ? table.files : [])))
  const unknown = months.find((month) => !known.includes(month))
  if (unknown === undefined) return
  const accepted = known.length === 0 ? 'the lake has no month yet' : `the lake has ${known.join(', ')}`
  fail('malformed_request', `--month is ${unknown}; ${accepted}.`)
}

/** Decided anew from the newest version when another commit came first; what was written of the same files is kept. */
async function compactTable(
  store: Store<CompactionWriter>,
  resource: Resource,
  months: readonly string[] | undefined,
): Promise<readonly CompactedPartition[]> {
  const written = new Map<string, readonly StagedFile[]>()
  let compacted: readonly CompactedPartition[] = []

  async function stage(scattered: ScatteredPartition): Promise<readonly StagedFile[]> {
    // The name of a data file is never used again.
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
      const own = await stage(scattered)
      stale.push(...scattered.files)
      staged.push(...own)
      described.push(await describe(resource, scattered, own))
    }
    compacted = described
    return { stale, staged, dataChange: false }
  }

  await amendIn(store, resource, 'OPTIMIZE', amend, true)
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
