import type { hotspots } from '../catalog/l2/hotspots.ts'
import type { RowOf } from '../catalog/resource.ts'
import type { SeriesRequest } from '../derive/series-parameters.ts'

type HotspotRow = Pick<RowOf<typeof hotspots>, 'ecc_key' | 'owner' | 'maker_id'>

/** Columns that owners and makers follow from. */
export const ownerColumns = ['ecc_key', 'owner', 'maker_id'] as const

/** Whom hotspots belong to now, and who made them; of several of one key the first in the list counts. */
export class HotspotOwners {
  readonly #byKey = new Map<string, HotspotRow>()

  constructor(rows: readonly HotspotRow[]) {
    for (const row of rows) if (!this.#byKey.has(row.ecc_key)) this.#byKey.set(row.ecc_key, row)
  }

  ownerOf(key: string): string | null {
    return this.#byKey.get(key)?.owner ?? null
  }

  makerOf(key: string): string | null {
    return this.#byKey.get(key)?.maker_id ?? null
  }

  /** The keys that a request is about. */
  keysOf({ owner, makerId, hotspotKeys }: SeriesRequest): readonly string[] {
    const isMeant = (row: HotspotRow | undefined) =>
      (owner === undefined || row?.owner === owner) && (makerId === undefined || row?.maker_id === makerId)
    const keys = hotspotKeys === undefined ? this.#byKey.keys() : new Set(hotspotKeys)
    return [...keys].filter((key) => isMeant(this.#byKey.get(key)))
  }
}
