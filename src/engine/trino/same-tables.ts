import { fail } from '../../base/errors.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { ResultPage } from './trino-client.ts'
import { type TrinoSchema, tableName } from './trino-dialect.ts'

type RunSql = (sql: string) => Promise<readonly ResultPage[]>

/** Limit of remembered versions. */
const MOST_CHECKS = 500

/**
 * Verifies that a Trino table belongs to the lake: commits of a version have equal times. Another lake under the same
 * name would answer with its own data.
 */
export class SameTables {
  readonly #schema: TrinoSchema
  readonly #runSql: RunSql
  readonly #checks = new Map<string, Promise<void>>()

  constructor(schema: TrinoSchema, runSql: RunSql) {
    this.#schema = schema
    this.#runSql = runSql
  }

  /**
   * Checks each version once, shared by concurrent requests.
   * Errors: `not_ready` for another table; those of the cluster.
   */
  async check(table: TableSnapshot, signal?: AbortSignal): Promise<void> {
    const key = `${table.resource.name} ${table.version} ${table.digest}`
    const pending = this.#checks.get(key)
    if (pending !== undefined) return await unlessGone(pending, signal)
    const check = this.#compare(table)
    this.#checks.set(key, check)
    check.catch(() => this.#checks.delete(key))
    const [oldest] = this.#checks.keys()
    if (this.#checks.size > MOST_CHECKS && oldest !== undefined) this.#checks.delete(oldest)
    await unlessGone(check, signal)
  }

  async #compare({ resource, version, committedAt }: TableSnapshot): Promise<void> {
    const history = tableName(this.#schema, resource, '$history')
    const isCommittedAt = async (where: string) => {
      const newest = `max(date_diff('millisecond', from_unixtime(0), timestamp))`
      const [page] = await this.#runSql(
        `SELECT CAST(${newest} AS VARCHAR) AS at FROM ${history} WHERE ${where}`,
      )
      return page?.rows[0]?.[0] === String(committedAt)
    }
    if (await isCommittedAt(`version = ${version}`)) return
    // After a clock went back, a version counts as committed at the latest earlier instant.
    if (await isCommittedAt(`version <= ${version}`)) return
    fail(
      'not_ready',
      'A table of Trino is not that of this lake; compare them with: ledgerlake trino register --lake DIR',
      {
        cause: new Error(
          `${tableName(this.#schema, resource)} has no version ${version} of ${new Date(committedAt).toISOString()}`,
        ),
      },
    )
  }
}
