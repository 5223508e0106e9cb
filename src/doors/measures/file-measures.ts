import { counter, gauge, type Measure, measuresOf } from './measure.ts'

const ofChecks = measuresOf(({ checks }) => checks?.())

/** Results of checksum comparisons of data files. */
export const fileMeasures: readonly Measure[] = [
  ofChecks(
    counter,
    'ledgerlake_files_checked_total',
    'Data files that were compared with their digests; a file counts each time.',
    ({ files }) => files,
  ),
  ofChecks(
    counter,
    'ledgerlake_files_checked_bytes_total',
    'Bytes that were read to compare data files with their digests.',
    ({ bytes }) => bytes,
  ),
  {
    ...ofChecks(
      gauge,
      'ledgerlake_damaged_files',
      'Live data files that are damaged or missing; answers that need them are 503.',
      ({ damaged }) => damaged,
    ),
    aggregator: 'max',
  },
  {
    ...ofChecks(
      gauge,
      'ledgerlake_unchecked_files',
      'Live data files not verified since the start; a request verifies those that it reads.',
      ({ unchecked }) => unchecked,
    ),
    aggregator: 'min',
  },
  {
    ...ofChecks(
      gauge,
      'ledgerlake_oldest_check_seconds',
      'Seconds within which every live data file was compared with its digest; left out until all of them were.',
      ({ oldestSeconds }) => oldestSeconds,
    ),
    aggregator: 'max',
  },
]
