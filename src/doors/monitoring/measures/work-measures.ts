import { backgroundFailures } from '../../../base/background.ts'
import { version } from '../../../base/version.ts'
import { type Measure, measuresOf, onlyPart } from './measure.ts'

/** Load and build of the server. */
export const workMeasures: readonly Measure[] = [
  ...measuresOf([], ({ isReady }) => onlyPart(isReady()), {
    ledgerlake_ready: [
      'Whether the server can answer (1) or not (0), as /readyz says.',
      (isReady) => (isReady ? 1 : 0),
      'min',
    ],
  }),
  ...measuresOf(
    ['version', 'node', 'engine'],
    ({ engine }) => [[1, version, process.version, engine?.load?.().name ?? 'unknown'] as const],
    {
      ledgerlake_build_info: [
        'Always 1; its labels are the versions of the program, of Node and of the engine.',
        (one) => one,
        'max',
      ],
    },
  ),
  ...measuresOf(
    ['door'],
    ({ connections }) => Object.entries(connections()).map(([door, load]) => [load, door] as const),
    {
      ledgerlake_connections: ['Connections that are open, by door: http or postgres.', ({ open }) => open],
      ledgerlake_connections_limit: [
        'The most connections of a door, by the limit of open files; left out where there is none.',
        ({ most }) => most,
      ],
      ledgerlake_connections_refused_total: [
        'Connections that were refused because as many were open as may be.',
        ({ refused }) => refused,
      ],
    },
  ),
  ...measuresOf(['task'], () => Array.from(backgroundFailures(), ([task, count]) => [count, task] as const), {
    ledgerlake_background_failures_total: [
      'Errors of work that no request waits for, such as timers, by task; the log has each.',
      (count) => count,
    ],
  }),
  ...measuresOf(
    ['kind'],
    ({ limits }) => Object.entries(limits()).map(([kind, load]) => [load, kind] as const),
    {
      ledgerlake_requests_running: [
        'Requests that count into a limit now: request, or export for whole lists.',
        ({ running }) => running,
      ],
      ledgerlake_requests_limit: ['The most that are answered at once, by kind.', ({ most }) => most],
      ledgerlake_requests_refused_total: [
        'Requests that got 503 because the limit of their kind was reached.',
        ({ refused }) => refused,
      ],
    },
  ),
  ...measuresOf([], ({ backlog }) => onlyPart(backlog()), {
    ledgerlake_work_waiting: ['Requests that wait for their turn.', ({ waiting }) => waiting],
    ledgerlake_work_running: ['Requests whose turn it is.', ({ running }) => running],
    ledgerlake_work_backlog_seconds: [
      'Estimated time of all work that is accepted and not finished.',
      ({ backlogMs }) => backlogMs / 1000,
    ],
    ledgerlake_work_refused_total: [
      'Requests that got 503 because they would have had to wait too long.',
      ({ refused }) => refused,
    ],
  }),
  ...measuresOf([], ({ engine }) => onlyPart(engine?.load?.()), {
    ledgerlake_engine_statements_total: ['Statements that the engine ran.', ({ statements }) => statements],
    ledgerlake_engine_rows_total: ['Rows that statements gave.', ({ rows }) => rows],
    ledgerlake_engine_files_total: [
      'Data files that statements read; a file counts once for each.',
      ({ files }) => files,
    ],
    ledgerlake_engine_running: ['Statements that run now.', ({ running }) => running],
    ledgerlake_engine_waiting: ['Statements that wait for a connection.', ({ waiting }) => waiting],
  }),
  ...measuresOf(
    ['by'],
    ({ sqlEndings }) => Object.entries(sqlEndings?.() ?? {}).map(([by, times]) => [times, by] as const),
    {
      ledgerlake_sql_processes_ended_total: [
        'Processes of SQL that were ended for their memory or time, or ended by a fault.',
        (times) => times,
      ],
    },
  ),
  ...measuresOf([], ({ cache }) => onlyPart(cache()), {
    ledgerlake_reply_cache_bytes: ['Bytes in the reply cache.', ({ bytes }) => bytes],
    ledgerlake_reply_cache_limit_bytes: ['Size of the reply cache.', ({ mostBytes }) => mostBytes],
    ledgerlake_reply_cache_entries: ['Entries of the reply cache.', ({ entries }) => entries],
    ledgerlake_reply_cache_hits_total: ['Replies that were in the cache.', ({ hits }) => hits],
    ledgerlake_reply_cache_misses_total: [
      'Replies that were looked for in the cache and had to be found.',
      ({ misses }) => misses,
    ],
  }),
  ...measuresOf([], ({ checks }) => onlyPart(checks?.()), {
    ledgerlake_files_checked_total: [
      'Data files that were compared with their digests; a file counts each time.',
      ({ files }) => files,
    ],
    ledgerlake_files_checked_bytes_total: [
      'Bytes that were read to compare data files with their digests.',
      ({ bytes }) => bytes,
    ],
    ledgerlake_damaged_files: [
      'Live data files that are damaged or missing; answers that need them are 503.',
      ({ damaged }) => damaged,
      'max',
    ],
    ledgerlake_unchecked_files: [
      'Live data files not verified since the start; a request verifies the files that it reads.',
      ({ unchecked }) => unchecked,
      'min',
    ],
    ledgerlake_oldest_check_seconds: [
      'Seconds within which every live data file was compared with its digest; left out until all of them were.',
      ({ oldestSeconds }) => oldestSeconds,
      'max',
    ],
  }),
]
