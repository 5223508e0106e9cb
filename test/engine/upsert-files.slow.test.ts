import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makers } from '../../src/catalog/l2/makers.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import type { IngestWriter } from '../../src/write/ports/ingest-writer.ts'
import { BATCH_ROWS, emptyBatch } from '../../src/write/ports/row-batch.ts'
import { openTestWriter } from '../support/open-test-writer.ts'
import { readExactRows } from '../support/tables/delta-table.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A maker: its address, and its name, which leads the order. */
type Maker = readonly [address: string, name: string]

async function newWriter(memoryMb: number) {
  const folder = await temporaryFolder()
  const writer = await openTestWriter(folder, undefined, { memoryMb, threads: 2 })
  onTestFinished(() => writer.close())
  return { writer, pathOf: (name: string) => join(folder, name) }
}

/** Writes the makers of sources, by name, as one file in the order of a resource. */
async function writeMakers(
  writer: IngestWriter,
  path: string,
  sources: Readonly<Record<string, readonly Maker[]>>,
  resource: Resource = makers,
): Promise<void> {
  const columns = Object.keys(makers.columns).filter((column) => column !== 'source_file')
  const batch = emptyBatch(null, columns)
  const stage = await writer.openStage(resource, [batch])
  const append = () => {
    if (batch.size > 0) stage.append(batch)
    batch.size = 0
  }
  for (const [source, rows] of Object.values(sources).entries()) {
    batch.source = source
    for (const [ordinal, [address, name]] of rows.entries()) {
      const row = { address, name, ordinal: BigInt(ordinal), bump_seed: 1, collection_bump_seed: 2 }
      for (const [slot, column] of columns.entries())
        (batch.data[slot] ?? [])[batch.size] = row[column as keyof typeof row] ?? 'x'
      batch.size += 1
      if (batch.size === BATCH_ROWS) append()
    }
    append()
  }
  await stage.write(path, new Map(Object.keys(sources).map((name, index) => [index, name])), null)
  await stage.drop()
}

const columns = ['address', 'name', 'source_file', 'ordinal']

it('the last row of every key is in the file, in the order of the table, among more keys than are compared at once', async () => {
  const { writer, pathOf } = await newWriter(96)
  const addressOf = (number: number) => `address-${(number * 7919) % 1_000_003}`
  const makersOf = (from: number, to: number, step: number, name: string): Maker[] =>
    Array.from({ length: Math.ceil((to - from) / step) }, (_, at): Maker => {
      const number = from + at * step
      return [addressOf(number), `${name} ${(number * 31) % 977}`]
    })
  const live = { 'l.json': makersOf(0, 170_000, 1, 'live') }
  const arriving = {
    // Later in the run, though not in the order of names.
    'z.json': makersOf(100_000, 180_000, 2, 'early'),
    'a.json': [...makersOf(120_000, 200_000, 2, 'late'), ...makersOf(120_000, 125_000, 4, 'last')],
  }
  await writeMakers(writer, pathOf('live'), live)
  await writeMakers(writer, pathOf('arriving'), arriving)

  const newest = new Map<string, string>()
  for (const [source, rows] of Object.entries({ ...live, ...arriving })) {
    for (const [ordinal, [address, name]] of rows.entries())
      newest.set(address, `${name}|${address}|${source}|${ordinal}`)
  }
  const sources = Object.keys(arriving)
  const upsert = {
    files: [pathOf('live')],
    without: [],
    arriving: pathOf('arriving'),
    sources,
    to: pathOf('to'),
  }
  expect(await writer.upsert(makers, upsert)).toBe(newest.size)
  const rows = await readExactRows(pathOf('to'), columns)
  const written = rows.map((row) => `${row.name}|${row.address}|${row.source_file}|${row.ordinal}`)
  // By bytes the bar comes behind every letter and digit; names are told apart before it.
  const inOrder = [...newest.values()]
    .map((row) => [row.split('|', 2).join('\0'), row] as const)
    .sort(([x], [y]) => (x < y ? -1 : 1))
    .map(([, row]) => row)
  expect(written).toEqual(inOrder)
  expect(await writer.readStateFacts(makers, pathOf('to'), pathOf('arriving'), sources)).toEqual({
    keys: newest.size,
    missing: 0,
    misplaced: 0,
  })
})

it('live files that follow one another become one, without the rows of sources that go', async () => {
  const { writer, pathOf } = await newWriter(96)
  await writeMakers(writer, pathOf('1'), { 'a.json': [['1', 'A']], 'b.json': [['2', 'B']] })
  await writeMakers(writer, pathOf('2'), { 'a.json': [['3', 'C']], 'b.json': [['4', 'D']] })
  await writeMakers(writer, pathOf('new'), { 'a.json': [['5', 'BB']] })
  const files = [pathOf('1'), pathOf('2')]
  const upsert = {
    files,
    without: ['a.json'],
    arriving: pathOf('new'),
    sources: ['a.json'],
    to: pathOf('to'),
  }
  expect(await writer.upsert(makers, upsert)).toBe(3)
  expect((await readExactRows(pathOf('to'), columns)).map((row) => row.address)).toEqual(['2', '5', '4'])
})

it('reading back detects duplicate keys, missing rows and unsorted rows', async () => {
  const { writer, pathOf } = await newWriter(96)
  const byAddress: Resource = { ...makers, order: [{ column: 'address' }] }
  const rows: readonly Maker[] = [
    ['1', 'C'],
    ['2', 'B'],
    ['2', 'D'],
    ['3', 'A'],
  ]
  await writeMakers(writer, pathOf('file'), { 'a.json': rows }, byAddress)
  await writeMakers(writer, pathOf('arriving'), {
    'a.json': [
      ['1', 'C'],
      ['4', 'X'],
      ['3', 'A'],
    ],
  })
  expect(await writer.readStateFacts(makers, pathOf('file'), pathOf('arriving'), ['a.json'])).toEqual({
    keys: 3,
    // The fourth row of the file is the third of those that arrive.
    missing: 2,
    misplaced: 2,
  })
})
