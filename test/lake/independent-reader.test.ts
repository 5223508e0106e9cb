import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { FileMetaData, SchemaElement } from 'hyparquet'
import { ParquetReader } from 'parquetjs-lite/lib/reader.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { readExpected } from '../support/fixtures.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { craftArtifact, oneDay } from '../support/messages/craft-artifacts.ts'
import { type FixtureSource, fixtureSources } from '../support/messages/oracle-rows.ts'
import {
  addedFiles,
  type ExactRow,
  type ExactValue,
  locationOf,
  readEntries,
  readExactRows,
  readMetadata,
} from '../support/tables/delta-table.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const { counts } = readExpected()

interface TableFacts {
  readonly name: string
  readonly rows: number
  /** Columns by which the rows of a file are sorted, nulls first; `-` is descending. */
  readonly order: readonly string[]
  /** Columns that tell every row from every other. */
  readonly identity: readonly string[]
}

const shareOrder = ['end_period', 'reward_type', 'source_file', 'hotspot_key', 'ordinal']
const tables: readonly TableFacts[] = [
  {
    name: 'iot_reward_shares',
    rows: counts.iot ?? -1,
    order: shareOrder,
    identity: ['source_file', 'ordinal'],
  },
  {
    name: 'mobile_reward_shares',
    rows: counts.mobile ?? -1,
    order: shareOrder,
    identity: ['source_file', 'ordinal'],
  },
  {
    name: 'reward_manifests',
    rows: counts.manifests ?? -1,
    order: ['end_timestamp', 'source_file', 'reward_type', 'ordinal'],
    identity: ['reward_type', 'source_file', 'ordinal'],
  },
  {
    name: 'iot_witness_ingest_reports',
    rows: counts.witness ?? -1,
    order: ['-received_at', 'source_file', 'ordinal'],
    identity: ['source_file', 'ordinal'],
  },
]

function compareValues(a: ExactValue, b: ExactValue): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  if (typeof a === 'bigint') return a < (b as bigint) ? -1 : a > (b as bigint) ? 1 : 0
  return Buffer.compare(Buffer.from(a as string), Buffer.from(b as string))
}

function compareRows(order: readonly string[], a: ExactRow, b: ExactRow): number {
  for (const step of order) {
    const column = step.replace('-', '')
    const compared = compareValues(a[column] ?? null, b[column] ?? null)
    if (compared !== 0) return step.startsWith('-') ? -compared : compared
  }
  return 0
}

function identify(row: ExactRow, identity: readonly string[]): string {
  return identity.map((column) => String(row[column])).join(' ')
}

/** Columns without a value are left out, so that rows of one variant look alike wherever they come from. */
function withoutNulls(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}

function byIdentity<R extends object>(
  rows: readonly R[],
  identity: readonly string[],
): ReadonlyMap<string, R> {
  const found = new Map(rows.map((row) => [identify(row as unknown as ExactRow, identity), row]))
  expect(found.size).toBe(rows.length)
  return found
}

const schemaFields = (table: string) => {
  const schemaString = String(readEntries(table)[0]?.actions[2]?.metaData?.schemaString)
  return (JSON.parse(schemaString) as { fields: readonly { name: string; type: unknown }[] }).fields
}

const sumOf = (rows: readonly ExactRow[], column: string) =>
  rows.reduce((sum, row) => sum + ((row[column] as bigint | null | undefined) ?? 0n), 0n)

describe('the data files of a lake, read by another program', () => {
  let lake: string
  let sources: readonly FixtureSource[]
  const rowsOf = new Map<string, readonly ExactRow[]>()

  beforeAll(async () => {
    lake = await smallLake()
    sources = fixtureSources()
    for (const { name } of tables) rowsOf.set(name, (await readFiles(join(lake, name))).flat())
  })

  function readFiles(table: string): Promise<(readonly ExactRow[])[]> {
    return Promise.all(addedFiles(table).map((file) => readExactRows(locationOf(table, file))))
  }

  describe.each(tables)('$name', ({ name, order, identity }) => {
    const table = () => join(lake, name)
    const rows = () => rowsOf.get(name) ?? []

    it('has every value of the artifact, to the last digit', () => {
      const written = sources.filter((source) => source.table === name).flatMap((source) => source.rows)
      const stored = byIdentity(rows(), identity)
      expect(stored.size).toBe(written.length)
      for (const [key, row] of byIdentity(written, identity)) {
        expect(withoutNulls(stored.get(key) ?? {})).toEqual(withoutNulls(row))
      }
    })

    it('has several sources in one file, and the rows of a file in the order of the table', async () => {
      const files = await readFiles(table())
      const sourcesIn = files.map((file) => new Set(file.map((row) => row.source_file)).size)
      expect(Math.max(...sourcesIn)).toBeGreaterThan(1)
      for (const file of files) {
        for (const [index, row] of file.slice(1).entries()) {
          expect(compareRows(order, file[index] as ExactRow, row)).toBe(-1)
        }
      }
    })

    it('has in its files the columns of its schema, in that order, but for the month', async () => {
      const declared = schemaFields(table()).map((field) => field.name)
      expect(declared.at(-1)).toBe('month')
      for (const file of addedFiles(table())) {
        const metadata = await readMetadata(locationOf(table(), file))
        expect(topLevel(metadata).map((element) => element.name)).toEqual(declared.slice(0, -1))
      }
    })

    it('stores each declared type as the protocol requires', async () => {
      const declared = new Map(schemaFields(table()).map((field) => [field.name, field.type]))
      for (const file of addedFiles(table())) {
        for (const element of topLevel(await readMetadata(locationOf(table(), file)))) {
          expect([element.name, storedAs(element)]).toEqual([
            element.name,
            parquetTypes[JSON.stringify(declared.get(element.name))],
          ])
        }
      }
    })

    it('stores every column with zstd, and all rows in row groups', async () => {
      for (const file of addedFiles(table())) {
        const metadata = await readMetadata(locationOf(table(), file))
        const codecs = metadata.row_groups.flatMap((group) =>
          group.columns.map((column) => column.meta_data?.codec),
        )
        expect([...new Set(codecs)]).toEqual(['ZSTD'])
        const groupRows = metadata.row_groups.map((group) => group.num_rows)
        expect(groupRows.reduce((sum, count) => sum + count, 0n)).toBe(metadata.num_rows)
      }
    })
  })

  it.each(tables)(
    'parquetjs-lite reads the same rows and sums of $name from a snappy export',
    async (facts) => {
      const table = join(lake, facts.name)
      const path = join(await temporaryFolder(), 'export.parquet')
      const types = new Map(schemaFields(table).map((field) => [field.name, JSON.stringify(field.type)]))
      await exportSnappy(
        path,
        types,
        addedFiles(table).map((file) => locationOf(table, file)),
      )
      const exported = (await readWithParquetjs(path)).map((row) => exactRow(row, types))
      const rows = rowsOf.get(facts.name) ?? []
      expect(exported).toHaveLength(facts.rows)
      const found = byIdentity(exported, facts.identity)
      for (const row of rows) {
        expect(found.get(identify(row, facts.identity))).toEqual(withoutNulls(row))
      }
      for (const [column, type] of types) {
        if (type === '"decimal(20,0)"') expect(sumOf(exported, column)).toBe(sumOf(rows, column))
      }
    },
  )
})

it('a file of 130,000 rows has row groups of 10,240 rows', async () => {
  const [lake, input] = [await temporaryFolder(), await temporaryFolder()]
  const rows = Array.from({ length: 130_000 }, (_, index) => ({
    ...oneDay,
    reward_type: 'operational_reward',
    amount: BigInt(index) * 10_000_000_000_000n,
  }))
  await ingestInto(lake, [craftArtifact(input, 'iot_reward_share', 1738110600000, rows)])
  const table = join(lake, 'iot_reward_shares')
  const [file, ...others] = addedFiles(table)
  if (file === undefined) throw new Error('nothing was added')
  expect(others).toEqual([])
  const metadata = await readMetadata(locationOf(table, file))
  expect(metadata.row_groups.map((group) => group.num_rows)).toEqual([...Array(12).fill(10_240n), 7_120n])
  const stored = await readExactRows(locationOf(table, file))
  expect(stored.findIndex((row, index) => row.ordinal !== BigInt(index))).toBe(-1)
  expect(sumOf(stored, 'amount')).toBe((129_999n * 130_000n * 10_000_000_000_000n) / 2n)
})

/** The elements of a file's columns; what lies below a list is left out. */
function topLevel(metadata: FileMetaData): readonly SchemaElement[] {
  const [root, ...elements] = metadata.schema
  const columns: SchemaElement[] = []
  for (let at = 0; at < elements.length; at += sizeOf(elements, at)) {
    columns.push(elements[at] as SchemaElement)
  }
  expect(columns).toHaveLength(root?.num_children ?? -1)
  return columns
}

function sizeOf(elements: readonly SchemaElement[], at: number): number {
  let size = 1
  for (let child = 0; child < (elements[at]?.num_children ?? 0); child += 1)
    size += sizeOf(elements, at + size)
  return size
}

/** How each type of the Delta protocol lies in a Parquet file. */
const parquetTypes: Readonly<Record<string, string>> = {
  '"string"': 'BYTE_ARRAY UTF8',
  '"long"': 'INT64 INT_64',
  '"integer"': 'INT32 INT_32',
  '"timestamp"': 'INT64 TIMESTAMP_MICROS MICROS adjusted to UTC',
  '"decimal(20,0)"': 'FIXED_LEN_BYTE_ARRAY DECIMAL 20,0',
  '"decimal(38,18)"': 'FIXED_LEN_BYTE_ARRAY DECIMAL 38,18',
  '"binary"': 'BYTE_ARRAY',
  '{"type":"array","elementType":"string","containsNull":false}': 'LIST',
}

function storedAs(element: SchemaElement): string {
  const { type, converted_type, logical_type, precision, scale } = element
  const parts: (string | undefined)[] = [type, converted_type]
  if (converted_type === 'DECIMAL') parts.push(`${precision},${scale}`)
  if (logical_type?.type === 'TIMESTAMP') {
    parts.push(logical_type.unit, logical_type.isAdjustedToUTC ? 'adjusted to UTC' : 'local time')
  } else if (logical_type !== undefined && logical_type.type !== converted_type) {
    parts.push(`logical ${logical_type.type}`)
  }
  return parts.filter((part) => part !== undefined).join(' ')
}

/** A copy without instants and decimals, which parquetjs-lite cannot read. */
const exportedAs: Readonly<Record<string, (column: string) => string>> = {
  '"decimal(20,0)"': (column) => `${column}::BIGINT`,
  '"decimal(38,18)"': (column) => `${column}::VARCHAR`,
  '"timestamp"': (column) => `epoch_us(${column})`,
  '"binary"': (column) => `lower(hex(${column}))`,
  '{"type":"array","elementType":"string","containsNull":false}': (column) => `to_json(${column})::VARCHAR`,
}

async function exportSnappy(
  path: string,
  types: ReadonlyMap<string, string>,
  files: readonly string[],
): Promise<void> {
  const columns = [...types]
    .filter(([name]) => name !== 'month')
    .map(([name, type]) => `${exportedAs[type]?.(name) ?? name} AS ${name}`)
  const list = files.map((file) => `'${file.replaceAll("'", "''")}'`)
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  try {
    await connection.run(
      `COPY (SELECT ${columns.join(', ')} FROM read_parquet([${list.join(', ')}], hive_partitioning = false)) ` +
        `TO '${path.replaceAll("'", "''")}' (FORMAT parquet, COMPRESSION snappy)`,
    )
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

async function readWithParquetjs(path: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const reader = await ParquetReader.openFile(path)
  try {
    const cursor = reader.getCursor()
    const rows: Readonly<Record<string, unknown>>[] = []
    for (let row = await cursor.next(); row !== null; row = await cursor.next()) rows.push(row)
    return rows
  } finally {
    await reader.close()
  }
}

/** What parquetjs-lite gives, in the form of `readExactRows`. */
function exactRow(row: Readonly<Record<string, unknown>>, types: ReadonlyMap<string, string>): ExactRow {
  const entries = Object.entries(row)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]): [string, ExactValue] => {
      const type = types.get(name) ?? ''
      if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new Error(`${value} is rounded`)
      const text = Buffer.isBuffer(value) ? value.toString('utf8') : String(value)
      if (type === '"decimal(38,18)"') return [name, text.replace(/\.?0+$/, '')]
      if (type.startsWith('{')) return [name, JSON.parse(text) as string[]]
      // Plain INT64 comes as bigint, INT64 behind a dictionary as its digits.
      return [name, ['"string"', '"binary"'].includes(type) ? text : BigInt(text)]
    })
  return Object.fromEntries(entries)
}
