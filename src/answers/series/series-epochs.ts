import { BoundedMap } from '../../base/bounded-map.ts'
import { bigintOf } from '../../catalog/column.ts'
import type { Calendar } from '../../catalog/query/calendar.ts'
import { between } from '../../catalog/query/plan.ts'
import { groupedBy, type Resource } from '../../catalog/resource.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { ManifestIndex } from '../records/manifests.ts'
import type { CellFacts, FactsOf, SeriesCell } from './series-fold.ts'

type Manifests = Pick<ManifestIndex, 'rowOf'>

type FactsBySource = Map<string, Map<bigint, CellFacts>>
type FactsByCalendar = Map<Calendar, FactsBySource>

/** Limit of cached calendars: ten years of facts take some megabytes. */
const MOST_CALENDARS = 8

type EpochSource = Pick<SeriesCell, 'source' | 'period'>

const nameOf = ({ source, period }: EpochSource) => `${period} ${source}`

/**
 * Starts of epochs: from the manifest, otherwise from the first share of the period in its source, read once per table
 * version.
 */
export class Epochs {
  readonly #engine: Engine
  readonly #starts = new WeakMap<TableSnapshot, Map<string, bigint>>()
  /** Facts by calendar, source and period, shared by all series of a version. */
  readonly #facts = new WeakMap<Manifests, WeakMap<TableSnapshot, FactsByCalendar>>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** The sources whose start is unknown. */
  missing(table: TableSnapshot, manifests: Manifests, places: Iterable<EpochSource>): readonly EpochSource[] {
    const starts = this.#starts.get(table)
    return [...places].filter(
      (epoch) => startByManifest(manifests, epoch) === undefined && starts?.has(nameOf(epoch)) !== true,
    )
  }

  async read(
    resource: Resource,
    missing: readonly EpochSource[],
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<void> {
    if (missing.length === 0) return
    const { period } = groupedBy(resource)
    const start = resource.series?.start ?? period
    const periods = missing.map((epoch) => epoch.period).sort((a, b) => (a < b ? -1 : 1))
    const [first = 0n, last = first] = [periods[0], periods.at(-1)]
    const groups = await this.#engine.sums(
      {
        ...{ resource, where: between(period, first, last) },
        ...{ sums: {}, prices: new Map(), groupBy: ['source_file', period, start] },
      },
      at,
      signal,
    )
    const table = at.table(resource)
    const starts = this.#starts.get(table) ?? new Map<string, bigint>()
    this.#starts.set(table, starts)
    for (const { group } of groups) {
      const name = nameOf({ source: String(group.source_file), period: bigintOf(group[period]) })
      const startValue = bigintOf(group[start])
      const before = starts.get(name)
      if (before === undefined || startValue < before) starts.set(name, startValue)
    }
  }

  #factsIn(table: TableSnapshot, manifests: Manifests, calendar: Calendar): FactsBySource {
    const tables = this.#facts.get(manifests) ?? new WeakMap<TableSnapshot, FactsByCalendar>()
    this.#facts.set(manifests, tables)
    const calendars = tables.get(table) ?? new BoundedMap<Calendar, FactsBySource>(MOST_CALENDARS)
    tables.set(table, calendars)
    const facts: FactsBySource = calendars.get(calendar) ?? new Map()
    calendars.set(calendar, facts)
    return facts
  }

  /** Facts of an epoch; undefined if neither a manifest nor an earlier read has its start. */
  factsOf(table: TableSnapshot, manifests: Manifests, calendar: Calendar): FactsOf {
    const starts = this.#starts.get(table)
    const factsBySource = this.#factsIn(table, manifests, calendar)
    return (source, period) => {
      let periods = factsBySource.get(source)
      if (periods === undefined) {
        periods = new Map()
        factsBySource.set(source, periods)
      }
      let facts = periods.get(period)
      if (facts === undefined) {
        const epochSource = { source, period }
        const start = startByManifest(manifests, epochSource) ?? starts?.get(nameOf(epochSource))
        if (start === undefined) return undefined
        facts = { start: calendar.startOf((start + period) / 2n), ...paidIn(manifests.rowOf(source)) }
        periods.set(period, facts)
      }
      return facts
    }
  }
}

/** Facts of cells assigned to the step in which their period ends, whatever their token. */
export function endFacts(calendar: Calendar): FactsOf {
  return (_, period) => ({ start: calendar.startOf(period), token: null, price: null })
}

export function paidIn(manifest: ReturnType<Manifests['rowOf']>): Pick<CellFacts, 'token' | 'price'> {
  if (manifest === undefined) return { token: null, price: null }
  return { token: manifest.token, price: manifest.price === 0n ? null : manifest.price }
}

function startByManifest(manifests: Manifests, { source, period }: EpochSource): bigint | undefined {
  const row = manifests.rowOf(source)
  return row !== undefined && row.end_timestamp === period && row.start_timestamp < period
    ? row.start_timestamp
    : undefined
}
