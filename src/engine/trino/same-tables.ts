import { BoundedMap } from '../../base/bounded-map.ts'
import { fail } from '../../base/errors.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { ResultPage } from './trino-client.ts'
import { type TrinoSchema, tableName } from './trino-dialect.ts'

type RunSql = (sql: string) => Promise<readonly ResultPage[]>

/** Limit of remembered versions. */
const MOST_CHECKS = 500

/** Checks a version of a table once, shared by concurrent requests. */
export type CheckTable = (table: TableSnapshot, signal?: AbortSignal) => Promise<void>

/**
 * Verifies that Trino tables belong to the lake: commits of a version have equal times. Another lake under the same
 * name would answer with its own data.
 * Errors: `not_ready` for another table; those of the cluster.
 */
export function tableChecker(schema: TrinoSchema, runSql: RunSql): CheckTable {
  const checks = new BoundedMap<string, Promise<void>>(MOST_CHECKS)

  async function compare({ resource, version, committedAt }: TableSnapshot): Promise<void> {
    const history = tableName(schema, resource, '$history')
    const isCommittedAt = async (where: string) => {
      const newest = `max(date_diff('millisecond', from_unixtime(0), timestamp))`
      const [page] = await runSql(`SELECT CAST(${newest} AS VARCHAR) AS at FROM ${history} WHERE ${where}`)
      return page?.rows[0]?.[0] === String(committedAt)
    }
    if (await isCommittedAt(`version = ${version}`)) return
    // After a clock went back, a version counts as committed at the latest earlier instant.
    if (await isCommittedAt(`version <= ${version}`)) return
    const committed = new Date(committedAt).toISOString()
    const cause = new Error(`${tableName(schema, resource)} has no version ${version} of ${committed}`)
    const sentence =
      'A table of Trino is not that of this lake; compare them with: ledgerlake trino register --lake DIR'
    fail('not_ready', sentence, { cause })
  }

  return async (table, signal) => {
    const key = `${table.resource.name} ${table.version} ${table.digest}`
    const pending = checks.get(key)
    if (pending !== undefined) return await unlessGone(pending, signal)
    const check = compare(table)
    checks.set(key, check)
    check.catch(() => checks.delete(key))
    await unlessGone(check, signal)
  }
}
