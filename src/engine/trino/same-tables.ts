import { fail } from '../../base/errors.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { ResultPage } from './trino-client.ts'
import { type TrinoPlace, tableName } from './trino-dialect.ts'

type Ask = (sql: string) => Promise<readonly ResultPage[]>

/** More versions than are asked for at a time. */
const MOST_KNOWN = 500

/**
 * Whether a table of Trino is that of the lake: the entry of a version was committed at the same instant in both. Another
 * lake under the same name has versions of the same numbers, and would answer with its own figures.
 */
export class SameTables {
  readonly #place: TrinoPlace
  readonly #ask: Ask
  readonly #known = new Map<string, Promise<void>>()

  constructor(place: TrinoPlace, ask: Ask) {
    this.#place = place
    this.#ask = ask
  }

  /** Asked once for each version, for all who want to know. Errors: `not_ready` for another table; those of the cluster. */
  async check(table: TableSnapshot, signal?: AbortSignal): Promise<void> {
    const key = `${table.resource.name} ${table.version} ${table.digest}`
    const known = this.#known.get(key)
    if (known !== undefined) return await unlessGone(known, signal)
    const asked = this.#compare(table)
    this.#known.set(key, asked)
    asked.catch(() => this.#known.delete(key))
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest)
    await unlessGone(asked, signal)
  }

  async #compare({ resource, version, committedAt }: TableSnapshot): Promise<void> {
    const history = tableName(this.#place, resource, '$history')
    const asked = async (where: string) => {
      const newest = `max(date_diff('millisecond', from_unixtime(0), timestamp))`
      const [page] = await this.#ask(`SELECT CAST(${newest} AS VARCHAR) AS at FROM ${history} WHERE ${where}`)
      return page?.rows[0]?.[0] === String(committedAt)
    }
    if (await asked(`version = ${version}`)) return
    // After a clock was set back a version counts as committed at the latest instant before it.
    if (await asked(`version <= ${version}`)) return
    fail(
      'not_ready',
      'A table of Trino is not that of this lake; compare them with: ledgerlake trino register --lake DIR',
      {
        cause: new Error(
          `${tableName(this.#place, resource)} has no version ${version} of ${new Date(committedAt).toISOString()}`,
        ),
      },
    )
  }
}
