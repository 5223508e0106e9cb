import { formatAmount } from '../../base/values/decimal.ts'
import type { Json, JsonObject } from '../../base/values/json-writer.ts'
import { mainToken, rewardTokens } from '../networks.ts'
import type { Resource } from '../resource.ts'
import type { Spelling } from './spelling.ts'

/** A row of a series. */
export interface SeriesRow {
  readonly start: string | null
  readonly token: string | null
  readonly group: string | null
  /** Current name of the hotspot or maker that is the group. */
  readonly name: string | null
  readonly sums: readonly bigint[]
  readonly earned: bigint
  /** Units of 10^-16 USD; null if something was earned at an unknown price. */
  readonly usd: bigint | null
}

/** Median over the hotspots that earned any of a token. */
export interface SeriesMedian {
  readonly token: string
  readonly hotspots: number
  readonly median: bigint
}

/** Decimals of USD: 8 of an amount and 8 of a price. */
export const USD_DECIMALS = 16

/** Converts a row to JSON, with each amount also in whole tokens. */
export function seriesRecord({ series }: Resource, row: SeriesRow, spelling: Spelling): JsonObject {
  const decimals = decimalsOf(row.token)
  const record: Record<string, Json> = {
    start: row.start,
    token: row.token === null ? null : spelling.choice(row.token),
    group: row.group === null ? null : spelling.choice(row.group),
    name: row.name,
  }
  const amount = (name: string, value: bigint) => {
    record[name] = value
    record[`formatted_${name}`] = decimals === undefined ? null : formatAmount(value, decimals)
  }
  for (const [place, [name, member]] of Object.entries(series?.sums ?? {}).entries()) {
    const value = row.sums[place] ?? 0n
    if (typeof member === 'string') amount(name, value)
    else record[name] = value
  }
  amount('earned', row.earned)
  record.usd = row.usd === null ? null : formatAmount(row.usd, USD_DECIMALS)
  return record
}

export function medianRecord({ token, hotspots, median }: SeriesMedian, spelling: Spelling): JsonObject {
  const decimals = decimalsOf(token)
  const formatted_median = decimals === undefined ? null : formatAmount(median, decimals)
  return { token: spelling.choice(token), hotspots, median, formatted_median }
}

/** The token of the L1 ledger, which has no manifests. */
export const LEDGER_TOKEN = 'main'

/** Decimals of a token; undefined if unknown. */
export function decimalsOf(token: string | null): number | undefined {
  return token === LEDGER_TOKEN ? mainToken.decimals : rewardTokens.get(token)?.decimals
}
