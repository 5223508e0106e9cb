import type { errorTable } from '../../src/base/errors.ts'
import type { MetricLine } from '../../src/doors/monitoring/metrics.ts'
import { generatedNote, inlineCode, markdownTable, page } from './markdown.ts'

/** Writes the page of errors. */
export function errorsPage(errors: typeof errorTable): string {
  const rows = Object.entries(errors).map(([name, { status, exit, meaning }]) => [
    inlineCode(name),
    String(status),
    String(exit),
    meaning,
  ])
  return page(
    '# Errors',
    generatedNote('the error table, `src/base/errors.ts`'),
    'Error responses of REST have a message and a machine-readable code: `{ "error": "<sentence>", "code": "<code>" }`. Where parameters are wrong, ' +
      '`errors` lists all of them as `{ "param", "message" }`. The command prints the same sentence and leaves with ' +
      'the exit code; 0 means that all went well.',
    markdownTable(['Code', 'HTTP status', 'Exit code', 'Meaning'], rows),
  )
}

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

export interface SettingLine {
  readonly name: string
  /** Flag with its placeholder, such as `--lake DIR`. */
  readonly flag: string
  readonly variable: string
  /** Default; words if it depends on the machine. */
  readonly fallback: string
  readonly meaning: string
  /** Value in `.env.example`. */
  readonly example: string
}

/** Writes the page of settings. */
export function settingsPage(settings: readonly SettingLine[]): string {
  const rows = settings.map(({ name, flag, variable, fallback, meaning }) => [
    inlineCode(name),
    inlineCode(flag),
    inlineCode(variable),
    fallback === '' ? '(empty)' : fallback,
    meaning,
  ])
  return page(
    '# Settings',
    generatedNote('the settings, `src/services/settings/settings.ts`'),
    'A flag wins over the environment variable, that over the file, and that over the default. The file is JSON, such as ' +
      '`{"lake": "/srv/lake", "port": 8080, "open": true}`; paths in it begin at its folder. A name in it that is not in this list is ' +
      'refused, and so is an environment variable that begins with `LEDGERLAKE_`. `ledgerlake config` shows what is in ' +
      'force and where it comes from, `ledgerlake COMMAND --help` the flags of a command.',
    markdownTable(['Setting', 'Flag', 'Environment variable', 'Default', 'Meaning'], rows),
  )
}

/** Writes `.env.example`, with the default of every setting. */
export function environmentExample(settings: readonly SettingLine[]): string {
  return page(
    '# Copy to .env, remove the # of what should differ, and start with:\n' +
      '#   node --env-file=.env bin/ledgerlake serve',
    ...settings.map(({ variable, meaning, example }) => `# ${meaning}\n# ${variable}=${example}`),
  )
}
