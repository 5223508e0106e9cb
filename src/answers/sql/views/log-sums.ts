import { networkOfName } from '../../../catalog/networks.ts'
import { isReward } from '../../../catalog/records/flat-columns.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { resources } from '../../../catalog/resources.ts'
import type { RowsTable } from '../../../engine/duckdb/confined/rows-table.ts'
import { gatherSources } from '../../../lake/facts/source.ts'
import type { TableSnapshot } from '../../../lake/snapshot/snapshot.ts'

/** Sums of one table of reward shares, from its log; serializable for another process. */
export interface LogSums {
  /** Later of the newest commits of the table and of the manifests, in microseconds since 1970, as digits. */
  readonly committedAt: string
  /**
   * File, end of the period in microseconds, reward type, rows and bones that hotspots were paid; null for a type that pays
   * none. Nulls after the name for a file without rows.
   */
  readonly rows: readonly (readonly (string | null)[])[]
}

/** Table of the sums in a session or file of views. */
export const LOG_SUMS = '_log_sums'

/** FROM item of the sums with their types. */
export const typedSums = `(SELECT network, source_file, CAST(end_micros AS BIGINT) AS end_micros, reward_type, CAST(shares AS BIGINT) AS shares,
  CAST(earned AS DECIMAL(38,0)) AS earned FROM ${LOG_SUMS})`

export function sumsOfTable({ resource, files, committedAt }: TableSnapshot, manifestsAt: number): LogSums {
  const { earned = [] } = resource
  const paying = payingTypes(resource)
  const rows = gatherSources(files).flatMap(({ name, groups }) => {
    if (groups.length === 0) return [[name, null, null, null, null]]
    return groups.map(({ period, type, rows: count, sums }) => {
      const sum = earned.reduce((total, column) => total + (sums[column] ?? 0n), 0n)
      return [name, String(period), type, String(count), paying.has(type) ? String(sum) : null]
    })
  })
  return { committedAt: String(BigInt(Math.max(committedAt, manifestsAt)) * 1000n), rows }
}

/** Reward types whose rows have a hotspot. */
function payingTypes({ variants, keyed = '' }: Resource): ReadonlySet<string> {
  const cases = Object.entries(variants?.cases ?? {})
  return new Set(cases.filter(([, members]) => Object.values(members).includes(keyed)).map(([type]) => type))
}

/** The sums of a snapshot as a table. */
export function logSumsTable(sums: Readonly<Record<string, LogSums>>): RowsTable {
  const tables = resources.filter(isReward).flatMap(({ name }) => {
    const network = networkOfName(name) ?? ''
    return (sums[name]?.rows ?? []).map((row) => [network, ...row])
  })
  const columns = ['network', 'source_file', 'end_micros', 'reward_type', 'shares', 'earned']
  return { name: LOG_SUMS, columns, rows: tables }
}
