import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportColumns } from '../../../src/catalog/records/flat-columns.ts'
import { amountColumns } from '../../../src/catalog/resource.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { operationsOf } from '../../../src/doors/contract/operations.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { readExact } from '../../support/exact-json.ts'
import { type Cells, plainFormats, readers } from '../../support/export/read-files.ts'
import { copySmallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { makeFolder, temporaryFolder } from '../../support/temporary-folder.ts'

const lists = operationsOf(resources).filter(({ kind }) => kind === 'list')
const always = 'from=2019-01-01&to=2027-01-01'

/** As DuckDB reads them, and writes as text what NDJSON writes. */
const duckdbTypes: Readonly<Record<string, string>> = {
  ...{
    text: 'VARCHAR',
    choice: 'VARCHAR',
    uuid: 'VARCHAR',
    amount: 'UBIGINT',
    long: 'BIGINT',
    whole: 'BIGINT',
  },
  ...{
    cell: 'BIGINT',
    seconds: 'BIGINT',
    integer: 'INTEGER',
    boolean: 'BOOLEAN',
    date: 'DATE',
    count: 'DECIMAL(38,0)',
  },
}

/** Every cell as text; empty text is no null. */
const plainCsv = "header = true, all_varchar = true, quote = '\"', escape = '\"', allow_quoted_nulls = false"

let duckdb: DuckDBConnection
let lake: Lake
let server: TestServer
let end: () => Promise<void>

beforeAll(async () => {
  duckdb = await (await DuckDBInstance.create()).connect()
  const made = await makeFolder()
  await copySmallLake(made.folder)
  lake = new Lake(made.folder)
  server = await buildTestServer(made.folder)
  end = async () => {
    await server.close()
    await made.remove()
  }
})

afterAll(() => end())

async function exported(path: string, query: string) {
  const { statusCode, rawPayload, headers } = await server.server.inject(`/v1/net${path}?${query}`)
  expect(statusCode, rawPayload.toString('utf8', 0, 300)).toBe(200)
  const format = /format=(\w+)/.exec(query)?.[1] ?? ''
  const rows = await readers[format]?.(rawPayload)
  return { rows: rows ?? [], announced: headers['ledgerlake-rows'] }
}

/** The records of every page. */
async function pages(path: string, envelope: string, query: string) {
  const records: Record<string, unknown>[] = []
  for (let page: bigint | null = 1n; page !== null; ) {
    const { status, text } = await server.get(`${path}?${query}&per_page=100&page=${page}`)
    expect(status, text.slice(0, 300)).toBe(200)
    const body = readExact<
      Record<string, Record<string, unknown>[]> & { meta: { next_page: bigint | null } }
    >(text)
    records.push(...(body[envelope] ?? []))
    page = body.meta.next_page
  }
  return records
}

describe.each(lists.map(({ path, resource, rest }) => ({ path, resource, rest })))(
  'the whole list $path',
  ({ path, resource, rest }) => {
    const range = resource.filters?.from?.required ? always : ''
    let ndjson: readonly Cells[]

    beforeAll(async () => {
      ndjson = (await exported(path, `${range}&format=ndjson`)).rows
    })

    it('has the records of the pages in their order', async () => {
      const records = await pages(path, rest.envelope, range)
      expect(records.length).toBeGreaterThan(0)
      expect(ndjson.map(({ id }) => id)).toEqual(records.map(({ id }) => id))
      // Members of the same name say the same, written in the same way.
      const same = Object.keys(records[0] ?? {}).filter((name) => name in (ndjson[0] ?? {}))
      expect(same.length).toBeGreaterThan(1)
      for (const name of same.filter((one) => resource.columns[one]?.kind !== 'json')) {
        const scalar = records
          .map((record) => record[name] ?? null)
          .map((value) => (value === null ? null : String(value)))
        if (records.some((record) => typeof record[name] === 'object' && record[name] !== null)) continue
        expect([name, ndjson.map((row) => row[name])]).toEqual([name, scalar])
      }
    })

    it('has the same ids when only ids are selected', async () => {
      const { rows } = await exported(path, `${range}&format=csv&columns=id`)
      expect(rows).toEqual(ndjson.map(({ id }) => ({ id })))
    })

    it.each(plainFormats.filter((name) => name !== 'ndjson'))('is the same as %s', async (format) => {
      const { rows, announced } = await exported(path, `${range}&format=${format}`)
      expect(announced).toBe(String(ndjson.length))
      expect(rows).toEqual(ndjson)
    })

    it('is the same Parquet to DuckDB, types included', async () => {
      const { rawPayload } = await server.server.inject(`/v1/net${path}?${range}&format=parquet`)
      const file = join(await temporaryFolder(), 'list.parquet')
      writeFileSync(file, rawPayload)
      const plainly = exportColumns(resource).filter(({ type }) => type in duckdbTypes)
      const texts = plainly.map(({ name }) => `"${name}"::VARCHAR AS "${name}"`).join(', ')
      const read = `FROM read_parquet('${file}')`
      const rows = (await duckdb.runAndReadAll(`SELECT ${texts} ${read}`)).getRowObjectsJS()
      expect(rows).toEqual(
        ndjson.map((row) => Object.fromEntries(plainly.map(({ name }) => [name, row[name]]))),
      )
      const types = (await duckdb.runAndReadAll(`DESCRIBE SELECT * ${read}`)).getRowObjectsJS()
      const expected = exportColumns(resource).map(({ name, type }) => [
        name,
        duckdbTypes[type] ?? expect.any(String),
      ])
      expect(types.map(({ column_name, column_type }) => [column_name, column_type])).toEqual(expected)
    })

    it.each(['parquet', 'csv'])(
      'has as %s the stored rows of the data files, as DuckDB reads them',
      async (format) => {
        const stored = exportColumns(resource).filter(
          ({ type, from }) => from.as === 'column' && type in duckdbTypes,
        )
        expect(stored.length).toBeGreaterThan(1)
        const names = stored.map(({ name }) => name).join(',')
        const query = `${range}&format=${format}&columns=${names}`
        const { rawPayload } = await server.server.inject(`/v1/net${path}?${query}`)
        const file = join(await temporaryFolder(), 'list')
        writeFileSync(file, rawPayload)
        const reading = { parquet: `read_parquet('${file}')`, csv: `read_csv('${file}', ${plainCsv})` }[
          format
        ]
        const files = (await lake.latest()).table(resource).files.map((one) => `'${one.path}'`)
        const texts = stored.map(({ name }) => `"${name}"::VARCHAR AS "${name}"`).join(', ')
        const inFile = `SELECT ${texts} FROM ${reading}`
        const inLake = `SELECT ${texts} FROM read_parquet([${files}], hive_partitioning = false, union_by_name = true)`
        const differing = `SELECT * FROM (${inFile} EXCEPT ALL ${inLake}) UNION ALL (${inLake} EXCEPT ALL ${inFile})`
        expect((await duckdb.runAndReadAll(differing)).getRowObjectsJS()).toEqual([])
        const [count] = (
          await duckdb.runAndReadAll(`SELECT count(*) AS rows FROM (${inFile})`)
        ).getRowObjectsJS()
        expect(count?.rows).toBe(BigInt(ndjson.length))
      },
    )

    it('sums up to the totals', async () => {
      if (rest.totals === undefined) return expect(resource.totals).toBeUndefined()
      const { text } = await server.get(`${path}/totals?${range}`)
      const totals = readExact<Record<string, bigint>>(text)
      const checked = amountColumns(resource).filter((name) => `total_${name}` in totals)
      expect(checked.length).toBeGreaterThan(0)
      for (const name of checked) {
        const sum = ndjson.reduce((all, row) => all + BigInt(row[name] ?? 0), 0n)
        expect([name, sum]).toEqual([name, totals[`total_${name}`]])
      }
    })
  },
)
