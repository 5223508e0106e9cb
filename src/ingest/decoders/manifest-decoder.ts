import type { Value } from '../../catalog/column.ts'
import { rewardManifests } from '../../catalog/l2/reward-manifests.ts'
import { decodeRewardManifest } from '../../wire/messages/reward-manifest.ts'
import { decodedColumns, type RowDecoder } from './row-decoder.ts'

/**
 * Manifests of both networks have the same file names, so the network of what was read last
 * is part of the kind under which the artifact is remembered.
 */
export function manifestDecoder(): RowDecoder {
  const columns = decodedColumns(rewardManifests)
  const values: Value[] = columns.map(() => null)
  const networkSlot = columns.indexOf('reward_type')
  return {
    resource: rewardManifests,
    columns,
    values,
    decode(reader, end, artifact) {
      values.fill(null)
      const row: Readonly<Record<string, Value>> = decodeRewardManifest(reader, end, artifact.network)
      for (const [slot, column] of columns.entries()) values[slot] = row[column] ?? null
      return null
    },
    sourceKind: (artifact) => `${values[networkSlot] ?? artifact.network ?? 'network'}_reward_manifest`,
  }
}
