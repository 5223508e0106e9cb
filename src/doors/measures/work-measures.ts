import { backgroundFailures } from '../../base/background.ts'
import { version } from '../../base/version.ts'
import { counter, gauge, type LimitLoad, type Measure, measuresOf, type Sample } from './measure.ts'

const ofEngine = measuresOf(({ engine }) => engine?.load?.())
const ofCache = measuresOf(({ cache }) => cache())
const ofBacklog = measuresOf(({ backlog }) => backlog())
const ofConnections = measuresOf(({ connections }) => connections())

const ofLimits = (
  make: typeof gauge,
  name: string,
  help: string,
  value: (load: LimitLoad) => number,
): Measure =>
  make(name, help, ['kind'], ({ limits }) =>
    Object.entries(limits()).map(([kind, load]): Sample => [value(load), kind]),
  )

/** Load and build of the server. */
export const workMeasures: readonly Measure[] = [
  {
    ...gauge(
      'ledgerlake_ready',
      'Whether the server can answer (1) or not (0), as /readyz says.',
      [],
      ({ isReady }) => [[isReady() ? 1 : 0]],
    ),
    aggregator: 'min',
  },
  {
    ...gauge(
      'ledgerlake_build_info',
      'Always 1; its labels are the versions of the program, of Node and of the engine.',
      ['version', 'node', 'engine'],
      ({ engine }) => [[1, version, process.version, engine?.load?.().name ?? 'unknown']],
    ),
    aggregator: 'max',
  },
  ofConnections(gauge, 'ledgerlake_connections', 'Connections that are open.', ({ open }) => open),
  ofConnections(
    gauge,
    'ledgerlake_connections_limit',
    'The most connections, by the limit of open files; left out where there is none.',
    ({ most }) => most,
  ),
  ofConnections(
    counter,
    'ledgerlake_connections_refused_total',
    'Connections that were refused because as many were open as may be.',
    ({ refused }) => refused,
  ),
  counter(
    'ledgerlake_background_failures_total',
    'Errors of work that no request waits for, such as timers, by task; the log has each.',
    ['task'],
    () => [...backgroundFailures()].map(([task, count]): Sample => [count, task]),
  ),
  ofLimits(
    gauge,
    'ledgerlake_requests_running',
    'Requests that count into a limit now: request, or export for whole lists.',
    ({ running }) => running,
  ),
  ofLimits(
    gauge,
    'ledgerlake_requests_limit',
    'The most that are answered at once, by kind.',
    ({ most }) => most,
  ),
  ofLimits(
    counter,
    'ledgerlake_requests_refused_total',
    'Requests that got 503 because the limit of their kind was reached.',
    ({ refused }) => refused,
  ),
  ofBacklog(gauge, 'ledgerlake_work_waiting', 'Requests that wait for their turn.', ({ waiting }) => waiting),
  ofBacklog(gauge, 'ledgerlake_work_running', 'Requests whose turn it is.', ({ running }) => running),
  ofBacklog(
    gauge,
    'ledgerlake_work_backlog_seconds',
    'Estimated time of all work that is accepted and not finished.',
    ({ backlogMs }) => backlogMs / 1000,
  ),
  ofBacklog(
    counter,
    'ledgerlake_work_refused_total',
    'Requests that got 503 because they would have had to wait too long.',
    ({ refused }) => refused,
  ),
  ofEngine(
    counter,
    'ledgerlake_engine_statements_total',
    'Statements that the engine ran.',
    (load) => load.statements,
  ),
  ofEngine(counter, 'ledgerlake_engine_rows_total', 'Rows that statements gave.', (load) => load.rows),
  ofEngine(
    counter,
    'ledgerlake_engine_files_total',
    'Data files that statements read; a file counts once for each.',
    (load) => load.files,
  ),
  ofEngine(gauge, 'ledgerlake_engine_running', 'Statements that run now.', (load) => load.running),
  ofEngine(
    gauge,
    'ledgerlake_engine_waiting',
    'Statements that wait for a connection.',
    (load) => load.waiting,
  ),
  counter(
    'ledgerlake_sql_processes_ended_total',
    'Processes of SQL that were ended for their memory or time, or ended by a fault.',
    ['by'],
    ({ sqlEndings }) => Object.entries(sqlEndings?.() ?? {}).map(([by, times]): Sample => [times, by]),
  ),
  ofCache(gauge, 'ledgerlake_reply_cache_bytes', 'Bytes in the reply cache.', ({ bytes }) => bytes),
  ofCache(
    gauge,
    'ledgerlake_reply_cache_limit_bytes',
    'Size of the reply cache.',
    ({ mostBytes }) => mostBytes,
  ),
  ofCache(gauge, 'ledgerlake_reply_cache_entries', 'Entries of the reply cache.', ({ entries }) => entries),
  ofCache(
    counter,
    'ledgerlake_reply_cache_hits_total',
    'Replies that were in the cache.',
    ({ hits }) => hits,
  ),
  ofCache(
    counter,
    'ledgerlake_reply_cache_misses_total',
    'Replies that were looked for in the cache and had to be found.',
    ({ misses }) => misses,
  ),
]
