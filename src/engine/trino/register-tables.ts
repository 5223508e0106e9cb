import { fail, ServiceError } from '../../base/errors.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { tableChecker } from './same-tables.ts'
import { TrinoConnection, type TrinoOptions } from './trino-client.ts'
import { quoteIdentifier, tableName } from './trino-dialect.ts'

export interface RegisterOptions extends TrinoOptions {
  /** Lake location as the cluster sees it, such as `local:///srv/lake` or `s3://bucket/lake`. */
  readonly location: string
  /** Time limit of a statement. */
  readonly longestMs: number
}

/** Result of registering a table. */
export interface Registered {
  readonly table: string
  readonly location: string
  /** `known` if it was registered at this location before. */
  readonly was: 'registered' | 'known'
}

/**
 * Creates the schema and registers its tables; registered ones are compared. The call is idempotent, and new commits
 * need no call.
 * Errors: `malformed_request` for a table registered elsewhere; `not_ready` with the message of the cluster.
 */
export async function registerTables(
  options: RegisterOptions,
  tables: readonly TableSnapshot[],
  report: (registered: Registered) => void,
): Promise<void> {
  const { catalog, schema, longestMs } = options
  const connection = new TrinoConnection(options)
  const runSql = async (sql: string) => {
    const pages = []
    for await (const page of connection.pages(sql, longestMs)) pages.push(page)
    return pages
  }
  const checkTable = tableChecker(options, runSql)
  await withClusterWords(
    runSql(`CREATE SCHEMA IF NOT EXISTS ${quoteIdentifier(catalog)}.${quoteIdentifier(schema)}`),
  )
  const existingTables = new Set(
    (
      await withClusterWords(
        runSql(`SHOW TABLES FROM ${quoteIdentifier(catalog)}.${quoteIdentifier(schema)}`),
      )
    ).flatMap(({ rows }) => rows.map(([name]) => String(name))),
  )
  for (const table of tables) {
    const { name } = table.resource
    const location = `${options.location.replace(/\/+$/, '')}/${name}`
    const isKnown = existingTables.has(name)
    if (isKnown) {
      const [page] = await withClusterWords(runSql(`SHOW CREATE TABLE ${tableName(options, table.resource)}`))
      refuseElsewhere(`${catalog}.${schema}.${name}`, String(page?.rows[0]?.[0]), location)
    } else {
      const values = [`schema_name => ${text(schema)}`, `table_name => ${text(name)}`]
      const call = `CALL ${quoteIdentifier(catalog)}.system.register_table(${values.join(', ')}, table_location => ${text(location)})`
      await withClusterWords(runSql(call))
    }
    await withClusterWords(checkTable(table))
    report({ table: `${catalog}.${schema}.${name}`, location, was: isKnown ? 'known' : 'registered' })
  }
}

function refuseElsewhere(table: string, created: string, location: string): void {
  const registeredLocation = /\blocation = '((?:[^']|'')*)'/.exec(created)?.[1]?.replaceAll("''", "'")
  const plain = (address = '') => address.replace(/^([a-z\d]+:)\/+/, '$1/').replace(/\/+$/, '')
  if (plain(registeredLocation) === plain(location)) return
  fail(
    'malformed_request',
    `${table} is registered at ${registeredLocation ?? 'an unknown place'}, and the lake has it at ${location}. Name another schema with ` +
      '--trino-schema, or the place of the lake with --trino-location, or take the table out of Trino first (CALL system.unregister_table).',
  )
}

const WRITABLE =
  'Trino does not let this user register tables there; --trino-catalog has to name a catalog with ' +
  'delta.register-table-procedure.enabled=true and without delta.security=READ_ONLY, which is enough to serve.'

/** Administrators see the message of the cluster, which clients do not. */
async function withClusterWords<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof ServiceError) || !(error.cause instanceof Error)) throw error
    const { message: words } = error.cause
    const advice = words.startsWith('PERMISSION_DENIED') ? WRITABLE : error.message
    throw new ServiceError(error.code, `${advice} Trino says: ${words}`, { cause: error })
  }
}

const text = (value: string) => `'${value.replaceAll("'", "''")}'`
