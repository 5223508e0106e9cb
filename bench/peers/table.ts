import { digits, digitsOr, markdownTable, whole } from '../support/markdown.ts'
import { median, percentile } from '../support/percentiles.ts'
import type { Result } from '../support/results.ts'
import type { TableBytes } from './bytes.ts'
import { type PeerCase, rateRatio, timeRatio } from './measure.ts'
import type { PostgresTable } from './postgres-tables.ts'
import type { ColdStarts, WhileIngesting } from './scenarios.ts'

export interface PeersResult extends Result<PeerCase> {
  /** Milliseconds. */
  readonly coldHotspots: readonly number[]
  readonly starts: ColdStarts
  readonly ingests: readonly WhileIngesting[]
  readonly bytes: readonly TableBytes[]
  readonly postgres: { readonly version: string; readonly strong: PostgresTable } | undefined
  /** Of the ingest of the whole network, the index by hotspot included; null for a lake that was there already. */
  readonly ingestSeconds: number | null
  readonly isCompacted: boolean
  /** Whether the load generator was kept to a core. */
  readonly isPinned: boolean
  /** Load averages of the machine over the last minute, from the beginning to the end. */
  readonly loads: readonly number[]
}

export function peersTables(result: PeersResult): string {
  return [surroundings(result), requests(result), scenarios(result), bytes(result)].join('\n\n')
}

function surroundings({ postgres, isPinned, isCompacted, loads }: PeersResult): string {
  const peer = postgres === undefined ? 'PostgreSQL was not there' : `PostgreSQL ${postgres.version}`
  const pinned = isPinned ? 'kept to the last core' : 'on any core'
  const load = `${digits(Math.min(...loads))} to ${digits(Math.max(...loads))}`
  return `${peer}; load generator ${pinned}; lake ${isCompacted ? '' : 'not '}compacted; load average ${load}.`
}

function requests({ cases }: PeersResult): string {
  const rows = cases.map((one) => {
    const { ours } = one.implementations
    const times = [ours?.p50, ours?.p99].map((micros) =>
      digitsOr(micros === undefined ? null : micros / 1000),
    )
    return [
      `${one.id} ${one.name}`,
      String(one.connections),
      ...times,
      whole(median(ours?.perSecond ?? [])),
      digitsOr(rateRatio(one, 'ours', 'bare')),
      digitsOr(rateRatio(one, 'remembering', 'bare')),
      digitsOr(timeRatio(one, 'ours', 'duckdb')),
      digitsOr(timeRatio(one, 'strong', 'ours')),
      digitsOr(rateRatio(one, 'ours', 'strong')),
      digitsOr(rateRatio(one, 'two', 'strong')),
      digitsOr(rateRatio(one, 'two', 'ours')),
      digitsOr(rateRatio(one, 'ours', 'fastify')),
    ]
  })
  const head = [
    'request',
    'c',
    'p50 ms',
    'p99 ms',
    'req/s',
    'H',
    'H remembered',
    'F',
    'O',
    'req/s to O',
    'of two to O',
    'two to one',
    'to Fastify',
  ]
  return markdownTable(head, rows)
}

function scenarios({ starts, coldHotspots, ingests }: PeersResult): string {
  const row = (name: string, ms: readonly number[]) => [
    name,
    ...(ms.length === 0 ? ['-', '-'] : [digits(median(ms)), digits(percentile(ms, 1))]),
  ]
  const once = [
    row('C1 start to first totals', starts.totalsMs),
    row('C1 start to first totals of a hotspot', starts.hotspotMs),
    row('C1 start to first totals, files uncached', starts.totalsUncachedMs),
    row('T3 of a hotspot, files uncached', coldHotspots),
  ]
  const during = ingests.map((one) => [
    `I1 totals while ${whole(one.shares)} shares are ingested in ${digits(one.seconds)} s`,
    String(one.connections),
    ...[one.idle.p50, one.idle.p99, one.during.p50, one.during.p99].map((micros) => digits(micros / 1000)),
    digits(one.during.p99 / one.idle.p99),
    whole(one.answers),
  ])
  return [
    markdownTable(['once', 'middle ms', 'most ms'], once),
    markdownTable(
      ['while ingesting', 'c', 'idle p50 ms', 'idle p99 ms', 'p50 ms', 'p99 ms', 'p99 to idle', 'answers'],
      during,
    ),
  ].join('\n\n')
}

const COLUMNS_SHOWN = 3

function bytes({ bytes, postgres }: PeersResult): string {
  const rows = bytes.map(({ table, rows, files, log, index, columns }) => [
    `${table} (most in ${columns
      .slice(0, COLUMNS_SHOWN)
      .map(([name, size]) => `${name} ${digits(size / rows)}`)
      .join(', ')})`,
    whole(rows),
    ...[files, log, index, files + log + index].map((size) => digits(size / rows)),
  ])
  const iot = bytes[0]?.rows ?? Number.NaN
  if (postgres !== undefined) {
    const all = digits(postgres.strong.bytes / iot)
    rows.push(['iot_reward_shares in PostgreSQL', whole(iot), all, '-', '-', all])
  }
  return markdownTable(['bytes a share', 'shares', 'files', 'log', 'derived', 'all'], rows)
}
