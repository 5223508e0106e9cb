import type { JsonObject } from '../../base/values/json-writer.ts'
import type { Holding } from './holdings.ts'
import type { LedgerSums } from './ledger-sums.ts'
import { type TieOut, writeTieOut } from './tie-out.ts'

/** An L1 reward as a statement lists it. */
export interface LedgerPart {
  readonly rows: number
  readonly earned: bigint
  readonly ties: readonly TieOut[]
}

export interface StatedHotspot {
  readonly holding: Holding
  /** Rewards of L2. */
  readonly rows: number
  readonly ties: readonly TieOut[]
  /** Its L1 rewards; undefined if those of an account are stated as a whole. */
  readonly l1: LedgerPart | undefined
}

/** Hotspots of a summary. The first entry of a key has the pay of an account. */
export function hotspotRecords(stated: readonly StatedHotspot[], ledger: LedgerSums): readonly JsonObject[] {
  const counted = new Set<string>()
  return stated.map(({ holding: { key, name, first, last }, rows, ties, l1 }) => {
    const ofAccount = counted.has(key) ? undefined : ledger.ofGateway(key)
    const paid = l1 ?? ofAccount ?? { rows: 0, earned: 0n }
    counted.add(key)
    return {
      ...{ hotspot_key: key, hotspot_name: name, from: first, to: last, rows: rows + paid.rows },
      totals: [...ties, ...(l1?.ties ?? [])].map(writeTieOut),
      earned_on_l1: String(paid.earned),
    }
  })
}
