import type { ParamFault } from '../../base/errors.ts'
import { quoted, type RawQuery } from '../../base/parameter-text.ts'
import { DAY_MICROS } from '../../base/values/epoch-day.ts'
import type { Json, JsonObject } from '../../base/values/json-writer.ts'
import type { FilterValue } from '../../catalog/query/filter-readers.ts'
import { keyFilterOf, type SeriesRequest } from '../../catalog/query/series-parameters.ts'
import type { Resource } from '../../catalog/resource.ts'

/** The sums that only the hosted service has. */
export type HostedOperation = 'daily' | 'providers'

export function isHosted(operation: string): operation is HostedOperation {
  return operation === 'daily' || operation === 'providers'
}

/** The longest range that is summed by day. */
export const MOST_DAYS = 366

/** What is wrong with a range that is too long. */
export function longRangeFaults(
  raw: RawQuery,
  { from, to }: Readonly<Record<string, FilterValue | undefined>>,
): readonly ParamFault[] {
  if (typeof from !== 'bigint' || typeof to !== 'bigint' || to - from <= BigInt(MOST_DAYS) * DAY_MICROS)
    return []
  const given = `to is ${quoted(String(raw.to))} and from is ${quoted(String(raw.from))}`
  return [{ param: 'to', message: `${given}; use a range of at most ${MOST_DAYS} days` }]
}

type Filters = Readonly<Record<string, FilterValue>>

/** The series that has these sums, and the filters that are left of a request. */
export function hostedSeries(
  resource: Resource,
  operation: HostedOperation,
  filters: Filters,
): { readonly filters: Filters; readonly series: SeriesRequest } {
  const { [keyFilterOf(resource) ?? '']: key, ...others } = filters
  const division =
    operation === 'daily'
      ? ({ interval: 'day', groupBy: null } as const)
      : ({ interval: 'all', groupBy: 'service_provider' } as const)
  const common = { tz: 'UTC', limit: Number.MAX_SAFE_INTEGER, asHosted: true } as const
  return {
    filters: others,
    series: { ...division, ...common, ...(typeof key === 'string' && { hotspotKeys: [key] }) },
  }
}

/** The name of what a record is about, and those of its sums. */
export function hostedMembers(
  { rest, totals = {} }: Resource,
  operation: HostedOperation,
): { readonly name: string; readonly sums: readonly string[] } {
  return operation === 'daily'
    ? { name: 'day', sums: Object.keys(totals) }
    : { name: 'service_provider_id', sums: rest?.hosted?.providerTotals ?? [] }
}

interface Summed {
  readonly start: string | null
  readonly group: string | null
  readonly sums: readonly bigint[]
}

/** The records of a series: those of days in their order, those of providers by name, without rows of none. */
export function hostedRecords(
  resource: Resource,
  operation: HostedOperation,
  rows: Iterable<Summed>,
): readonly JsonObject[] {
  const members = hostedMembers(resource, operation)
  const places = Object.keys(resource.series?.sums ?? {})
  const named = Array.from(rows, ({ start, group, sums }) => ({
    name: operation === 'daily' ? start : group,
    sums,
  }))
  return named
    .filter(({ name }) => name !== null)
    .sort((a, b) => Buffer.compare(Buffer.from(a.name ?? ''), Buffer.from(b.name ?? '')))
    .map(({ name, sums }) => {
      const own = members.sums.map((sum): readonly [string, Json] => [sum, sums[places.indexOf(sum)] ?? 0n])
      return { [members.name]: name, ...Object.fromEntries(own) }
    })
}
