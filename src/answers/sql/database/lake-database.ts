import { rm } from 'node:fs/promises'
import { fail } from '../../../base/errors.ts'
import { listWords } from '../../../base/list-words.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { type TableRows, writeDatabaseFile } from '../../../engine/duckdb/confined/database-file.ts'
import type { View } from '../../../engine/duckdb/confined/views.ts'
import { readFault } from '../../../engine/duckdb/failures.ts'
import type { SessionOptions } from '../../../engine/duckdb/session.ts'
import { joined, name, sql } from '../../../engine/duckdb/sql.ts'
import type { CheckedFiles } from '../../../lake/integrity/checked-files.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import { sharedViews } from '../views/lake-views.ts'
import { filesOfSnapshot } from '../views/snapshot-files.ts'
import { recordOf } from './database-record.ts'
import { sourceTables } from './database-sources.ts'
import { conditionsOf, type DatabaseLimits, type Places, tablesOfFile, timedBlocks } from './table-limits.ts'

/** Writes a database file, and how. */
export interface LakeDatabase extends SessionOptions {
  readonly path: string
  readonly limits: DatabaseLimits
  readonly checkedFiles: CheckedFiles
}

/**
 * Writes a DuckDB file with the tables of a snapshot and the joined views of `sql`. Returns the rows of each table.
 * Errors: `malformed_request` if days have no blocks; `lake_damaged`; those of the file system; the reason of the signal.
 */
export async function writeLakeDatabase(
  at: Snapshot,
  { path, limits, checkedFiles, ...options }: LakeDatabase,
): Promise<readonly TableRows[]> {
  refuseTimelessBlocks(at, limits)
  const tables = tablesOfFile(limits)
  const views = sharedViews(filesOfSnapshot(at))
  const isTable = ({ name: view }: View) => tables.some((resource) => resource.name === view)
  const isLeftOut = ({ name: view }: View) => at.tables.some(({ resource }) => resource.name === view)
  const content = {
    sources: views.filter(isTable),
    tables: tables.map((resource) => tableOf(resource, views, limits)),
    views: views.filter((view) => !isTable(view) && !isLeftOut(view)),
    records: (rows: readonly TableRows[]) => [recordOf(rows, at, limits), ...sourceTables(at, limits)],
  }
  const files = at.tables.flatMap((table) => (tables.includes(table.resource) ? table.files : []))
  const write = async () => {
    await rm(path, { force: true })
    await rm(`${path}.wal`, { force: true })
    return await writeDatabaseFile(path, content, options)
  }
  try {
    const rows = await checkedFiles.read(files, write, options.signal)
    if (isWhole(limits)) requireAll(rows, at)
    return rows
  } catch (error) {
    options.signal?.throwIfAborted()
    throw readFault(error)
  }
}

const isWhole = ({ days, owner }: DatabaseLimits) => days === undefined && owner === undefined

/** Errors: `lake_damaged` if a table of the file has other rows than the log counts. */
function requireAll(tables: readonly TableRows[], at: Snapshot): void {
  for (const { resource, rows: logged } of at.tables) {
    const rows = tables.find((table) => table.name === resource.name)?.rows
    if (rows !== logged)
      fail('lake_damaged', `The log counts ${logged} rows of ${resource.name}, and its files have ${rows}.`)
  }
}

/** Errors: `malformed_request`: without times of blocks, days would have no rows of them. */
function refuseTimelessBlocks(at: Snapshot, { days }: DatabaseLimits): void {
  if (days === undefined) return
  for (const { resource, rows } of at.tables) {
    if (rows === 0 || resource.partition?.by !== 'block_range') continue
    const timed = timedBlocks(resource.partition.of)
    if (timed.some((one) => at.table(one).rows > 0)) continue
    const names = listWords(
      timed.map((one) => one.name),
      'or',
    )
    fail(
      'malformed_request',
      `The rows of ${resource.name} have no days: their blocks get their times from ${names}, which are empty. Ingest one of these, or export without days.`,
    )
  }
}

const MEMORY = name('memory')
const places: Places = {
  whole: (resource) => sql`${MEMORY}.main.${name(resource.name)}`,
  written: (resource) => name(resource.name),
}

function tableOf(resource: Resource, views: readonly View[], limits: DatabaseLimits): View {
  const view = views.find((one) => one.name === resource.name)
  if (view === undefined) throw new Error(`there is no view of ${resource.name}`)
  const conditions = [sql`true`, ...conditionsOf(resource, limits, places)]
  const select = sql`SELECT * FROM ${places.whole(resource)} WHERE ${joined(conditions, ' AND ')}`
  return { ...view, doc: `${view.doc} ${uniqueness(resource)}`, select }
}

/** An index of the key would cost more memory and disk than the table; the comment names it. */
function uniqueness({ key, holds, order }: Resource): string {
  const names = holds === 'state' && key !== undefined ? [key] : order.map(({ column }) => column)
  return `No two rows have the same ${listWords(names, 'and')}.`
}
