import type { EndsOfPeriods, RangeCoverage } from '../../../answers/coverage/coverage.ts'
import { unlessDamaged } from '../../../base/errors.ts'
import { hasEpochs } from '../../../catalog/embeddings.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import { type LakeStatus, lakeStatus } from '../../../lake/snapshot/status.ts'
import { type Measure, type Measured, measuresOf, onlyPart } from './measure.ts'

const statuses = new WeakMap<Snapshot, LakeStatus>()

/** Cached per snapshot, because it visits all sources. */
function statusOf(at: Snapshot): LakeStatus {
  const status = statuses.get(at) ?? lakeStatus(at)
  // An unreadable table may be repaired, so its status is not cached.
  if (status.unreadable === undefined) statuses.set(at, status)
  return status
}

function tableStatuses({ current }: Measured) {
  const at = current()
  return at === undefined ? [] : statusOf(at).tables.map((table) => [table, table.table] as const)
}

type Covered = { readonly coverage: RangeCoverage; readonly range: EndsOfPeriods }

/** Uses coverages in memory; a scrape reads nothing. */
function tableCoverages({ current, coverages }: Measured) {
  const at = current()
  const withEpochs = at?.tables.filter(({ resource }) => hasEpochs(resource)) ?? []
  return withEpochs.flatMap(({ resource }): readonly (readonly [Covered, string])[] => {
    const covered = unlessDamaged(() => {
      const [coverage, range] = at ? [coverages.peek(resource, at), coverages.span(resource, at)] : []
      return coverage && range && { coverage, range }
    })
    return covered === undefined ? [] : [[covered, resource.name]]
  })
}

/** Contents, completeness and age of the lake. All processes serve the same lake, so the values of one count. */
export const lakeMeasures: readonly Measure[] = [
  ...measuresOf(
    ['table'],
    ({ current }) =>
      (current()?.tables ?? []).flatMap(
        (table) => unlessDamaged(() => [[table.rows, table.resource.name] as const]) ?? [],
      ),
    { ledgerlake_rows: ['Rows of the served snapshot, by table.', (rows) => rows] },
  ),
  ...measuresOf([], ({ current }) => onlyPart(current()), {
    ledgerlake_unreadable_tables: [
      'Tables with a damaged log or facts file; other metrics leave them out, and requests that need them get 503.',
      (at) => statusOf(at).unreadable?.length ?? 0,
    ],
  }),
  ...measuresOf(['table'], tableStatuses, {
    ledgerlake_table_bytes: ['Bytes of the live data files, by table.', ({ bytes }) => bytes],
  }),
  ...measuresOf([], async ({ stateBytes }) => onlyPart(await stateBytes?.()), {
    ledgerlake_state_bytes: [
      'Bytes of the state folder, including the spilled data of statements; looked up at most twice a minute.',
      (bytes) => bytes,
    ],
  }),
  ...measuresOf(['table'], tableStatuses, {
    ledgerlake_table_files: ['Live data files, by table.', ({ files }) => files],
    ledgerlake_sources: ['Source files that are in, by table.', ({ sources }) => sources],
    ledgerlake_rejected_messages: [
      'Messages of sources that are in which could not be rows, by table.',
      ({ refused }) => refused,
    ],
  }),
  ...measuresOf(
    ['table'],
    ({ current }) => (current()?.tables ?? []).map((table) => [table, table.resource.name] as const),
    {
      ledgerlake_commit_timestamp_seconds: [
        'Time of the newest commit, in seconds since 1970, by table.',
        ({ version, committedAt }) => (version < 0 ? undefined : committedAt / 1000),
      ],
    },
  ),
  ...measuresOf(['table'], tableCoverages, {
    ledgerlake_newest_period_seconds: [
      'End of the newest period, in seconds since 1970, by table.',
      ({ coverage: { newest = 0n } }) => Number(newest / 1_000_000n),
    ],
    ledgerlake_missing_periods: [
      'Days from the first of a table to the last of any that lack data or one of their files, by table.',
      ({ coverage, range }) => coverage.missing(range).days,
    ],
    ledgerlake_missing_manifests: [
      'Days with a file that no manifest names, by table.',
      ({ coverage, range }) => coverage.missing(range).manifests,
    ],
  }),
  ...measuresOf(
    ['structure'],
    ({ current, derived }) => {
      const at = current()
      return at === undefined ? [] : derived.map((one) => [() => !one.lacks(at), one.name] as const)
    },
    {
      ledgerlake_derived_complete: [
        'Whether all that makes answers faster is built for the served snapshot (1) or some is missing (0), by structure.',
        // A structure of a damaged table is incomplete.
        (isWhole) => (unlessDamaged(isWhole) ? 1 : 0),
      ],
    },
  ),
].map((measure) => ({ ...measure, aggregator: 'max' }))
