import { hotspots } from '../catalog/l2/hotspots.ts'
import type { Resource } from '../catalog/resource.ts'
import { calendarOf } from '../derive/calendar.ts'
import type { Filters } from '../derive/filter-values.ts'
import { hasOwners, type SeriesRequest } from '../derive/series-parameters.ts'
import type { SeriesMedian } from '../derive/series-record.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import { HotspotOwners, ownerColumns } from './hotspot-owners.ts'
import type { ManifestIndex } from './manifests.ts'
import { type Once, onceFor } from './once.ts'
import { SeriesCells, type SeriesParts } from './series-cells.ts'
import { type Epochs, endFacts } from './series-epochs.ts'
import { type Cell, foldCells, rankRows, type SeriesRow } from './series-fold.ts'
import { type KeyedCells, keyedCells } from './series-keyed.ts'
import { ledgerSeries } from './series-ledger.ts'
import { planSeries, type SeriesPlan } from './series-plan.ts'

/** Sums by day, week or month. */
export interface Series {
  readonly rows: readonly SeriesRow[]
  /** How many hotspots it is about; undefined for the whole network. */
  readonly hotspots: number | undefined
  /** By token; undefined unless they are asked for. */
  readonly medians?: readonly SeriesMedian[] | undefined
}

/** A series of which it is decided who answers; nothing is read yet. */
interface AskedSeries {
  readonly by: SeriesPlan['by']
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

const noOwners = new HotspotOwners([])

/** Opens the series of all tables that declare one. */
export function openSeries(parts: SeriesParts, epochs: Epochs): AskSeries {
  const { engine, manifests: manifestsAt } = parts
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
    const plan = planSeries(resource, filters, request, at, parts)
    const { table } = plan
    const cells = new SeriesCells(parts, plan, at)
    const calendar = calendarOf(request.tz, request.interval)

    /** The cells whose epochs begin at a time that has to be read first. */
    const unplaced = (found: readonly Cell[], manifests: ManifestIndex) =>
      request.asHosted ? [] : epochs.missing(table, manifests, found)

    /** Undefined while the start of an epoch is not known. */
    function seriesOf(found: readonly Cell[], count: number | undefined): Series | undefined {
      const manifests = manifestsAt.known(at)
      if (manifests === undefined || unplaced(found, manifests).length > 0) return undefined
      const factsOf = request.asHosted ? endFacts(calendar) : epochs.factsOf(table, manifests, calendar)
      const rows = foldCells(resource, found, factsOf)
      const named = request.groupBy === 'token' ? rows.map((row) => ({ ...row, group: row.token })) : rows
      return { rows: rankRows(named, request.limit), hotspots: count }
    }

    async function cellsOf(
      owners: HotspotOwners,
      keys: readonly string[] | undefined,
      manifests: ManifestIndex,
      signal?: AbortSignal,
    ): Promise<KeyedCells> {
      if (plan.by === 'log') return { cells: await cells.loggedLater(signal) }
      if (plan.divides === 'keyed')
        return await keyedCells(parts, { plan, cells, keys, owners, manifests, at, signal })
      const found =
        keys !== undefined && plan.divides === 'logged'
          ? await cells.ofKeys(keys, cells.typeOf, manifests, signal)
          : await cells.byColumn(keys, manifests, signal)
      return { cells: found }
    }

    return {
      by: plan.by,
      known() {
        const found = plan.by === 'log' ? cells.logged() : undefined
        return found && seriesOf(found, undefined)
      },
      async read(signal) {
        const manifests = await manifestsAt(at, signal)
        const owners = hasOwners(request) ? await ownersAt(at, signal) : noOwners
        const keys = plan.isOfSome ? owners.keysOf(request) : undefined
        const { cells: found, medians } = await cellsOf(owners, keys, manifests, signal)
        await epochs.read(resource, unplaced(found, manifests), at, signal)
        const series = seriesOf(found, keys?.length)
        if (series === undefined) throw new Error(`an epoch of ${resource.name} has no start`)
        return { ...series, medians }
      },
    }
  }
}
