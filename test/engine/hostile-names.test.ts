import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { amount, long, optional, text } from '../../src/catalog/column.ts'
import type { Resource, Row } from '../../src/catalog/resource.ts'
import type { FileToRead } from '../../src/lake/facts/data-file.ts'
import type { FileRowsReader } from '../../src/lake/ports/file-rows-reader.ts'
import type { IngestWriter } from '../../src/write/ports/ingest-writer.ts'
import { emptyBatch } from '../../src/write/ports/row-batch.ts'
import { hostileFolder, hostileName } from '../support/messages/hostile-text.ts'
import { openTestWriter } from '../support/open-test-writer.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

/** Names of a table and of two of its columns, of two sources, and of a folder. */
const hostile = fc.record({
  table: hostileFolder.map((name) => name.replaceAll(/[\\*?[]/g, '')),
  columns: fc.tuple(hostileName, hostileName),
  sources: fc.tuple(hostileName, hostileName),
  folder: hostileFolder,
  texts: fc.array(hostileName, { minLength: 3, maxLength: 6 }),
})

/** The rows of files in the order of a resource. */
async function sorted(
  writer: FileRowsReader,
  resource: Resource,
  files: readonly FileToRead[],
  firstRow?: string,
): Promise<readonly Row[]> {
  const all: Row[] = []
  for await (const { rows, columns } of writer.readSortedRows(resource, files, firstRow))
    for (let row = 0; row < rows; row += 1)
      all.push(
        Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values.at(row) ?? null])),
      )
  return all
}

/** A state table that arrives as CSV; letters of either case are one name to the engine, hence the digits. */
function declare(table: string, [key, sum]: readonly [string, string]): Resource {
  const columns = { [`1${key}`]: text('The key.'), [`2${sum}`]: optional(amount('A sum.')) }
  return {
    name: table,
    doc: 'A table of names that nobody should give.',
    columns: { ...columns, source_file: text('Source.'), ordinal: long('Number in it.') },
    order: [{ column: `1${key}` }, { column: 'source_file' }, { column: 'ordinal' }],
    partition: null,
    key: `1${key}`,
    holds: 'state',
    arrival: { as: 'csv', folder: 'none', cells: { [key]: `1${key}` } },
    access: { bounds: [`1${key}`], counts: [`1${key}`], sorted: [], pointers: [] },
  }
}

/** Writes texts as the keys of one source, and gives the rows in the order of the table. */
async function write(
  writer: IngestWriter,
  resource: Resource,
  path: string,
  source: string,
  texts: string[],
) {
  const [key = '', sum = ''] = Object.keys(resource.columns)
  const batch = emptyBatch(null, [key, sum, 'ordinal'])
  const stage = await writer.openStage(resource, [batch])
  const rows = texts.map((own, index): Row => {
    const row = { [key]: own, [sum]: 2n ** 64n - 1n - BigInt(index), ordinal: BigInt(index) }
    for (const [slot, column] of batch.columns.entries())
      batch.data[slot]?.splice(index, 1, row[column] ?? null)
    return { ...row, source_file: source }
  })
  batch.size = rows.length
  stage.append(batch)
  await stage.write(path, new Map([[0, source]]), null)
  await stage.drop()
  return rows.sort(inOrder(key))
}

/** A writer, and a folder of this name. */
async function open(name: string) {
  const folder = join(await temporaryFolder(), name)
  mkdirSync(folder)
  const writer = await openTestWriter(join(folder, 'spill'))
  onTestFinished(() => writer.close())
  return { writer, folder }
}

const inOrder = (key: string) => (a: Row, b: Row) =>
  Buffer.compare(Buffer.from(String(a[key])), Buffer.from(String(b[key]))) ||
  Buffer.compare(Buffer.from(String(a.source_file)), Buffer.from(String(b.source_file))) ||
  Number(BigInt(a.ordinal as bigint) - BigInt(b.ordinal as bigint))

it('files are written, read, merged, copied and split with any names of tables, columns, sources, folders and any values', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async ({ table, columns, sources: [one, two], folder: name, texts }) => {
      const { writer, folder } = await open(name)
      const resource = declare(table, columns)
      const [key = '', firstRow = ''] = Object.keys(resource.columns)
      const [first, second, to] = ['one', "it's two", 'to'].map((file) => join(folder, file)) as [
        string,
        string,
        string,
      ]
      const read = async (path: string, of = resource) =>
        await writer.readStretch(of, { path, lacks: [] }, { first: 0, end: 1000 })
      const [a, b] = [`1${one}`, `2${two}`]

      const own = await write(writer, resource, first, a, texts)
      const other = await write(writer, resource, second, b, texts.slice(1))
      expect(await read(first)).toEqual(own)
      const facts = await writer.inspect(resource, first)
      expect(facts.sources.map(({ source_file, rows }) => [source_file, rows])).toEqual([[a, texts.length]])
      expect(facts.columns[key]).toMatchObject({ nulls: 0, least: own[0]?.[key], most: own.at(-1)?.[key] })
      expect(facts.chunks.map(({ rows }) => rows)).toEqual([texts.length])

      const both = [...own, ...other].sort(inOrder(key))
      await writer.merge(resource, first, second, to)
      expect(await read(to)).toEqual(both)
      await writer.mergeMany(resource, [first, second], `${to}.many`)
      expect(await read(`${to}.many`)).toEqual(both)
      expect(await writer.readContent(resource, to)).toMatchObject({ rows: both.length, misplaced: 0 })
      await writer.copyRanges(resource, [to], [{ file: to, first: 1, end: 3 }], `${to}.range`)
      expect(await read(`${to}.range`)).toEqual(both.slice(1, 3))
      await writer.copyWithout(resource, { path: to, lacks: [] }, [a], `${to}.without`)
      expect(await read(`${to}.without`)).toEqual(other)
      expect(await sorted(writer, resource, [to])).toEqual(both)
      const pointing: Resource = {
        ...resource,
        columns: { [key]: text('The key.'), [firstRow]: long('Its first row.') },
        order: [{ column: key }],
      }
      const places = new Map(both.map((row, place) => [row[key], BigInt(place)] as const).reverse())
      expect(await sorted(writer, pointing, [to], firstRow)).toEqual(
        [...places].reverse().map(([own, place]) => ({ [key]: own, [firstRow]: place })),
      )

      const apart = [first, { path: second, lacks: ['3'] }]
      const numberIn = (rows: readonly Row[], own: unknown) =>
        rows.map((row, place) => (row[key] === own ? place : Number.POSITIVE_INFINITY))
      expect(await sorted(writer, pointing, apart, firstRow)).toEqual(
        [...new Set(both.map((row) => row[key]))].map((value) => ({
          ...{
            [key]: value,
            [firstRow]: BigInt(Math.min(...numberIn(own, value), ...numberIn(other, value))),
          },
        })),
      )

      const upsert = { files: [first], without: [a], arriving: second, sources: [b], to: `${to}.upsert` }
      const keys = new Set(texts.slice(1)).size
      expect(await writer.upsert(resource, upsert)).toBe(keys)
      expect(await writer.readStateFacts(resource, upsert.to, second, [b])).toEqual({
        ...{ keys, missing: 0, misplaced: 0 },
      })
    }),
    { numRuns: scaled(6, 25) },
  )
})

it('CSV records keep the content of their cells, in files and under names of any kind', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async ({ table, columns, sources: [source], folder: name, texts }) => {
      const resource = declare(table, columns)
      const [key = ''] = Object.keys(resource.columns)
      const { writer, folder } = await open(name)
      const path = join(folder, "it's.csv")
      writeFileSync(path, texts.map((cell) => `"${cell.replaceAll('"', '""')}"\n`).join(''))
      const stage = writer.openCsvStage(resource)
      const options = {
        isGzip: false,
        isPadded: false,
        hasHeader: false,
        newLine: '\n',
        only: undefined,
      } as const
      const loaded = await stage.load(path, { ...options, index: 0, mostRefused: () => 0 })
      expect(loaded).toMatchObject({ records: texts.length, refused: 0, broken: undefined })
      const to = join(folder, 'to.parquet')
      await stage.write(to, new Map([[0, source]]), null)
      await stage.drop()
      const rows = await writer.readStretch(resource, { path: to, lacks: [] }, { first: 0, end: 1000 })
      const found = rows.map((row) => [row.ordinal, row[key], row.source_file])
      const expected = texts.map((cell, index) => [BigInt(index), cell, source])
      expect(found.sort()).toEqual(expected.sort())
    }),
    { numRuns: scaled(6, 25) },
  )
})
