import { deepStrictEqual } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { writeInstant } from '../../src/base/values/instant.ts'
import type { Json, JsonObject } from '../../src/base/values/json-writer.ts'
import type { Question } from './questions.ts'

/** One record, as far as it is compared: end_period, reward_type, hotspot_key, then the amounts as digits. */
type Facets = readonly (string | null)[]

/** A second opinion in SQL of its own over the same files; every question of a case in one statement. */
export interface Checker {
  /** The bodies of totals. */
  totals(questions: readonly Question[]): Promise<readonly string[]>
  /** The records of pages. */
  pages(questions: readonly Question[]): Promise<readonly (readonly Facets[])[]>
}

const amounts = ['beacon_amount', 'witness_amount', 'dc_transfer_amount', 'amount'] as const

export function openChecker(
  duckdb: DuckDBConnection,
  files: readonly { readonly path: string }[],
  folder: string,
): Checker {
  const table = `read_parquet([${files.map(({ path }) => `'${path}'`).join(', ')}], hive_partitioning = false)`
  const select = async (sql: string) => (await duckdb.runAndReadAll(sql)).getRowObjectsJS()

  return {
    async totals(questions) {
      await ask(duckdb, folder, questions)
      const sums = amounts.map((column) => `coalesce(sum(${column}), 0)::HUGEINT AS ${column}`)
      const rows = await select(
        `WITH part AS (${summed(table, questions)})
         SELECT number, ${sums.join(', ')} FROM asked LEFT JOIN part
           ON part.hotspot_key = hotspot AND end_us BETWEEN lower AND upper AND (kind = '' OR kind = reward_type)
         GROUP BY number ORDER BY number`,
      )
      return rows.map((row) => `{${amounts.map((column) => `"total_${column}":${row[column]}`).join(',')}}`)
    },

    async pages(questions) {
      await ask(duckdb, folder, questions)
      const isOfHotspots = questions.some(({ query }) => query.filters.hotspot_key !== undefined)
      const rows = await select(isOfHotspots ? listsOfHotspots(table) : pagesOfRanges(table))
      const pages: Facets[][] = questions.map(() => [])
      for (const row of rows) {
        const values = ['reward_type', 'hotspot_key', ...amounts].map(
          (column) => (row[column] as string) ?? null,
        )
        pages[Number(row.number)]?.push([writeInstant(row.end_us as bigint), ...values])
      }
      return pages
    },
  }
}

const inRange = `end_period BETWEEN make_timestamptz(lower) AND make_timestamptz(upper)
  AND (kind = '' OR kind = reward_type)`
const orderInGroup = 'source_file, hotspot_key NULLS FIRST, ordinal'
const shown = `epoch_us(end_period) AS end_us, reward_type, hotspot_key,
  ${amounts.map((column) => `${column}::VARCHAR AS ${column}`).join(', ')}`

function listsOfHotspots(table: string): string {
  return `WITH placed AS (
      SELECT asked.*, t.*, row_number() OVER (PARTITION BY number ORDER BY end_period, reward_type, ${orderInGroup}) - 1 AS place
      FROM ${table} t JOIN asked ON ${inRange} AND hotspot_key = hotspot)
    SELECT number, ${shown} FROM placed WHERE place >= first AND place < after ORDER BY number, place`
}

/** Rows of one end_period and type are counted; only those of groups that pages touch are put into order. */
function pagesOfRanges(table: string): string {
  const same = (one: string, other: string) =>
    ['lower', 'upper', 'kind'].map((name) => `${one}.${name} = ${other}.${name}`).join(' AND ')
  return `WITH ranges AS (SELECT DISTINCT lower, upper, kind FROM asked),
      counts AS (SELECT end_period, reward_type, count(*) AS rows FROM ${table} GROUP BY ALL),
      groups AS (
        SELECT *, sum(rows) OVER (PARTITION BY lower, upper, kind ORDER BY end_period, reward_type) - rows AS before
        FROM counts JOIN ranges ON ${inRange}),
      touched AS (
        SELECT DISTINCT groups.* FROM groups JOIN asked ON ${same('groups', 'asked')}
          AND asked.first < before + rows AND asked.after > before),
      placed AS (
        SELECT t.*, lower, upper, kind, before - 1 + row_number() OVER (
          PARTITION BY lower, upper, kind, end_period, reward_type ORDER BY ${orderInGroup}) AS place
        FROM ${table} t JOIN touched USING (end_period, reward_type))
    SELECT number, ${shown}
    FROM asked JOIN placed ON ${same('asked', 'placed')} AND place >= first AND place < after
    ORDER BY number, place`
}

/** Puts the filters and pages of questions into the table `asked`. */
async function ask(duckdb: DuckDBConnection, folder: string, questions: readonly Question[]): Promise<void> {
  const lines = questions.map(({ query: { filters, page, perPage } }, number) => {
    const { from, to, hotspot_key = '', reward_type = '' } = filters
    const first = (page - 1) * perPage
    return [number, from, to, hotspot_key, reward_type, first, first + perPage].join(',')
  })
  const path = join(folder, 'asked.csv')
  writeFileSync(path, `${lines.join('\n')}\n`)
  const columns =
    "{'number': 'INTEGER', 'lower': 'BIGINT', 'upper': 'BIGINT', 'hotspot': 'VARCHAR', 'kind': 'VARCHAR', 'first': 'BIGINT', 'after': 'BIGINT'}"
  await duckdb.run(
    `CREATE OR REPLACE TEMP TABLE asked AS
     SELECT * REPLACE (coalesce(hotspot, '') AS hotspot, coalesce(kind, '') AS kind)
     FROM read_csv('${path}', header = false, columns = ${columns})`,
  )
}

/** Rows of hotspots that are asked for, or sums of each day where none is. */
function summed(table: string, questions: readonly Question[]): string {
  const exact = (value: (column: string) => string) =>
    amounts.map((column) => `${value(column)} AS ${column}`).join(', ')
  return questions.some(({ query }) => query.filters.hotspot_key !== undefined)
    ? `SELECT epoch_us(end_period) AS end_us, reward_type, hotspot_key, ${exact((column) => `${column}::HUGEINT`)}
       FROM ${table} WHERE hotspot_key IN (SELECT hotspot FROM asked)`
    : `SELECT epoch_us(end_period) AS end_us, reward_type, '' AS hotspot_key,
         ${exact((column) => `sum(${column}::HUGEINT)::HUGEINT`)} FROM ${table} GROUP BY ALL`
}

/** What a record of ours says of what is compared. */
export function facetsOf(record: JsonObject): Facets {
  const detail = record.reward_detail as JsonObject
  return [
    String(record.end_period),
    String(record.reward_type),
    ...['hotspot_key', ...amounts].map((column) => digitsOf(detail[column])),
  ]
}

function digitsOf(value: Json | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

/** Throws at the first page that is another. */
export function checkPage(path: string, own: readonly Facets[], right: readonly Facets[] | undefined): void {
  deepStrictEqual(own, right, path)
}
