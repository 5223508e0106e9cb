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
import { Epochs } from './series-epochs.ts'
import { type Cell, foldCells, rankRows, type SeriesRow } from './series-fold.ts'
import { logCells } from './series-log.ts'

/** Sums by day, week or month. */
export interface Series {
  readonly rows: readonly SeriesRow[]
  /** How many hotspots it is about; undefined for the whole network. */
  readonly hotspots: number | undefined
}

/** A series of which it is decided who answers; nothing is read yet. */
export interface AskedSeries {
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

/** Opens the series of all tables that declare one. */
export function openSeries(parts: SeriesParts): AskSeries {
  const { engine, offloaded, manifests: manifestsAt } = parts
  const epochs = new Epochs(engine)
  const ownersAt: Once<HotspotOwners> = onceFor(
    engine,
    hotspots,
    (rows) => new HotspotOwners(rows),
    ownerColumns,
  )

  return (resource, filters, request, at) => {
    const { groupBy, owner, makerId, hotspotKeys, interval, tz, limit } = request
    const { type } = groupedBy(resource)
    const plan = toCountPlan(resource, filters)
    const range = groupRangeOf(plan)
    const column = groupBy === null ? undefined : resource.series?.groupBy[groupBy]
    const isOfSome = owner !== undefined || makerId !== undefined || hotspotKeys !== undefined
    const isLogged = column === undefined || column === type || column === 'source_file'
    const by = isLogged && !isOfSome && range !== undefined ? 'log' : 'engine'
    const table = at.table(resource)

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

    const fromLog = () =>
      range && logCells(offloaded, resource, range, at, (group) => (column === type ? group.type : null))

    return {
      by,
      known() {
        const cells = by === 'log' ? fromLog() : undefined
        return cells && seriesOf(cells, undefined)
      },
      async read(signal) {
        const { prices } = await manifestsAt(at, signal)
        if (by === 'log') {
          if (fromLog() === undefined) await offloaded.build(at, { signal })
          return await seriesLater(fromLog() ?? [], undefined, signal)
        }
        const isByOwner = groupBy === 'owner' || groupBy === 'maker'
        const needsOwners = isByOwner || owner !== undefined || makerId !== undefined
        const owners = needsOwners ? await ownersAt(at, signal) : new HotspotOwners([])
        const keys = isOfSome ? owners.keysOf(request) : undefined
        const where = [...plan.where, ...whereKeys(resource, keys)]
        const own = column === 'source_file' ? undefined : column
        const cells = await engineCells(engine, { resource, where, prices }, own, at, signal)
        const groupOf = (key: string) =>
          groupBy === 'owner' ? owners.ownerOf(key) : groupBy === 'maker' ? owners.makerOf(key) : key
        const grouped = cells.map((cell) => ({
          ...cell,
          group: cell.group === null ? null : groupOf(cell.group),
        }))
        return await seriesLater(grouped, keys?.length, signal)
      },
    }
  }
}
