import type { Steps } from '../../base/slices.ts'
import type { Column } from '../../catalog/column.ts'
import { hotspots } from '../../catalog/l2/hotspots.ts'
import type { SeriesRequest } from '../../catalog/query/series-parameters.ts'
import { spellWallet } from '../../catalog/records/wallet.ts'
import type { RowOf } from '../../catalog/resource.ts'

type HotspotRow = Pick<RowOf<typeof hotspots>, 'ecc_key' | 'owner' | 'maker_id'>

/** Keys per slice of the event loop. */
const KEYS_AT_ONCE = 4096

const ownerColumn: Column = hotspots.columns.owner

export const ownerColumns = ['ecc_key', 'owner', 'maker_id'] as const

/** Current owner and maker of each hotspot; the first row of a key counts. */
export class HotspotOwners {
  readonly #byKey = new Map<string, HotspotRow>()
  readonly #keysByOwner = new Map<string | null, string[]>()

  constructor(rows: readonly HotspotRow[]) {
    for (const row of rows) {
      if (this.#byKey.has(row.ecc_key)) continue
      this.#byKey.set(row.ecc_key, row)
      const keys = this.#keysByOwner.get(row.owner)
      if (keys === undefined) this.#keysByOwner.set(row.owner, [row.ecc_key])
      else keys.push(row.ecc_key)
    }
  }

  ownerOf(key: string): string | null {
    return this.#byKey.get(key)?.owner ?? null
  }

  makerOf(key: string): string | null {
    return this.#byKey.get(key)?.maker_id ?? null
  }

  /** Keys of the hotspots of a request. */
  *keysOf({ owner, makerId, hotspotKeys }: SeriesRequest): Steps<readonly string[]> {
    const wallet = owner && spellWallet(ownerColumn.wallet, owner)
    const isMeant = (row: HotspotRow | undefined) =>
      (owner === undefined || row?.owner === wallet) && (makerId === undefined || row?.maker_id === makerId)
    const ownedKeys = wallet === undefined ? this.#byKey.keys() : (this.#keysByOwner.get(wallet) ?? [])
    const keys = hotspotKeys === undefined ? ownedKeys : new Set(hotspotKeys)
    const meant: string[] = []
    let seen = 0
    for (const key of keys) {
      if (isMeant(this.#byKey.get(key))) meant.push(key)
      seen += 1
      if (seen % KEYS_AT_ONCE === 0) yield
    }
    return meant
  }
}
