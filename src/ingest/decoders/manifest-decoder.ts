import type { Value } from '../../catalog/column.ts'
import { rewardManifests } from '../../catalog/l2/reward-manifests.ts'
import { decodeRewardManifest } from '../../wire/messages/reward-manifest.ts'
import { decodedColumns, type MessageOrigin, type RowDecoder } from './row-decoder.ts'

/**
 * Manifests of both networks have the same file names, so the network of what was read last
 * is part of the kind under which the artifact is remembered.
 */
export function manifestDecoder(): RowDecoder {
  const columns = decodedColumns(rewardManifests)
  const values: Value[] = columns.map(() => null)
  let network: { readonly of: MessageOrigin; readonly name: string } | undefined
  return {
    resource: rewardManifests,
    columns,
    values,
    decode(reader, end, origin) {
      values.fill(null)
      const row: Readonly<Record<string, Value>> = decodeRewardManifest(reader, end, origin.network)
      for (const [slot, column] of columns.entries()) values[slot] = row[column] ?? null
      network = { of: origin, name: String(row.reward_type) }
      return null
    },
    sourceKind(origin) {
      const said = network?.of === origin ? network.name : undefined
      return `${said ?? origin.network ?? 'network'}_reward_manifest`
    },
  }
}
