import { visible } from '../../../base/visible.ts'
import { type Measure, measuresOf } from './measure.ts'

/** Progress of the synchronized sources. */
export const syncMeasures: readonly Measure[] = measuresOf(
  ['source'],
  async ({ sources }) => ((await sources?.()) ?? []).map((one) => [one, visible(one.address)] as const),
  {
    ledgerlake_sync_done_timestamp_seconds: [
      'When a run of a source last came to its end, in seconds since 1970.',
      ({ doneAt }) => (doneAt === null ? undefined : doneAt / 1000),
      'max',
    ],
    ledgerlake_sync_failing: [
      '1 when the newest run of a source did not come to its end, 0 when it did.',
      ({ problem }) => (problem === null ? 0 : 1),
      'max',
    ],
    ledgerlake_sync_refused_files: [
      'Files of a source that could not be ingested, or changed after they were.',
      ({ refused }) => refused,
      'max',
    ],
    ledgerlake_sync_missing_files: [
      'Files that manifests name and the source lacks.',
      ({ missing }) => missing,
      'max',
    ],
    ledgerlake_sync_requests_total: [
      'Requests to a source, listings and reads.',
      ({ usage }) => (usage === null ? undefined : usage.lists + usage.reads),
      'max',
    ],
    ledgerlake_sync_bytes_total: [
      'Bytes that a source sent.',
      ({ usage }) => (usage === null ? undefined : Number(usage.bytes)),
      'max',
    ],
  },
)
