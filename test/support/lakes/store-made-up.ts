import type { Resource, Row } from '../../../src/catalog/resource.ts'
import { storeRows } from '../../../src/write/ingest/commit/store-rows.ts'
import { SourceStatistics } from '../../../src/write/ingest/decode/source-statistics.ts'
import { BATCH_ROWS, emptyBatch } from '../../../src/write/ports/row-batch.ts'
import { withStore } from '../../../src/write/store/store.ts'
import { openTestWriter } from '../open-test-writer.ts'

/** Commits made-up rows of one variant to a table, each list under the name of a source; ordinals are their places in it. */
export async function storeMadeUp(
  lake: string,
  resource: Resource,
  sources: Readonly<Record<string, readonly Row[]>>,
  variant: string | null = null,
): Promise<void> {
  const known = ['source_file', ...(variant === null ? [] : [resource.variants?.on])]
  const columns = Object.keys(resource.columns).filter((name) => !known.includes(name))
  const batch = emptyBatch(variant, columns)
  await withStore({ lake, openWriter: openTestWriter }, async (store) => {
    const stage = await store.writer.openStage(resource, [batch])
    const decoded = Object.entries(sources).map(([name, rows], index) => {
      const statistics = new SourceStatistics(resource, columns, [batch])
      batch.source = index
      for (const [ordinal, row] of rows.entries()) {
        const values = columns.map((column) =>
          column === 'ordinal' ? BigInt(ordinal) : (row[column] ?? null),
        )
        statistics.add(values, variant)
        for (const [slot, value] of values.entries()) {
          const list = batch.data[slot]
          if (list !== undefined) list[batch.size] = value
        }
        batch.size += 1
        if (batch.size === BATCH_ROWS || ordinal === rows.length - 1) {
          stage.append(batch)
          batch.size = 0
        }
      }
      const source = { kind: resource.name, name, sha256: Buffer.from(name).toString('hex').padEnd(64, '0') }
      const artifact = {
        path: name,
        name,
        kind: 'iot_reward_share',
        network: undefined,
        createdMs: 0,
        bytes: 0,
      }
      return { artifact, source, index, statistics, refused: [], replaces: false } as never
    })
    await storeRows(store, resource, stage, decoded)
    await stage.drop()
  })
}
