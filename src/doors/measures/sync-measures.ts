import { visible } from '../../base/visible.ts'
import type { SourceStatus } from '../../operate/sync/source-status.ts'
import { counter, gauge, type Measure, type Sample } from './measure.ts'

const ofSources = (
  make: typeof gauge,
  name: string,
  help: string,
  value: (source: SourceStatus) => number | undefined,
): Measure => ({
  ...make(name, help, ['source'], async ({ sources }) => {
    const measured = (await sources?.()) ?? []
    return measured.flatMap((source): readonly Sample[] => {
      const number = value(source)
      return number === undefined ? [] : [[number, visible(source.address)]]
    })
  }),
  aggregator: 'max',
})

/** Progress of the synchronized sources. */
export const syncMeasures: readonly Measure[] = [
  ofSources(
    gauge,
    'ledgerlake_sync_done_timestamp_seconds',
    'When a run of a source last came to its end, in seconds since 1970.',
    ({ doneAt }) => (doneAt === null ? undefined : doneAt / 1000),
  ),
  ofSources(
    gauge,
    'ledgerlake_sync_failing',
    '1 when the newest run of a source did not come to its end, 0 when it did.',
    ({ problem }) => (problem === null ? 0 : 1),
  ),
  ofSources(
    gauge,
    'ledgerlake_sync_refused_files',
    'Files of a source that could not be ingested, or changed after they were.',
    ({ refused }) => refused,
  ),
  ofSources(
    gauge,
    'ledgerlake_sync_missing_files',
    'Files that manifests name and the source lacks.',
    ({ missing }) => missing,
  ),
  ofSources(
    counter,
    'ledgerlake_sync_requests_total',
    'Requests to a source, listings and reads.',
    ({ usage }) => (usage === null ? undefined : usage.lists + usage.reads),
  ),
  ofSources(counter, 'ledgerlake_sync_bytes_total', 'Bytes that a source sent.', ({ usage }) =>
    usage === null ? undefined : Number(usage.bytes),
  ),
]
