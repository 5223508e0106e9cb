import type { TableBytes } from '../peers/bytes.ts'
import { rateRatio, type TimedCase } from '../peers/measure.ts'
import type { ColdStarts } from '../peers/scenarios.ts'
import { digits, digitsOr, markdownTable, whole } from '../support/markdown.ts'
import { median, percentile } from '../support/percentiles.ts'
import type { Result } from '../support/results.ts'
import type { Part } from './parts.ts'

export type LargeLabel = 'ours' | 'bare'

export interface LargeCase extends TimedCase<LargeLabel> {
  /** Of the server process after this case: what is resident, and the most that ever was. MB. */
  readonly residentMb: number
  readonly peakMb: number
}

export interface LargeResult extends Result<LargeCase> {
  readonly parts: readonly Part[]
  readonly compactSeconds: number
  /** To build everything that is derived from the compacted tables at once. */
  readonly deriveSeconds: number
  readonly derivePeakMb: number | null
  readonly starts: ColdStarts
  readonly bytes: readonly TableBytes[]
  /** Of everything below the state folder. */
  readonly stateBytes: number
  readonly isPinned: boolean
}

export function largeTables(result: LargeResult): string {
  return [making(result), requests(result), starts(result), bytes(result)].join('\n\n')
}

function making({ parts, compactSeconds, deriveSeconds, derivePeakMb }: LargeResult): string {
  const row = (name: string, seconds: readonly (number | undefined)[]) => {
    const known = seconds.flatMap((one) => one ?? [])
    if (known.length === 0) return [name, '0', '-', '-', '-']
    const all = known.reduce((sum, one) => sum + one, 0)
    return [name, String(known.length), ...[all, median(known), percentile(known, 1)].map(digits)]
  }
  const rows = [
    row(
      'write the files of a part',
      parts.map(({ writeSeconds }) => writeSeconds),
    ),
    row(
      'ingest a part',
      parts.map(({ ingestSeconds }) => ingestSeconds),
    ),
    row(
      'build what is derived after a part',
      parts.map((part) => part.deriveSeconds),
    ),
    row('compact', [compactSeconds]),
    row(`build all that is derived, ${digitsOr(derivePeakMb)} MB at most`, [deriveSeconds]),
  ]
  return markdownTable(['step', 'times', 'all s', 'middle s', 'most s'], rows)
}

function requests({ cases }: LargeResult): string {
  const rows = cases.map((one) => {
    const { ours } = one.implementations
    return [
      `${one.id} ${one.name}`,
      String(one.connections),
      ...[ours?.p50, ours?.p99].map((micros) => digits((micros ?? Number.NaN) / 1000)),
      whole(median(ours?.perSecond ?? [])),
      digitsOr(rateRatio(one, 'ours', 'bare')),
      ...[one.residentMb, one.peakMb].map(whole),
    ]
  })
  return markdownTable(['request', 'c', 'p50 ms', 'p99 ms', 'req/s', 'H', 'resident MB', 'peak MB'], rows)
}

function starts({ starts }: LargeResult): string {
  const row = (name: string, ms: readonly number[]) => [
    name,
    ...(ms.length === 0 ? ['-', '-'] : [digits(median(ms)), digits(percentile(ms, 1))]),
  ]
  return markdownTable(
    ['C1', 'middle ms', 'most ms'],
    [
      row('start to first totals', starts.totalsMs),
      row('start to first totals of a hotspot', starts.hotspotMs),
      row('start to first totals, files uncached', starts.totalsUncachedMs),
    ],
  )
}

function bytes({ bytes, stateBytes }: LargeResult): string {
  const rows = bytes.map(({ table, rows, files, log, index }) => [
    table,
    whole(rows),
    ...[files, log, index, files + log + index].map((size) => digits(size / rows)),
  ])
  const shares = bytes.reduce((sum, { rows }) => sum + rows, 0)
  rows.push(['everything below the state folder', whole(shares), '-', '-', digits(stateBytes / shares), '-'])
  return markdownTable(['bytes a share', 'shares', 'files', 'log', 'derived', 'all'], rows)
}
