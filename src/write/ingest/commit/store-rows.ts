import { fail } from '../../../base/errors.ts'
import { epochOf } from '../../../base/values/epoch-day.ts'
import { rejects } from '../../../catalog/lake/rejects.ts'
import { partitionOf } from '../../../catalog/partition.ts'
import type { Resource } from '../../../catalog/resource.ts'
import type { DataFile } from '../../../lake/facts/data-file.ts'
import { type SourceInFile, sourceKey } from '../../../lake/facts/source.ts'
import type { TableSnapshot } from '../../../lake/snapshot/snapshot.ts'
import type { IngestWriter } from '../../ports/ingest-writer.ts'
import type { Stage } from '../../ports/stage.ts'
import type { Amendment, StagedFile } from '../../store/amend-table.ts'
import { refuseDamaged } from '../../store/refuse-damaged.ts'
import { stageFile, stageParts } from '../../store/stage-files.ts'
import { commitAmendment, type Store } from '../../store/store.ts'
import type { DecodedArtifact } from '../decode/decode-artifact.ts'
import { findHeldSources } from './find-held-sources.ts'

/**
 * Commits the staged rows of decoded artifacts. Returns key and SHA-256 of sources that another program committed
 * meanwhile; these are skipped.
 * Errors: `source_changed`; those of `amendTable`.
 */
export async function storeRows(
  store: Store<IngestWriter>,
  resource: Resource,
  stage: Stage,
  decoded: readonly DecodedArtifact[],
): Promise<ReadonlyMap<string, string>> {
  let heldSources: ReadonlyMap<string, string> = new Map()
  let written: readonly DecodedArtifact[] = []
  let staged: readonly StagedFile[] = []

  async function amend(table: TableSnapshot): Promise<Amendment> {
    heldSources = findHeldSources(table, decoded, resource === rejects)
    const arriving = decoded.filter(({ source }) => !heldSources.has(sourceKey(source)))
    if (arriving.length === 0) return { stale: [], staged: [] }
    const gone = replacedKeys(arriving)
    const stale = table.files.filter((file) => file.sources.some((source) => gone.has(sourceKey(source))))
    const rewritten: StagedFile[] = []
    for (const file of stale) rewritten.push(...(await writeWithout(store, resource, file, gone)))
    if (arriving.some((item, place) => item !== written[place]) || arriving.length !== written.length) {
      staged = await writeFiles(store, table, stage, arriving)
      written = arriving
    }
    return { stale, staged: [...rewritten, ...staged] }
  }

  await commitAmendment(store, resource, 'INGEST', amend)
  return heldSources
}

/** Keys of the sources that the arriving artifacts replace. */
function replacedKeys(arriving: readonly DecodedArtifact[]): ReadonlySet<string> {
  return new Set(
    arriving.flatMap(({ replaces, source, supersedes = [] }) => [
      ...(replaces ? [sourceKey(source)] : []),
      ...supersedes,
    ]),
  )
}

/** Rewrites a live file without some sources; returns no file if it would be empty. */
async function writeWithout(
  store: Store<IngestWriter>,
  resource: Resource,
  file: DataFile,
  gone: ReadonlySet<string>,
): Promise<readonly StagedFile[]> {
  const names = file.sources.filter((source) => gone.has(sourceKey(source))).map(({ name }) => name)
  const sources = file.sources.filter((source) => !gone.has(sourceKey(source)))
  const twin = sources.find(({ name }) => names.includes(name))
  if (twin !== undefined) {
    const sentence = `${file.path} holds ${twin.name} of two kinds, so neither can be replaced alone.`
    fail('source_changed', sentence)
  }
  if (sources.length === 0) return []
  const { partition } = file
  const path = await store.run.newDataFile(resource, partition)
  await refuseDamaged([file], store.remote)
  await store.writer.copyWithout(resource, file, names, path)
  return [await stageFile(store, resource, { path, partition, sources })]
}

/** Writes one verified file per partition. Sources without rows go to the first file. */
async function writeFiles(
  store: Store,
  { resource, files }: TableSnapshot,
  stage: Stage,
  decoded: readonly DecodedArtifact[],
): Promise<readonly StagedFile[]> {
  const partitions = [...new Set(decoded.flatMap((item) => item.statistics.partitions))].sort()
  const first = partitions[0] ?? partitionWithoutRows(resource, decoded)
  const newest = newestEpoch(files.flatMap((file) => file.sources))
  const staged: StagedFile[] = []
  for (const partition of partitions.length === 0 ? [first] : partitions) {
    const inPartition = decoded.filter((item) => item.statistics.partitions.includes(partition))
    const sources = decoded
      .filter((item) => inPartition.includes(item) || (partition === first && item.statistics.rows === 0))
      .map((item) => sourceInFile(item, partition))
      .map((source) => (isLate(source, newest) ? { ...source, late: true as const } : source))
    const path = await store.run.newDataFile(resource, partition)
    await stage.write(path, new Map(inPartition.map((item) => [item.index, item.source.name])), partition)
    staged.push(...(await stageParts(store, resource, { path, partition, sources })))
  }
  return staged
}

function partitionWithoutRows(resource: Resource, decoded: readonly DecodedArtifact[]): string | null {
  return partitionOf(resource, BigInt(decoded[0]?.artifact.createdMs ?? 0) * 1000n)
}

/** Returns the newest epoch with rows, or undefined. */
function newestEpoch(sources: readonly SourceInFile[]): number | undefined {
  let newest: bigint | undefined
  for (const { groups } of sources)
    for (const { period } of groups) if (newest === undefined || period > newest) newest = period
  return newest === undefined ? undefined : epochOf(newest)
}

function isLate(source: SourceInFile, newest: number | undefined): boolean {
  const sourceEpoch = newestEpoch([source])
  return sourceEpoch !== undefined && newest !== undefined && sourceEpoch < newest
}

/** Counts refused messages once, with the first partition of their source. */
function sourceInFile(
  { source, statistics, refused, retried = [] }: DecodedArtifact,
  partition: string | null,
): SourceInFile {
  const isFirst = statistics.rows === 0 || [...statistics.partitions].sort()[0] === partition
  return {
    ...source,
    rows: statistics.rowsIn(partition),
    refused: isFirst ? refused.length : 0,
    ...(isFirst && retried.length > 0 && { retried }),
    groups: statistics.groupsIn(partition),
  }
}
