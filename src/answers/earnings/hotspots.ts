import { fail } from '../../base/errors.ts'
import { holdersOf } from '../../catalog/identities.ts'
import { hotspots } from '../../catalog/l2/hotspots.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import { lookupsOf, namesOfKeys, rowsByKey } from '../statement/names.ts'
import { type StatementRead, textOrNull } from '../statement/statement-read.ts'
import type { Unknown } from '../unknown/unknown.ts'

/** An owner, or keys and names of hotspots. */
export interface EarningsHolder {
  /** In the spelling of either ledger. */
  readonly owner?: string | undefined
  readonly texts?: readonly string[] | undefined
}

export interface EarningHotspot {
  readonly key: string
  readonly name: string | null
  /** Networks that it serves, by the hotspots table. */
  readonly networks: readonly string[]
}

/**
 * Finds hotspots by owner, or by key or name, in the order of their names. Keys without a record are included.
 * Errors: `not_found` for an owner without hotspots, `malformed_request` for a name of several hotspots.
 */
export async function hotspotsOf(
  read: StatementRead,
  { owner, texts = [] }: EarningsHolder,
): Promise<readonly EarningHotspot[]> {
  const { repository, at, reach, signal } = read
  if (owner !== undefined) {
    const owned = [...(await readHotspots(read, [{ owner }])).values()]
    if (owned.length > 0) return owned.sort(byName)
    return fail(
      'not_found',
      `Owner not found: no hotspot of snapshot ${at.id} has the owner ${owner}. Check the address; for hotspots that were sold, give their keys.`,
    )
  }
  const { keys, ambiguous } = await repository.named(texts, reach, at, signal)
  if (ambiguous.length > 0) fail('malformed_request', `${ambiguous.join('. ')}.`)
  const wanted = [...new Set(texts.map((text) => keys.get(text) ?? text))]
  const records = await readHotspots(read, lookupsOf('ecc_key', wanted))
  const unrecorded = wanted.filter((key) => !records.has(key))
  const names = await namesOfKeys(read, unrecorded)
  return wanted
    .map((key) => records.get(key) ?? { key, name: names.get(key) ?? null, networks: [] })
    .sort(byName)
}

const readHotspots = (read: StatementRead, lookups: readonly Filters[]) =>
  rowsByKey(
    read,
    hotspots,
    'ecc_key',
    lookups,
    ['name', 'networks'],
    (cell): EarningHotspot => ({
      key: String(cell('ecc_key')),
      name: textOrNull(cell('name')),
      networks: networksOf(cell('networks')),
    }),
  )

const networksOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

/** Hotspots without a name come last. */
function byName(a: EarningHotspot, b: EarningHotspot): number {
  if (a.name === b.name) return a.key < b.key ? -1 : 1
  if (a.name === null || b.name === null) return a.name === null ? 1 : -1
  return a.name < b.name ? -1 : 1
}

/** Finds the keys that no readable row has. */
export async function unknownAmong(
  { repository, at, reach, signal }: StatementRead,
  keys: readonly string[],
): Promise<Unknown> {
  if (keys.length === 0) return {}
  const identified = { param: 'hotspot_key', values: keys, holders: holdersOf(hotspots, 'ecc_key') }
  return await repository.unknown.read([identified], reach, at, signal)
}
