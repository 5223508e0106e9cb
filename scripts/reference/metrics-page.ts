import type { MetricLine } from '../../src/doors/monitoring/metrics.ts'
import { generatedNote, inlineCode, markdownTable, page } from './markdown.ts'

/** Writes the page of metrics. Process metrics are left out: they differ by system and version of Node. */
export function metricsPage(metrics: readonly MetricLine[]): string {
  const programMetrics = metrics.filter(({ name }) => name.startsWith('ledgerlake_'))
  const rows = programMetrics.map(({ name, type, labels, help }) => [
    inlineCode(name),
    type,
    labels.map(inlineCode).join(', ') || '-',
    help,
  ])
  return page(
    '# Metrics',
    generatedNote('the metrics in `src/doors/monitoring`'),
    'What `GET /metrics` tells, in the text format of Prometheus. A table has samples once it is in the lake; those of its ' +
      'completeness once its manifests were read. Nothing is read from disk for a scrape.',
    markdownTable(['Metric', 'Type', 'Labels', 'Meaning'], rows),
    'Beside them are the usual ones of a process in Node, among them `process_resident_memory_bytes`, ' +
      '`process_cpu_seconds_total`, `process_open_fds` and `nodejs_eventloop_lag_p99_seconds`.',
  )
}
