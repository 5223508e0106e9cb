import type { ParamFault } from '../../base/errors.ts'
import { quoted, type RawQuery } from '../../base/parameter-text.ts'
import { DAY_MICROS } from '../../base/values/epoch-day.ts'
import type { Json, JsonObject } from '../../base/values/json-writer.ts'
import type { FilterValue } from '../../catalog/query/filter-readers.ts'
import { keyFilterOf, type SeriesRequest } from '../../catalog/query/series-parameters.ts'
import type { Resource } from '../../catalog/resource.ts'

export type HostedOperation = 'daily' | 'providers'

export function isHosted(operation: string): operation is HostedOperation {
  return operation === 'daily' || operation === 'providers'
}

/** Maximum days of sums by day. */
export const MOST_DAYS = 366

export function longRangeFaults(
  raw: RawQuery,
  { from, to }: Readonly<Record<string, FilterValue | undefined>>,
): readonly ParamFault[] {
  if (typeof from !== 'bigint' || typeof to !== 'bigint' || to - from <= BigInt(MOST_DAYS) * DAY_MICROS)
    return []
  const problem = `to is ${quoted(String(raw.to))} and from is ${quoted(String(raw.from))}`
  return [{ param: 'to', message: `${problem}; use a range of at most ${MOST_DAYS} days` }]
}

type Filters = Readonly<Record<string, FilterValue>>

/** Returns the series with these sums, and the remaining filters. */
export function hostedSeries(
  resource: Resource,
  operation: HostedOperation,
  filters: Filters,
): { readonly filters: Filters; readonly series: SeriesRequest } {
  const { [keyFilterOf(resource) ?? '']: key, ...remaining } = filters
  const division =
    operation === 'daily'
      ? ({ interval: 'day', groupBy: null } as const)
      : ({ interval: 'all', groupBy: 'service_provider' } as const)
  const common = { tz: 'UTC', limit: Number.MAX_SAFE_INTEGER, asHosted: true } as const
  return {
    filters: remaining,
    series: { ...division, ...common, ...(typeof key === 'string' && { hotspotKeys: [key] }) },
  }
}

/** Returns the name of the grouping member, and those of the sums. */
export function hostedMembers(
  { rest, totals = {} }: Resource,
  operation: HostedOperation,
): { readonly name: string; readonly sums: readonly string[] } {
  return operation === 'daily'
    ? { name: 'day', sums: Object.keys(totals) }
    : { name: 'service_provider_id', sums: rest?.hosted?.providerTotals ?? [] }
}

interface SummedRow {
  readonly start: string | null
  readonly group: string | null
  readonly sums: readonly bigint[]
}

/** Converts rows to records sorted by day or provider; rows without a name are dropped. */
export function hostedRecords(
  resource: Resource,
  operation: HostedOperation,
  rows: Iterable<SummedRow>,
): readonly JsonObject[] {
  const members = hostedMembers(resource, operation)
  const sumNames = Object.keys(resource.series?.sums ?? {})
  const records = Array.from(rows, ({ start, group, sums }) => ({
    name: operation === 'daily' ? start : group,
    sums,
  }))
  return records
    .filter(({ name }) => name !== null)
    .sort((a, b) => Buffer.compare(Buffer.from(a.name ?? ''), Buffer.from(b.name ?? '')))
    .map(({ name, sums }) => {
      const named = members.sums.map((sum): readonly [string, Json] => [
        sum,
        sums[sumNames.indexOf(sum)] ?? 0n,
      ])
      return { [members.name]: name, ...Object.fromEntries(named) }
    })
}
