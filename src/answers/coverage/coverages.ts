import { LAST_INSTANT } from '../../base/values/instant.ts'
import { hasDays, hasEpochs } from '../../catalog/embeddings.ts'
import { rewardManifests } from '../../catalog/l2/reward-manifests.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import type { Resource } from '../../catalog/resource.ts'
import { resources } from '../../catalog/resources.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { ManifestIndex, ReadManifests } from '../records/manifests.ts'
import { type EndsOfPeriods, type RangeCoverage, TableCoverage } from './coverage.ts'
import { LedgerCoverage, loggedDays, readDays } from './ledger-coverage.ts'

/** How complete tables of days are. Each is worked out once for its version and that of the manifests. */
export interface Coverages {
  /** Undefined for a table without days, and while what it follows from was not read. Reads nothing. */
  known(resource: Resource, at: Snapshot): RangeCoverage | undefined
  /** By the log alone, where the manifests cannot be read; undefined for a table without epochs. */
  logged(resource: Resource, at: Snapshot): RangeCoverage | undefined
  /**
   * Reads what the coverage of a table follows from, or of all tables: manifests, and the days of the ledger that the log
   * does not tell. A table of which it cannot be known stays unknown. Errors: `lake_damaged`.
   */
  read(at: Snapshot, signal?: AbortSignal, resource?: Resource): Promise<void>
  /** From the first day of a table to the last of any of its kind, by rows or manifests; undefined when there is none. */
  span(resource: Resource, at: Snapshot): EndsOfPeriods | undefined
}

export function openCoverages(engine: Engine, manifestsAt: ReadManifests): Coverages {
  const made = new WeakMap<ManifestIndex, WeakMap<TableSnapshot, TableCoverage>>()
  const ofLog = new WeakMap<TableSnapshot, TableCoverage>()
  const ofLedger = new WeakMap<TableSnapshot, LedgerCoverage | undefined>()

  function kept(
    by: WeakMap<TableSnapshot, TableCoverage>,
    table: TableSnapshot,
    make: () => TableCoverage,
  ): TableCoverage {
    const known = by.get(table)
    if (known !== undefined) return known
    const coverage = make()
    by.set(table, coverage)
    return coverage
  }

  function knownOfLedger(table: TableSnapshot): LedgerCoverage | undefined {
    if (ofLedger.has(table)) return ofLedger.get(table)
    const logged = loggedDays(table)
    if (logged?.untold !== undefined) return undefined
    const coverage = logged && new LedgerCoverage(logged.present)
    ofLedger.set(table, coverage)
    return coverage
  }

  function known(resource: Resource, at: Snapshot): RangeCoverage | undefined {
    if (!hasDays(resource)) return undefined
    const table = at.table(resource)
    if (!hasEpochs(resource)) return knownOfLedger(table)
    const index = manifestsAt.known(at)
    if (index === undefined) return undefined
    const ofIndex = made.get(index) ?? new WeakMap<TableSnapshot, TableCoverage>()
    return kept(ofIndex, table, () => {
      made.set(index, ofIndex)
      const committedAt = Math.max(table.committedAt, at.table(rewardManifests).committedAt)
      return new TableCoverage(table, index.rows, committedAt)
    })
  }

  async function readLedger(resource: Resource, at: Snapshot, signal?: AbortSignal): Promise<void> {
    const table = at.table(resource)
    if (knownOfLedger(table) !== undefined || ofLedger.has(table)) return
    const logged = loggedDays(table)
    const days = logged && (await readDays(engine, table, logged, at, signal))
    ofLedger.set(table, days && new LedgerCoverage(days))
  }

  return {
    known,
    logged(resource, at) {
      const table = at.table(resource)
      return hasEpochs(resource) ? kept(ofLog, table, () => new TableCoverage(table, [])) : undefined
    },
    async read(at, signal, resource) {
      const asked = resource === undefined ? resources.filter(hasDays) : [resource]
      if (asked.some(hasEpochs)) await manifestsAt(at, signal)
      for (const one of asked) if (hasDays(one) && !hasEpochs(one)) await readLedger(one, at, signal)
    },
    span(resource, at) {
      const own = known(resource, at)?.known
      if (own === undefined) return undefined
      const alike = resources.filter((one) => hasDays(one) && hasEpochs(one) === hasEpochs(resource))
      let { to } = own
      for (const end of alike.flatMap((one) => known(one, at)?.known?.to ?? [])) if (end > to) to = end
      return { from: own.from, to }
    },
  }
}

/** What checked filters let through, in microseconds since 1970: ends of periods, or times; where no bound is given, that of what is known. */
export function endsOf(
  { filters: declared = {}, columns }: Resource,
  filters: Filters,
  { from, to }: EndsOfPeriods = { from: 0n, to: LAST_INSTANT },
): EndsOfPeriods {
  const bound = (match: 'atLeast' | 'atMost', unlessGiven: bigint) => {
    for (const name in declared) {
      const filter = declared[name]
      if (filter?.match !== match) continue
      const value = filters[name]
      if (typeof value !== 'bigint') return unlessGiven
      return columns[filter.column]?.kind === 'seconds' ? value * 1_000_000n : value
    }
    return unlessGiven
  }
  return { from: bound('atLeast', from), to: bound('atMost', to) }
}
