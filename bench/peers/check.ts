import { deepStrictEqual } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { writeInstant } from '../../src/derive/instant.ts'
import type { Json, JsonObject } from '../../src/derive/json-writer.ts'
import type { Question } from '../totals/questions.ts'

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
      const place = `row_number() OVER (PARTITION BY number
        ORDER BY end_period, reward_type, source_file, hotspot_key NULLS FIRST, ordinal) - 1`
      // Pages of all rows share one numbering, so that many of them cost one sort.
      const asked = isOfHotspots ? 'asked' : '(SELECT DISTINCT ON (lower, upper, kind) * FROM asked)'
      const same = isOfHotspots
        ? 'placed.number = asked.number'
        : 'placed.lower = asked.lower AND placed.upper = asked.upper AND placed.kind = asked.kind'
      const match = `end_period BETWEEN make_timestamptz(lower) AND make_timestamptz(upper)
        AND (kind = '' OR kind = reward_type) ${isOfHotspots ? 'AND hotspot_key = hotspot' : ''}`
      const rows = await select(
        `WITH placed AS (SELECT a.number, a.lower, a.upper, a.kind, ${place} AS place, epoch_us(end_period) AS end_us,
           reward_type, hotspot_key, ${amounts.join(', ')} FROM ${table} JOIN ${asked} a ON ${match})
         SELECT asked.number, end_us, reward_type, hotspot_key,
           ${amounts.map((column) => `${column}::VARCHAR AS ${column}`).join(', ')}
         FROM asked JOIN placed ON ${same} AND place >= asked.first AND place < asked.after
         ORDER BY asked.number, place`,
      )
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

/** The same of a record that PostgreSQL's server gives. */
export function peerFacetsOf(record: JsonObject): Facets {
  return [
    String(record.end_period).replace('.000', ''),
    ...['reward_type', 'hotspot_key', ...amounts].map((column) => digitsOf(record[column])),
  ]
}

function digitsOf(value: Json | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

/** Throws at the first page that is another. */
export function checkPage(path: string, own: readonly Facets[], right: readonly Facets[] | undefined): void {
  deepStrictEqual(own, right, path)
}
