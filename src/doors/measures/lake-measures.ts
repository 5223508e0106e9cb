import type { EndsOfPeriods, RangeCoverage } from '../../answers/coverage/coverage.ts'
import { unlessDamaged } from '../../base/errors.ts'
import { hasEpochs } from '../../catalog/embeddings.ts'
import type { Derived } from '../../index/maintenance/derived.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { type LakeStatus, lakeStatus, type TableStatus } from '../../lake/snapshot/status.ts'
import { gauge, type Measure, type Measured, type Sample } from './measure.ts'

const statuses = new WeakMap<Snapshot, LakeStatus>()

/** Cached per snapshot, because it visits all sources. */
function statusOf(at: Snapshot): LakeStatus {
  const status = statuses.get(at) ?? lakeStatus(at)
  // An unreadable table may be repaired, so its status is not cached.
  if (status.unreadable === undefined) statuses.set(at, status)
  return status
}

const ofStatus = (name: string, help: string, value: (table: TableStatus) => number) =>
  gauge(name, help, ['table'], ({ current }) => {
    const at = current()
    return at === undefined ? [] : statusOf(at).tables.map((table): Sample => [value(table), table.table])
  })

const ofTable = (name: string, help: string, value: (table: TableSnapshot) => number) =>
  gauge(name, help, ['table'], ({ current }) => {
    const present = (current()?.tables ?? []).filter(({ version }) => version >= 0)
    return present.map((table): Sample => [value(table), table.resource.name])
  })

/** Uses coverages in memory; a scrape reads nothing. */
const ofCoverage = (name: string, help: string, value: (of: RangeCoverage, range: EndsOfPeriods) => number) =>
  gauge(name, help, ['table'], ({ current, coverages }: Measured) => {
    const at = current()
    if (at === undefined) return []
    const withEpochs = at.tables.filter(({ resource }) => hasEpochs(resource))
    return withEpochs.flatMap(({ resource }): readonly Sample[] => {
      return (
        unlessDamaged((): readonly Sample[] => {
          const [coverage, range] = [coverages.peek(resource, at), coverages.span(resource, at)]
          return coverage && range ? [[value(coverage, range), resource.name]] : []
        }) ?? []
      )
    })
  })

/** Contents, completeness and age of the lake. */
export const lakeMeasures: readonly Measure[] = [
  gauge('ledgerlake_rows', 'Rows of the served snapshot, by table.', ['table'], ({ current }) =>
    (current()?.tables ?? []).flatMap(
      (table): readonly Sample[] => unlessDamaged(() => [[table.rows, table.resource.name]]) ?? [],
    ),
  ),
  gauge(
    'ledgerlake_unreadable_tables',
    'Tables with a damaged log or facts file; other metrics leave them out, and requests that need them get 503.',
    [],
    ({ current }) => {
      const at = current()
      return at === undefined ? [] : [[statusOf(at).unreadable?.length ?? 0]]
    },
  ),
  ofStatus('ledgerlake_table_bytes', 'Bytes of the live data files, by table.', ({ bytes }) => bytes),
  gauge(
    'ledgerlake_state_bytes',
    'Bytes of the state folder, with what statements have spilled to it; looked up at most twice a minute.',
    [],
    async ({ stateBytes }) => {
      const bytes = await stateBytes?.()
      return bytes === undefined ? [] : [[bytes]]
    },
  ),
  ofStatus('ledgerlake_table_files', 'Live data files, by table.', ({ files }) => files),
  ofStatus('ledgerlake_sources', 'Source files that are in, by table.', ({ sources }) => sources),
  ofStatus(
    'ledgerlake_rejected_messages',
    'Messages of sources that are in which could not be rows, by table.',
    ({ refused }) => refused,
  ),
  ofTable(
    'ledgerlake_commit_timestamp_seconds',
    'Time of the newest commit, in seconds since 1970, by table.',
    ({ committedAt }) => committedAt / 1000,
  ),
  ofCoverage(
    'ledgerlake_newest_period_seconds',
    'End of the newest period, in seconds since 1970, by table.',
    ({ newest = 0n }) => Number(newest / 1_000_000n),
  ),
  ofCoverage(
    'ledgerlake_missing_periods',
    'Days from the first of a table to the last of any that lack data or one of their files, by table.',
    (coverage, range) => coverage.missing(range).days,
  ),
  ofCoverage(
    'ledgerlake_missing_manifests',
    'Days with a file that no manifest names, by table.',
    (coverage, range) => coverage.missing(range).manifests,
  ),
  gauge(
    'ledgerlake_derived_complete',
    'Whether all that makes answers faster is built for the served snapshot (1) or some is missing (0), by structure.',
    ['structure'],
    ({ current, derived }) => {
      const at = current()
      // Measures of a damaged table would be incomplete.
      const isWhole = (one: Pick<Derived, 'lacks'>) =>
        unlessDamaged(() => !one.lacks(at as Snapshot)) ?? false
      return at === undefined ? [] : derived.map((one): Sample => [isWhole(one) ? 1 : 0, one.name])
    },
  ),
]
