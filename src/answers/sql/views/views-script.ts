import { isAbsolute } from 'node:path'
import { fail } from '../../../base/errors.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { resources } from '../../../catalog/resources.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import { clickhouseScript } from '../dialects/clickhouse-views.ts'
import { sparkScript } from '../dialects/spark-views.ts'
import { trinoScript } from '../dialects/trino-views.ts'
import type { ScriptDialect } from '../dialects/view-dialect.ts'
import { columnsWithPartition, listViews, viewsOver } from './view-list.ts'

/** Engines that get a script. */
export const scriptEngines = ['trino', 'spark', 'clickhouse'] as const
export type ScriptEngine = (typeof scriptEngines)[number]

/** Location of the tables and of the views. */
export interface ViewsLocation {
  /** Catalog and schema of Trino that have the tables. */
  readonly catalog: string
  readonly tables: string
  /** Folder or address of the lake for Spark and ClickHouse. */
  readonly location: string
  /** Schema, or database of ClickHouse, of the views. */
  readonly schema: string
}

const HEAD = '-- Views of a lake of ledgerlake'

/**
 * Statements that create the views in another engine, each ended by a semicolon and a line break. They show the
 * newest version. A missing table or column is empty.
 * Errors: `malformed_request` for a location that the engine could not read.
 */
export function writeViewsScript(engine: ScriptEngine, at: Snapshot, target: ViewsLocation): string {
  const dialect = dialectOf(engine, target)
  const table = ({ name }: Pick<Resource, 'name'>) => dialect.named(name)
  const views = listViews(viewsOver(dialect.views, table), (resource) => selectOf(dialect, resource, at))
  const statements = [dialect.createSchema(), ...views.flatMap(dialect.createView)]
  const missing = resources.filter((resource) => at.table(resource).logged === undefined)
  const head = [
    `${HEAD} for ${engine}, by: ledgerlake views --for ${engine}`,
    '-- They show the newest version of the tables; write them again after an update of ledgerlake.',
    ...(missing.length === 0
      ? []
      : [
          `-- Tables that have no data yet, so that their views are empty until they are written again: ${missing.map(({ name }) => name).join(', ')}`,
        ]),
  ]
  return [...head, ...statements.map((statement) => `${statement};`), ''].join('\n')
}

/** Recognizes a file of `writeViewsScript` by its content. */
export function isViewsScript(content: Buffer): boolean {
  return content.subarray(0, HEAD.length).toString() === HEAD
}

function dialectOf(
  engine: ScriptEngine,
  { catalog, tables, location, schema }: ViewsLocation,
): ScriptDialect {
  if (engine === 'trino') return trinoScript({ catalog, schema: tables }, schema)
  const baseLocation = location.replace(/(?<=.)\/+$/, '')
  if (!isAbsolute(baseLocation) && !/^[a-z][a-z\d+.-]*:\/\/\S+$/i.test(baseLocation)) {
    fail(
      'malformed_request',
      `--location is ${JSON.stringify(location)}; use an absolute path such as /srv/lake, or an address such as s3://bucket/lake.`,
    )
  }
  return engine === 'spark' ? sparkScript(baseLocation, schema) : clickhouseScript(baseLocation, schema)
}

function selectOf(dialect: ScriptDialect, resource: Resource, at: Snapshot): string {
  const { identifier, absent } = dialect.views
  const loggedColumns = at.table(resource).logged?.columns
  const selected = columnsWithPartition(resource).map(({ name, type }) => {
    const value = loggedColumns?.has(name) ? dialect.stored(resource, name) : absent(type)
    return value === identifier(name) ? value : `${value} AS ${identifier(name)}`
  })
  return `SELECT ${selected.join(', ')} ${loggedColumns === undefined ? 'WHERE false' : `FROM ${dialect.delta(resource)}`}`
}
