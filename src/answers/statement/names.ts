import { isSliceOver, nextSlice } from '../../base/slices.ts'
import { l1Gateways } from '../../catalog/l1/gateways.ts'
import { hotspots } from '../../catalog/l2/hotspots.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { valueAt } from '../export/formats/flat-batch.ts'
import type { Repository } from '../repository.ts'
import type { ListBatch } from '../rows/group-rows.ts'

/** Names of hotspots by their keys; null for one that no table names. */
export type HotspotNames = ReadonlyMap<string, string | null>

/** Gateway value of rewards without a gateway. */
export const NO_GATEWAY = '1Wh4bh'

/** Limit of keys looked up one by one. */
const MOST_LOOKED_UP = 8

export function valueIn({ shared, columns }: ListBatch, name: string, row: number) {
  const values = columns[name]
  return (values === undefined ? shared[name] : valueAt(values, row)) ?? null
}

export function namesOfOwner(
  repository: Repository,
  owner: string,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<HotspotNames> {
  return readNames(repository, hotspots, { owner }, 'ecc_key', at, signal)
}

/** Names of keys, from hotspots or else from L1. A few are looked up, for many the table is read once. */
export async function namesOfKeys(
  repository: Repository,
  keys: readonly string[],
  at: Snapshot,
  signal?: AbortSignal,
): Promise<HotspotNames> {
  async function namesIn(
    resource: Resource,
    key: string,
    searchKeys: readonly string[],
  ): Promise<HotspotNames> {
    const lookups = searchKeys.length > MOST_LOOKED_UP ? [{}] : searchKeys.map((value) => ({ [key]: value }))
    const named: (readonly [string, string | null])[] = []
    for (const filters of lookups)
      named.push(...(await readNames(repository, resource, filters, key, at, signal)))
    return new Map(named)
  }
  const now = await namesIn(hotspots, 'ecc_key', keys)
  const unnamed = keys.filter((key) => (now.get(key) ?? null) === null)
  const before = await namesIn(l1Gateways, 'address', unnamed)
  return new Map(keys.map((key) => [key, now.get(key) ?? before.get(key) ?? null]))
}

/** Names of holdings and of further gateways. */
export async function namesWithGateways(
  repository: Repository,
  holdings: readonly { readonly key: string; readonly name: string | null }[],
  gateways: ReadonlySet<string>,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<HotspotNames> {
  const namesByKey = new Map(holdings.map(({ key, name }) => [key, name]))
  const unheldKeys = [...gateways].filter((key) => !namesByKey.has(key) && key !== '' && key !== NO_GATEWAY)
  return new Map([...namesByKey, ...(await namesOfKeys(repository, unheldKeys, at, signal))])
}

async function readNames(
  repository: Repository,
  resource: Resource,
  filters: Filters,
  key: string,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<HotspotNames> {
  const names = new Map<string, string | null>()
  const list = await repository.whole(resource, filters, [key, 'name'], at, signal)
  for await (const batch of list.batches()) {
    if (isSliceOver()) await nextSlice(signal)
    for (let row = 0; row < batch.rows; row += 1) {
      const hotspotKey = String(valueIn(batch, key, row))
      const name = valueIn(batch, 'name', row)
      if (!names.has(hotspotKey)) names.set(hotspotKey, name === null ? null : String(name))
    }
  }
  return names
}
