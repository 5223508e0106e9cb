import { code, page, table, written } from './markdown.ts'

/** A metric as its page shows it. */
export interface MetricLine {
  readonly name: string
  readonly type: string
  readonly labels: readonly string[]
  readonly help: string
}

/** Every metric of the program. Those of the process differ between systems and versions of Node. */
export function metricsPage(metrics: readonly MetricLine[]): string {
  const own = metrics.filter(({ name }) => name.startsWith('ledgerlake_'))
  const rows = own.map(({ name, type, labels, help }) => [
    code(name),
    type,
    labels.map(code).join(', ') || '-',
    help,
  ])
  return page(
    '# Metrics',
    written('the metrics, `src/doors/monitoring/metrics.ts` and `src/doors/measures`'),
    'What `GET /metrics` tells, in the text format of Prometheus. A table has samples once it is in the lake; those of its ' +
      'completeness once its manifests were read. Nothing is read from disk for a scrape.',
    table(['Metric', 'Type', 'Labels', 'Meaning'], rows),
    'Beside them are the usual ones of a process in Node, among them `process_resident_memory_bytes`, ' +
      '`process_cpu_seconds_total`, `process_open_fds` and `nodejs_eventloop_lag_p99_seconds`.',
  )
}
