import type { Value } from '../../catalog/column.ts'
import { rewardManifests } from '../../catalog/l2/reward-manifests.ts'
import { decodeRewardManifest } from '../../wire/messages/reward-manifest.ts'
import { decodedColumns, type KindReader, shapesOf } from './row-decoder.ts'

export function manifestReader(): KindReader {
  const columns = decodedColumns(rewardManifests)
  const values: Value[] = columns.map(() => null)
  const decoder: KindReader['decoder'] = {
    resource: rewardManifests,
    columns,
    values,
    networkColumn: 'reward_type',
    decode(reader, end, { network }) {
      values.fill(null)
      const row: Readonly<Record<string, Value>> = decodeRewardManifest(reader, end, network)
      for (const [slot, column] of columns.entries()) values[slot] = row[column] ?? null
      return null
    },
  }
  return { decoder, shapes: shapesOf(rewardManifests) }
}
