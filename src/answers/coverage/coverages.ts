import { getOrMake } from '../../base/maps.ts'
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

export type Coverages = ReturnType<typeof openCoverages>

/** Completeness of tables of days, computed once per version of the table and of the manifests. */
export function openCoverages(engine: Engine, manifestsAt: ReadManifests) {
  const byManifests = new WeakMap<ManifestIndex, WeakMap<TableSnapshot, TableCoverage>>()
  const ofLog = new WeakMap<TableSnapshot, TableCoverage>()
  const ofLedger = new WeakMap<TableSnapshot, LedgerCoverage | undefined>()

  function knownOfLedger(table: TableSnapshot): LedgerCoverage | undefined {
    if (ofLedger.has(table)) return ofLedger.get(table)
    const logged = loggedDays(table)
    if (logged?.uncertain !== undefined) return undefined
    const coverage = logged && new LedgerCoverage(logged.present)
    ofLedger.set(table, coverage)
    return coverage
  }

  /** Returns undefined for a table without days, or before `read`. Reads nothing. */
  function peek(resource: Resource, at: Snapshot): RangeCoverage | undefined {
    if (!hasDays(resource)) return undefined
    const table = at.table(resource)
    if (!hasEpochs(resource)) return knownOfLedger(table)
    const index = manifestsAt.peek(at)
    if (index === undefined) return undefined
    const ofIndex = byManifests.get(index) ?? new WeakMap<TableSnapshot, TableCoverage>()
    return getOrMake(ofIndex, table, () => {
      byManifests.set(index, ofIndex)
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
    peek,
    /** Coverage by the log alone, for unreadable manifests; undefined for a table without epochs. */
    logged(resource: Resource, at: Snapshot): RangeCoverage | undefined {
      const table = at.table(resource)
      return hasEpochs(resource) ? getOrMake(ofLog, table, () => new TableCoverage(table, [])) : undefined
    },
    /**
     * Reads the inputs of the coverage of one table, or of all: manifests, and the ledger days that the log does not list.
     * Errors: `lake_damaged`.
     */
    async read(at: Snapshot, signal?: AbortSignal, resource?: Resource): Promise<void> {
      const requested = resource === undefined ? resources.filter(hasDays) : [resource]
      if (requested.some(hasEpochs)) await manifestsAt(at, signal)
      for (const dayTable of requested)
        if (hasDays(dayTable) && !hasEpochs(dayTable)) await readLedger(dayTable, at, signal)
    },
    /** Range from the first day of a table to the last day of any table of its kind; undefined for an empty table. */
    span(resource: Resource, at: Snapshot): EndsOfPeriods | undefined {
      const extent = peek(resource, at)?.extent
      if (extent === undefined) return undefined
      const sameKind = resources.filter(
        (candidate) => hasDays(candidate) && hasEpochs(candidate) === hasEpochs(resource),
      )
      let { to } = extent
      for (const end of sameKind.flatMap((dayTable) => peek(dayTable, at)?.extent?.to ?? []))
        if (end > to) to = end
      return { from: extent.from, to }
    },
  }
}

/** Range of the filters, in microseconds since 1970; a missing bound falls back to the default range. */
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
