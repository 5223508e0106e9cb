import { runInSlices } from '../../base/slices.ts'
import type { SeriesMedian } from '../../catalog/records/series-record.ts'
import type { Earned } from '../../index/keyed/list-earned.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { HotspotOwners } from '../records/hotspot-owners.ts'
import type { SumParts } from '../totals/totals.ts'
import type { Reading, SeriesCells } from './series-cells.ts'
import { paidIn } from './series-epochs.ts'
import { earnedByKeys, keysByGroup, keysOfGreatest } from './series-groups.ts'
import { earnedInIndex } from './series-index.ts'
import { mediansOf, partsOfGreatest } from './series-medians.ts'
import type { SeriesPlan } from './series-plan.ts'

interface KeyedRequest extends Reading {
  readonly plan: SeriesPlan
  readonly cells: SeriesCells
  /** Undefined for the whole network. */
  readonly keys: readonly string[] | undefined
  readonly owners: HotspotOwners
  readonly at: Snapshot
}

/**
 * Ranks hotspots, owners or makers by earnings, then adds the cells of the greatest. Returns the medians if
 * requested.
 */
export async function addKeyedCells(
  parts: SumParts,
  request: KeyedRequest,
): Promise<readonly SeriesMedian[] | undefined> {
  const { plan, cells, keys, owners, signal } = request
  const { groupBy, limit, median } = plan.request
  const groupOf = (key: string) =>
    groupBy === 'owner' ? owners.ownerOf(key) : groupBy === 'maker' ? owners.makerOf(key) : key
  let groups = await runInSlices(keysByGroup(keys ?? [], groupOf), signal)
  const isCut = keys === undefined || groups.size > limit
  const earned = isCut || median ? await earnedOf(parts, request) : []
  // Ranking every hotspot of a network would block other requests for a second.
  const ranked = median ? partsOfGreatest(earned, limit) : earned
  if (isCut) groups = await runInSlices(keysOfGreatest(ranked, groupOf, limit), signal)
  // The index reads key by key; the engine reads the same files for one key or many.
  const alone = plan.isIndexed
    ? []
    : [...groups.values()].flatMap((members) => (members.length === 1 ? members : []))
  if (alone.length > 0) await cells.addByColumn(alone, request, (key) => (key === null ? null : groupOf(key)))
  for (const [group, members] of groups)
    if (plan.isIndexed || members.length > 1) await cells.addKeys(members, () => group, request)
  if (keys === undefined) await cells.addUnkeyed(request)
  return median ? mediansOf(earned) : undefined
}

/** Earnings of all hotspots, or at least of the greatest if each hotspot is a group. */
async function earnedOf(
  { engine, index }: SumParts,
  { plan, keys, manifests, at, signal }: KeyedRequest,
): Promise<readonly Earned[]> {
  const { resource, where, table, range, isIndexed, request } = plan
  const tokenOf = (source: string) => paidIn(manifests.rowOf(source)).token
  const limit = request.groupBy === 'hotspot' && !request.median ? request.limit : undefined
  if (range !== undefined) {
    const request = { table, range, prices: manifests.prices }
    const ofSome = (keyBatch: readonly string[]) =>
      isIndexed ? earnedInIndex(index, request, keyBatch, tokenOf, signal) : undefined
    const earned = await (keys === undefined
      ? index.earned(table, range, tokenOf, limit, signal)
      : ofSome(keys))
    if (earned !== undefined) return earned
  }
  return await earnedByKeys(engine, { resource, where, tokenOf, keys, limit }, at, signal)
}
