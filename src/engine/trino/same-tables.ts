import { fail } from '../../base/errors.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { ResultPage } from './trino-client.ts'
import { type TrinoPlace, tableName } from './trino-dialect.ts'

type RunSql = (sql: string) => Promise<readonly ResultPage[]>

/** More versions than are asked for at a time. */
const MOST_KNOWN = 500

/**
 * Whether a table of Trino is that of the lake: the entry of a version was committed at the same instant in both. Another
 * lake under the same name has versions of the same numbers, and would answer with its own figures.
 */
export class SameTables {
  readonly #schema: TrinoPlace
  readonly #runSql: RunSql
  readonly #checks = new Map<string, Promise<void>>()

  constructor(schema: TrinoPlace, runSql: RunSql) {
    this.#schema = schema
    this.#runSql = runSql
  }

  /** Asked once for each version, for all who want to know. Errors: `not_ready` for another table; those of the cluster. */
  async check(table: TableSnapshot, signal?: AbortSignal): Promise<void> {
    const key = `${table.resource.name} ${table.version} ${table.digest}`
    const pending = this.#checks.get(key)
    if (pending !== undefined) return await unlessGone(pending, signal)
    const check = this.#compare(table)
    this.#checks.set(key, check)
    check.catch(() => this.#checks.delete(key))
    const [oldest] = this.#checks.keys()
    if (this.#checks.size > MOST_KNOWN && oldest !== undefined) this.#checks.delete(oldest)
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
    // After a clock was set back a version counts as committed at the latest instant before it.
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
