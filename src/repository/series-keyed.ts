import type { SeriesMedian } from '../derive/series-record.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { HotspotOwners } from './hotspot-owners.ts'
import type { ManifestIndex } from './manifests.ts'
import type { SeriesCells, SeriesParts } from './series-cells.ts'
import { paidIn } from './series-epochs.ts'
import type { Cell } from './series-fold.ts'
import { earnedByKeys, type KeyEarned, keysByGroup, keysOfGreatest, ofKey } from './series-groups.ts'
import { earnedInIndex } from './series-index.ts'
import { mediansOf, partsOfGreatest } from './series-medians.ts'
import type { SeriesPlan } from './series-plan.ts'

/** What a series of hotspots, owners or makers is read with. */
interface KeyedAsked {
  readonly plan: SeriesPlan
  readonly cells: SeriesCells
  /** Undefined for the whole network. */
  readonly keys: readonly string[] | undefined
  readonly owners: HotspotOwners
  readonly manifests: ManifestIndex
  readonly at: Snapshot
  readonly signal?: AbortSignal | undefined
}

export interface KeyedCells {
  readonly cells: readonly Cell[]
  /** Undefined unless they are asked for. */
  readonly medians?: readonly SeriesMedian[] | undefined
}

/** The cells of the hotspots, owners or makers that earned most: which ones comes first, then only those are read. */
export async function keyedCells(parts: SeriesParts, asked: KeyedAsked): Promise<KeyedCells> {
  const { plan, cells, keys, owners, manifests, signal } = asked
  const { groupBy, limit, median } = plan.request
  const groupOf = (key: string) =>
    groupBy === 'owner' ? owners.ownerOf(key) : groupBy === 'maker' ? owners.makerOf(key) : key
  let groups = keysByGroup(keys ?? [], groupOf)
  const isCut = keys === undefined || groups.size > limit
  const earned = isCut || median ? await earnedOf(parts, asked) : []
  // Ranking every hotspot of a network would hold up other requests for a second.
  const ranked = median ? partsOfGreatest(earned, limit) : earned
  if (isCut) groups = keysOfGreatest(ranked, groupOf, limit)
  // The index reads key by key; the engine reads the same files for one key and for many.
  const alone = plan.isIndexed ? [] : [...groups.values()].flatMap((some) => (some.length === 1 ? some : []))
  const byKey = alone.length === 0 ? [] : await cells.byColumn(alone, manifests, signal)
  const found = byKey.map((cell) => ({ ...cell, group: cell.group === null ? null : groupOf(cell.group) }))
  for (const [group, some] of groups)
    if (plan.isIndexed || some.length > 1)
      found.push(...(await cells.ofKeys(some, () => group, manifests, signal)))
  if (keys === undefined) found.push(...(await cells.unkeyed(signal)))
  return { cells: found, medians: median && mediansOf(earned) }
}

/** What hotspots earned: all of them, or at least those that earned most where each is a group of its own. */
async function earnedOf(
  { engine, index, hotspotSums }: SeriesParts,
  { plan, keys, manifests, at, signal }: KeyedAsked,
): Promise<readonly KeyEarned[]> {
  const { resource, where, table, range, isIndexed, request } = plan
  const tokenOf = (source: string) => paidIn(manifests.rowOf(source)).token
  const limit = request.groupBy === 'hotspot' && !request.median ? request.limit : undefined
  if (range !== undefined) {
    const asked = { table, range, prices: manifests.prices }
    const ofAll = async () => (await hotspotSums.earned(table, range, tokenOf, limit, signal))?.map(ofKey)
    const ofSome = (own: readonly string[]) =>
      isIndexed ? earnedInIndex(index, asked, own, tokenOf, signal) : undefined
    const known = await (keys === undefined ? ofAll() : ofSome(keys))
    if (known !== undefined) return known
  }
  return await earnedByKeys(engine, { resource, where, tokenOf, keys, limit }, at, signal)
}
