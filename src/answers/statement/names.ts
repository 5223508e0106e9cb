import { l1Gateways } from '../../catalog/l1/gateways.ts'
import { hotspots } from '../../catalog/l2/hotspots.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import type { Resource } from '../../catalog/resource.ts'
import { mapRows, type StatementRead, textOrNull } from './statement-read.ts'

/** Names of hotspots by key; null if no table has a name. */
export type HotspotNames = ReadonlyMap<string, string | null>

/** Gateway value of rewards without a gateway. */
export const NO_GATEWAY = '1Wh4bh'

/** Limit of keys looked up one by one. */
const MOST_LOOKED_UP = 8

export function namesOfOwner(read: StatementRead, owner: string): Promise<HotspotNames> {
  return readNames(read, hotspots, 'ecc_key', [{ owner }])
}

/** Names of keys, from hotspots or else from L1. A few are looked up, for many the table is read once. */
export async function namesOfKeys(read: StatementRead, keys: readonly string[]): Promise<HotspotNames> {
  const namesIn = (resource: Resource, key: string, searchKeys: readonly string[]) => {
    const lookups = searchKeys.length > MOST_LOOKED_UP ? [{}] : searchKeys.map((value) => ({ [key]: value }))
    return readNames(read, resource, key, lookups)
  }
  const now = await namesIn(hotspots, 'ecc_key', keys)
  const unnamed = keys.filter((key) => (now.get(key) ?? null) === null)
  const before = await namesIn(l1Gateways, 'address', unnamed)
  return new Map(keys.map((key) => [key, now.get(key) ?? before.get(key) ?? null]))
}

/** Names of holdings and of further gateways. */
export async function namesWithGateways(
  read: StatementRead,
  holdings: readonly { readonly key: string; readonly name: string | null }[],
  gateways: ReadonlySet<string>,
): Promise<HotspotNames> {
  const namesByKey = new Map(holdings.map(({ key, name }) => [key, name]))
  const unheldKeys = [...gateways].filter((key) => !namesByKey.has(key) && key !== '' && key !== NO_GATEWAY)
  return new Map([...namesByKey, ...(await namesOfKeys(read, unheldKeys))])
}

/** The first row of a key counts. */
async function readNames(
  read: StatementRead,
  resource: Resource,
  key: string,
  lookups: readonly Filters[],
): Promise<HotspotNames> {
  const names = new Map<string, string | null>()
  for (const filters of lookups) {
    const rows = mapRows(read, resource, filters, [key, 'name'], (cell) => ({
      key: String(cell(key)),
      name: textOrNull(cell('name')),
    }))
    for await (const batch of rows)
      for (const row of batch) if (!names.has(row.key)) names.set(row.key, row.name)
  }
  return names
}
