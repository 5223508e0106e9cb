import { rejects } from '../../../catalog/lake/rejects.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { sourceKey } from '../../../lake/facts/source.ts'
import { readNewestTable, type TableSnapshot } from '../../../lake/snapshot/snapshot.ts'
import type { IngestWriter } from '../../ports/ingest-writer.ts'
import { BATCH_ROWS, emptyBatch } from '../../ports/row-batch.ts'
import type { Store } from '../../store/store.ts'
import { decodedColumns } from '../../wire/row-decoder.ts'
import type { DecodedArtifact } from '../decode/decode-artifact.ts'
import { SourceStatistics } from '../decode/source-statistics.ts'
import { storeRows } from './store-rows.ts'

/**
 * Commits the refused messages of decoded artifacts, before their rows. Rejects of sources that were never committed
 * are harmless: only committed sources count.
 */
export async function storeRejects(
  store: Store<IngestWriter>,
  resource: Resource,
  decoded: readonly DecodedArtifact[],
): Promise<void> {
  const table = await readNewestTable(store.lake, resource)
  const storedRejects = await readNewestTable(store.lake, rejects)
  const holds = ({ sources }: TableSnapshot, { source }: DecodedArtifact) =>
    sources.get(sourceKey(source))?.sha256 === source.sha256
  // An interrupted run may have committed rejects of the same bytes with an older decoder.
  const withRefused = decoded.filter(
    (item) =>
      (item.replaces === 'same' || !holds(table, item)) &&
      (item.refused.length > 0 || holds(storedRejects, item)),
  )
  if (withRefused.length === 0) return
  const columns = decodedColumns(rejects)
  const batch = emptyBatch(null, columns)
  const stage = await store.writer.openStage(rejects, [batch])
  const rejected = withRefused.map((item): DecodedArtifact => {
    const statistics = new SourceStatistics(rejects, columns, [batch])
    for (const { ordinal, reason, message } of item.refused) {
      const row = { source_kind: item.source.kind, ordinal, reason, message }
      const values = columns.map((column) => row[column as keyof typeof row])
      statistics.add(values, null)
      batch.source = item.index
      for (const [slot, value] of values.entries()) batch.data[slot]?.splice(batch.size, 1, value)
      batch.size += 1
      if (batch.size === BATCH_ROWS) handOver()
    }
    handOver()
    // These rejects replace those of earlier runs.
    return { ...item, statistics, refused: [], retried: [], replaces: true }
  })
  await storeRows(store, rejects, stage, rejected)
  await stage.drop()

  function handOver(): void {
    if (batch.size > 0) stage.append(batch)
    batch.size = 0
  }
}
