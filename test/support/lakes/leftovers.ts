import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type LogEntry, type LoggedFile, readEntries } from '../tables/delta-table.ts'
import { factsLocationOf } from '../tables/file-facts.ts'

/** Names of the tables of a lake: folders that have a log. */
export function tablesOf(lake: string): readonly string[] {
  if (!existsSync(lake)) return []
  return readdirSync(lake).filter((name) => existsSync(join(lake, name, '_delta_log')))
}

/** Files below a folder, as paths relative to it. */
export function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

function namedBy({ actions }: LogEntry): readonly string[] {
  return actions.flatMap(({ add }) => {
    if (add === undefined) return []
    const file = add as unknown as LoggedFile
    return [decodeURIComponent(file.path), factsLocationOf('', file) ?? '']
  })
}

const LOG_FILE =
  /^_delta_log\/(\d{20}\.json|\d{20}\.checkpoint\.parquet|_last_checkpoint|_snapshot\.\d{20}\.ndjson\.gz)$/

/** What lies in a lake and is neither a log nor named by one; a folder of a run counts, though it be empty. */
export function leftoversOf(lake: string): readonly string[] {
  if (!existsSync(lake)) return []
  const staged = existsSync(join(lake, '_staging')) ? readdirSync(join(lake, '_staging')) : []
  const readers = existsSync(join(lake, '_readers')) ? readdirSync(join(lake, '_readers')) : []
  const known = ['_staging', '_state', '_readers', ...tablesOf(lake)]
  const others = readdirSync(lake).filter((name) => !known.includes(name))
  const inTables = tablesOf(lake).flatMap((table) => {
    const named = new Set(readEntries(join(lake, table)).flatMap(namedBy))
    const unknown = filesBelow(join(lake, table)).filter((path) => !LOG_FILE.test(path) && !named.has(path))
    return unknown.map((path) => `${table}/${path}`)
  })
  return [
    ...staged.map((run) => `_staging/${run}`),
    ...readers.map((reader) => `_readers/${reader}`),
    ...others,
    ...inTables,
  ]
}
