import { hotspots } from '../catalog/l2/hotspots.ts'
import { groupedBy, type Resource } from '../catalog/resource.ts'
import { calendarOf } from '../derive/calendar.ts'
import type { Filters } from '../derive/filter-values.ts'
import type { SeriesRequest } from '../derive/series-parameters.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import { groupRangeOf } from '../query/group-range.ts'
import { toCountPlan } from '../query/to-plan.ts'
import type { Answerers } from './choose.ts'
import { HotspotOwners, ownerColumns } from './hotspot-owners.ts'
import type { ReadManifests } from './manifests.ts'
import type { OffloadedBytes } from './offloaded-bytes.ts'
import { type Once, onceFor } from './once.ts'
import { engineCells, whereKeys } from './series-engine.ts'
import { Epochs, paidIn } from './series-epochs.ts'
import { type Cell, foldCells, rankRows, type SeriesRow } from './series-fold.ts'
import { earnedByKeys, keysByGroup, keysOfGreatest } from './series-groups.ts'
import { earnedInIndex, indexCells } from './series-index.ts'
import { ledgerSeries } from './series-ledger.ts'
import { type GroupOf, logCells } from './series-log.ts'

/** Sums by day, week or month. */
export interface Series {
  readonly rows: readonly SeriesRow[]
  /** How many hotspots it is about; undefined for the whole network. */
  readonly hotspots: number | undefined
}

/** A series of which it is decided who answers; nothing is read yet. */
interface AskedSeries {
  readonly by: 'log' | 'hotspot-index' | 'engine'
  /** The series if nothing has to be waited for, otherwise undefined. */
  known(): Series | undefined
  read(signal?: AbortSignal): Promise<Series>
}

export type AskSeries = (
  resource: Resource,
  filters: Filters,
  request: SeriesRequest,
  at: Snapshot,
) => AskedSeries

interface SeriesParts extends Answerers {
  readonly offloaded: OffloadedBytes
  readonly manifests: ReadManifests
}

/** Whether rows of a type have the key of a hotspot. */
function paysHotspots({ variants, keyed = '' }: Resource, type: string): boolean {
  return Object.values(variants?.cases[type] ?? {}).includes(keyed)
}

/** Opens the series of all tables that declare one. */
export function openSeries(parts: SeriesParts): AskSeries {
  const { engine, index, offloaded, manifests: manifestsAt } = parts
  const epochs = new Epochs(engine)
  const ownersAt: Once<HotspotOwners> = onceFor(
    engine,
    hotspots,
    (rows) => new HotspotOwners(rows),
    ownerColumns,
  )

  return (resource, filters, request, at) => {
    if (resource.statistics === undefined) {
      const rows = (signal?: AbortSignal) => ledgerSeries(engine, resource, filters, request, at, signal)
      const read = async (signal?: AbortSignal) => ({ rows: await rows(signal), hotspots: undefined })
      return { by: 'engine', known: () => undefined, read }
    }
    const { groupBy, owner, makerId, hotspotKeys, interval, tz, limit } = request
    const { type } = groupedBy(resource)
    const plan = toCountPlan(resource, filters)
    const range = groupRangeOf(plan)
    const column = groupBy === null ? undefined : resource.series?.groupBy[groupBy]
    const isOfSome = owner !== undefined || makerId !== undefined || hotspotKeys !== undefined
    const isKeyed = column !== undefined && column === resource.keyed
    const isLogged = column === undefined || column === type || column === 'source_file'
    // A column that neither the log nor the hotspot index divides by.
    const engineColumn = isLogged || isKeyed ? undefined : column
    const table = at.table(resource)
    const isIndexed = range !== undefined && engineColumn === undefined && index.knows(table, range)
    const by =
      isLogged && !isOfSome && range !== undefined
        ? 'log'
        : isIndexed && isOfSome
          ? 'hotspot-index'
          : 'engine'

    /** Undefined while the start of an epoch is not known. */
    function seriesOf(cells: readonly Cell[], count: number | undefined): Series | undefined {
      const manifests = manifestsAt.known(at)
      if (manifests === undefined || epochs.missing(table, manifests, cells).length > 0) return undefined
      const rows = foldCells(resource, cells, epochs.factsOf(table, manifests, calendarOf(tz, interval)))
      const named = groupBy === 'token' ? rows.map((row) => ({ ...row, group: row.token })) : rows
      return { rows: rankRows(named, limit), hotspots: count }
    }

    async function seriesLater(cells: readonly Cell[], count: number | undefined, signal?: AbortSignal) {
      const manifests = await manifestsAt(at, signal)
      await epochs.read(resource, epochs.missing(table, manifests, cells), at, signal)
      const series = seriesOf(cells, count)
      if (series === undefined) throw new Error(`an epoch of ${resource.name} has no start`)
      return series
    }

    const fromLog = () => range && logCells(offloaded, resource, range, at, typeOf)

    const typeColumn = column === type ? type : undefined
    const typeOf: GroupOf = (group) => (column === type ? group.type : null)

    /** What no hotspot was paid. */
    async function unkeyed(signal: AbortSignal | undefined): Promise<readonly Cell[]> {
      const counted: GroupOf = (group) => (paysHotspots(resource, group.type) ? null : group.type)
      const found = () => range && logCells(offloaded, resource, range, at, () => null, counted)
      if (found() === undefined) await offloaded.build(at, { signal })
      return found() ?? []
    }

    return {
      by,
      known() {
        const cells = by === 'log' ? fromLog() : undefined
        return cells && seriesOf(cells, undefined)
      },
      async read(signal) {
        if (by === 'log') {
          await manifestsAt(at, signal)
          if (fromLog() === undefined) await offloaded.build(at, { signal })
          return await seriesLater(fromLog() ?? [], undefined, signal)
        }
        const manifests = await manifestsAt(at, signal)
        const { prices } = manifests
        const isByOwner = groupBy === 'owner' || groupBy === 'maker'
        const needsOwners = isByOwner || owner !== undefined || makerId !== undefined
        const owners = needsOwners ? await ownersAt(at, signal) : new HotspotOwners([])
        const keys = isOfSome ? owners.keysOf(request) : undefined
        const groupOf = (key: string) =>
          groupBy === 'owner' ? owners.ownerOf(key) : groupBy === 'maker' ? owners.makerOf(key) : key

        /** Cells of some keys, in the groups that the log knows, or all in one. */
        async function cellsOf(some: readonly string[], group: GroupOf): Promise<readonly Cell[]> {
          const found =
            isIndexed && range !== undefined
              ? await indexCells(index, { table, range, prices }, some, group, signal)
              : undefined
          if (found !== undefined || some.length === 0) return found ?? []
          const where = [...plan.where, ...whereKeys(resource, some)]
          const own = await engineCells(engine, { resource, where, prices }, type, at, signal)
          return own.map((cell) => ({ ...cell, group: group({ type: cell.group ?? '' }) }))
        }

        if (!isKeyed) {
          if (keys !== undefined && engineColumn === undefined)
            return await seriesLater(await cellsOf(keys, typeOf), keys.length, signal)
          const where = [...plan.where, ...whereKeys(resource, keys)]
          const own = await engineCells(
            engine,
            { resource, where, prices },
            engineColumn ?? typeColumn,
            at,
            signal,
          )
          return await seriesLater(own, keys?.length, signal)
        }

        let groups = keysByGroup(keys ?? [], groupOf)
        if (keys === undefined || groups.size > limit) {
          const tokenOf = (source: string) => paidIn(manifests.rowOf(source)).token
          const most = groupBy === 'hotspot' ? limit : undefined
          const earned =
            (keys !== undefined && isIndexed && range !== undefined
              ? await earnedInIndex(index, { table, range, prices }, keys, tokenOf, signal)
              : undefined) ??
            (await earnedByKeys(
              engine,
              { resource, where: plan.where, tokenOf, keys, limit: most },
              at,
              signal,
            ))
          groups = keysOfGreatest(earned, groupOf, limit)
        }
        const cells: Cell[] = []
        for (const [group, some] of groups) cells.push(...(await cellsOf(some, () => group)))
        if (keys === undefined) cells.push(...(await unkeyed(signal)))
        return await seriesLater(cells, keys?.length, signal)
      },
    }
  }
}
