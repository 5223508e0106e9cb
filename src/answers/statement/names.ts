import { l1Gateways } from '../../catalog/l1/gateways.ts'
import { hotspots } from '../../catalog/l2/hotspots.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import type { Resource } from '../../catalog/resource.ts'
import { mapRows, type ReadCell, type StatementRead, textOrNull } from './statement-read.ts'

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
  const namesIn = (resource: Resource, key: string, searchKeys: readonly string[]) =>
    readNames(read, resource, key, lookupsOf(key, searchKeys))
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

/** Returns the filters that find keys: one for each of a few, all rows for many. */
export function lookupsOf(column: string, keys: readonly string[]): readonly Filters[] {
  return keys.length > MOST_LOOKED_UP ? [{}] : keys.map((key) => ({ [column]: key }))
}

const readNames = (read: StatementRead, resource: Resource, key: string, lookups: readonly Filters[]) =>
  rowsByKey(read, resource, key, lookups, ['name'], (cell) => textOrNull(cell('name')))

/** Reads values of rows by key. The first row of a key counts. */
export async function rowsByKey<T>(
  read: StatementRead,
  resource: Resource,
  key: string,
  lookups: readonly Filters[],
  columns: readonly string[],
  map: (cell: ReadCell) => T,
): Promise<ReadonlyMap<string, T>> {
  const values = new Map<string, T>()
  for (const filters of lookups) {
    const rows = mapRows(
      read,
      resource,
      filters,
      [key, ...columns],
      (cell) => [String(cell(key)), map(cell)] as const,
    )
    for await (const batch of rows)
      for (const [name, value] of batch) if (!values.has(name)) values.set(name, value)
  }
  return values
}
