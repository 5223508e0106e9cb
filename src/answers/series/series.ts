import { runAtOnce, runInSlices, type Steps } from '../../base/slices.ts'
import { hotspots } from '../../catalog/l2/hotspots.ts'
import { calendarOf } from '../../catalog/query/calendar.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import { hasOwners, type SeriesRequest } from '../../catalog/query/series-parameters.ts'
import type { SeriesMedian } from '../../catalog/records/series-record.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { Estimate } from '../records/estimate.ts'
import { HotspotOwners, ownerColumns } from '../records/hotspot-owners.ts'
import type { ManifestIndex } from '../records/manifests.ts'
import { type Once, onceFor } from '../records/once.ts'
import type { SumParts } from '../totals/totals.ts'
import { type Reading, SeriesCells } from './series-cells.ts'
import { type Epochs, endFacts } from './series-epochs.ts'
import { estimateLedgerSeries, estimateSeries, groupsOf } from './series-estimate.ts'
import { type FactsOf, type SeriesCell, SeriesFold } from './series-fold.ts'
import { addKeyedCells } from './series-keyed.ts'
import { ledgerSeries } from './series-ledger.ts'
import { openGroupNames } from './series-names.ts'
import { planSeries, type SeriesPlan } from './series-plan.ts'
import { rankRows } from './series-rank.ts'
import { SeriesRows } from './series-rows.ts'

/** Sums by day, week or month. */
export interface Series {
  readonly rows: SeriesRows
  /** Number of hotspots; undefined for the whole network. */
  readonly hotspots: number | undefined
  /** Medians by token; undefined unless requested. */
  readonly medians?: readonly SeriesMedian[] | undefined
  /** Some hotspots that have rows; the list may be incomplete. */
  readonly withRows?: ReadonlySet<string>
}

/** A series with its access path chosen. No data has been read. */
export interface SeriesQuery {
  readonly by: SeriesPlan['by']
  /** Estimated work of reading and writing the series, from its plan and the log. */
  estimate(): Estimate
  /** Returns the series if no I/O is needed, otherwise undefined. */
  peek(): Series | undefined
  read(signal?: AbortSignal): Promise<Series>
}

export type AskSeries = (
  resource: Resource,
  filters: Filters,
  request: SeriesRequest,
  at: Snapshot,
) => SeriesQuery

/** Limit of log groups for a synchronous response: some milliseconds. */
const MOST_AT_ONCE = 2000

const noOwners = new HotspotOwners([])

export function openSeries(parts: SumParts, epochs: Epochs): AskSeries {
  const { engine, manifests: manifestsAt } = parts
  const ownersAt: Once<HotspotOwners> = onceFor(
    engine,
    hotspots,
    (rows) => new HotspotOwners(rows),
    ownerColumns,
  )

  const groupNames = openGroupNames(parts)

  return (resource, filters, request, at) => {
    /** Adds the names of hotspots and makers to rows. */
    async function named(rows: SeriesRows, signal?: AbortSignal): Promise<SeriesRows> {
      if (request.groupBy !== 'hotspot' && request.groupBy !== 'maker') return rows
      const groups = await runInSlices(rows.groups(), signal)
      const names = await groupNames(resource, request, groups, at, signal)
      return new SeriesRows(rows.columns, rows.order, names)
    }

    if (resource.statistics === undefined) {
      const rows = (signal?: AbortSignal) => ledgerSeries(engine, resource, filters, request, at, signal)
      const read = async (signal?: AbortSignal) => ({
        rows: await named(await rows(signal), signal),
        hotspots: undefined,
      })
      const estimate = () => estimateLedgerSeries(resource, filters, request, at)
      return { by: 'engine', estimate, peek: () => undefined, read }
    }
    const plan = planSeries(resource, filters, request, at, parts)
    const { table } = plan
    const cells = new SeriesCells(parts, plan, at)
    const calendar = calendarOf(request.tz, request.interval)

    const isByToken = request.groupBy === 'token'

    function* rowsOf(
      fold: SeriesFold,
      foundCells: Iterable<SeriesCell>,
      factsOf: FactsOf,
    ): Steps<SeriesRows> {
      yield* fold.add(foundCells, factsOf)
      return yield* rankRows(fold, request.limit)
    }

    const factsOf = (manifests: ManifestIndex) =>
      request.asHosted ? endFacts(calendar) : epochs.factsOf(table, manifests, calendar)

    async function addCells(
      keys: readonly string[] | undefined,
      owners: HotspotOwners,
      reading: Reading,
    ): Promise<Series['medians']> {
      if (plan.by === 'log') await reading.add(await cells.loggedLater(reading.signal))
      else if (plan.divides === 'keyed')
        return await addKeyedCells(parts, { plan, cells, keys, owners, at, ...reading })
      else if (keys !== undefined && plan.divides === 'logged')
        await cells.addKeys(keys, cells.typeOf, reading)
      else await cells.addByColumn(keys, reading)
      return undefined
    }

    return {
      by: plan.by,
      estimate: () => estimateSeries(plan, at),
      peek() {
        const manifests = manifestsAt.peek(at)
        if (plan.by !== 'log' || manifests === undefined || groupsOf(plan).length > MOST_AT_ONCE)
          return undefined
        const loggedCells = cells.logged()
        const fold = new SeriesFold(resource, isByToken)
        const rows = loggedCells && runAtOnce(rowsOf(fold, loggedCells, factsOf(manifests)))
        return rows && fold.takeUnplaced().length === 0 ? { rows, hotspots: undefined } : undefined
      },
      async read(signal) {
        const manifests = await manifestsAt(at, signal)
        const owners = hasOwners(request) ? await ownersAt(at, signal) : noOwners
        const keys = plan.isOfSome ? await runInSlices(owners.keysOf(request), signal) : undefined
        const fold = new SeriesFold(resource, isByToken)
        const facts = factsOf(manifests)
        const add = (batch: Iterable<SeriesCell>) => runInSlices(fold.add(batch, facts), signal)
        const withRows = new Set<string>()
        const reading = { manifests, add, fold, factsOf: facts, withRows, signal }
        const medians = await addCells(keys, owners, reading)
        const unplaced = fold.takeUnplaced()
        await epochs.read(resource, unplaced, at, signal)
        const rows = await runInSlices(rowsOf(fold, unplaced, factsOf(manifests)), signal)
        if (fold.takeUnplaced().length > 0) throw new Error(`an epoch of ${resource.name} has no start`)
        return { rows: await named(rows, signal), hotspots: keys?.length, medians, withRows }
      },
    }
  }
}
