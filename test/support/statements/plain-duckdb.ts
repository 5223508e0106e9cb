import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { writeLakeViews } from '../../../src/answers/sql/views/lake-views.ts'
import { openLake } from '../../../src/lake/snapshot/lake.ts'
import { cleanUp } from '../clean-up.ts'
import type { Cells } from '../export/read-files.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import type { DrawnStatement } from './drawn-statements.ts'

/** Asks a statement through one door. */
export type AskRows = (statement: DrawnStatement) => Promise<readonly Cells[]>

/** A DuckDB of its own over the views of a lake: no gate, no process, no formats. */
export async function openPlainDuckdb(lake: string): Promise<AskRows> {
  const path = join(await temporaryFolder(), 'views.duckdb')
  await writeLakeViews(path, await (await openLake(lake)).latest())
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  cleanUp(async () => instance.closeSync())
  await connection.run("SET TimeZone = 'UTC'")
  return async ({ query, values }) => {
    const text = `SELECT COLUMNS(*)::VARCHAR FROM (${query})`
    const reader = await connection.runAndReadAll(text, [...values])
    return reader.getRowsJS().map((row) => toCells(reader.columnNames(), row as (string | null)[]))
  }
}

/** Spells instants and fractions as the readers of files do. */
export function toCells(names: readonly string[], texts: readonly (string | null)[]): Cells {
  return Object.fromEntries(names.map((name, index) => [name, spell(texts[index] ?? null)]))
}

function spell(text: string | null): string | null {
  if (text === null) return null
  const instant = /^(\d{4}-\d\d-\d\d)[ T]([\d:.]+)(?:\+00|Z)$/.exec(text)
  if (instant !== null) return `${instant[1]}T${instant[2]}Z`
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text
}
