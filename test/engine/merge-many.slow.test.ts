import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { optional, text as textColumn } from '../../src/catalog/column.ts'
import { l1Rewards } from '../../src/catalog/l1/rewards.ts'
import { iotWitnessIngestReports } from '../../src/catalog/l2/iot-witness-ingest-reports.ts'
import type { Resource, Row } from '../../src/catalog/resource.ts'
import type { IngestWriter } from '../../src/write/ports/ingest-writer.ts'
import { emptyBatch } from '../../src/write/ports/row-batch.ts'
import { openRandom } from '../../src/write/sample/random.ts'
import { openTestWriter } from '../support/open-test-writer.ts'
import { readExactRows, readMetadata } from '../support/tables/delta-table.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function newWriter() {
  const folder = await temporaryFolder()
  const writer = await openTestWriter(folder)
  onTestFinished(() => writer.close())
  return { folder, writer }
}

/** Writes rows as one file, sorted as the table is. */
async function writeRows(
  writer: IngestWriter,
  resource: Resource,
  path: string,
  name: string,
  rows: readonly Row[],
): Promise<string> {
  const columns = Object.keys(resource.columns).filter((column) => column !== 'source_file')
  const batch = emptyBatch(null, columns)
  const stage = await writer.openStage(resource, [batch])
  for (let first = 0; first < rows.length; first += 2048) {
    const some = rows.slice(first, first + 2048)
    for (const [slot, column] of columns.entries())
      for (const [place, row] of some.entries()) (batch.data[slot] ?? [])[place] = row[column] ?? null
    batch.size = some.length
    stage.append(batch)
  }
  await stage.write(path, new Map([[0, name]]), null)
  await stage.drop()
  return path
}

const random = openRandom([4, 5, 6])

/** Rewards of blocks from `first` on, so many of them in each. */
const rewards = (first: number, blocks: number, perBlock: number) =>
  Array.from(
    { length: blocks * perBlock },
    (_, place): Row => ({
      ordinal: BigInt(place),
      block: BigInt(first + Math.floor(place / perBlock)),
      transaction_hash: `hash${random.below(9)}`,
      time: 1_640_995_200n,
      account_address: random.chance(0.1) ? null : `1account${random.below(3000)}`,
      gateway_address: null,
      amount: 2n ** 62n + BigInt(place),
      type: 'poc_witness',
    }),
  )

const text = (value: unknown) => Buffer.from(String(value))
const compare = (a: bigint, b: bigint) => (a < b ? -1 : Number(a > b))

it('files that follow each other, overlap, share a block or have no row become one file in the order of the table', async () => {
  const { folder, writer } = await newWriter()
  // Far more than are sorted at once; the second begins within the last block of the first.
  const given: Readonly<Record<string, readonly Row[]>> = {
    'd.gz': rewards(1000, 2000, 40),
    'b.gz': rewards(2999, 2000, 40),
    'c.gz': rewards(2500, 1000, 30),
    'a.gz': rewards(3000, 1, 5000),
    'e.gz': [],
    'f.gz': rewards(9_000_000_000, 1, 1),
  }
  const paths: string[] = []
  for (const [name, rows] of Object.entries(given))
    paths.push(await writeRows(writer, l1Rewards, join(folder, `${name}.parquet`), name, rows))
  const to = join(folder, 'merged.parquet')
  await writer.mergeMany(l1Rewards, paths, to)

  const all = Object.entries(given).flatMap(([source_file, rows]) =>
    rows.map((row) => ({ ...row, source_file })),
  ) as (Row & { source_file: string; block: bigint; ordinal: bigint })[]
  const expected = all.sort(
    (a, b) =>
      compare(a.block, b.block) ||
      Buffer.compare(text(a.transaction_hash), text(b.transaction_hash)) ||
      Buffer.compare(text(a.source_file), text(b.source_file)) ||
      compare(a.ordinal, b.ordinal),
  )
  const stored = await readExactRows(to)
  expect(stored).toHaveLength(195_001)
  const columns = Object.keys(l1Rewards.columns)
  const lines = (rows: readonly Row[]) =>
    rows.map((row) => columns.map((column) => String(row[column])).join())
  expect(lines(stored as readonly Row[])).toEqual(lines(expected))
  expect((await readMetadata(to)).row_groups).toHaveLength(10)
  await expect(writer.readContent(l1Rewards, to)).resolves.toMatchObject({ rows: 195_001, misplaced: 0 })
})

it('witness reports, whose order is descending, are merged newest first', async () => {
  const { folder, writer } = await newWriter()
  const report = (second: number, ordinal: number): Row => ({
    ordinal: BigInt(ordinal),
    received_at: BigInt(second) * 1_000_000n,
    hotspot_key: 'key',
    data: Buffer.alloc(3000, second % 256),
    reported_at: 0n,
    reported_ns: 0n,
    tmst: 0n,
    signal: -1000,
    snr: 5,
    frequency: 868_100_000n,
    data_rate: 'SF12BW125',
    signature: Buffer.alloc(64),
  })
  const seconds = { 'b.gz': [...Array(9000).keys()].map((at) => 2 * at), 'a.gz': [7, 8, 9, 20_000, 30_000] }
  const paths: string[] = []
  for (const [name, own] of Object.entries(seconds)) {
    const rows = own.map((second, ordinal) => report(second, ordinal))
    paths.push(await writeRows(writer, iotWitnessIngestReports, join(folder, `${name}.parquet`), name, rows))
  }
  const to = join(folder, 'merged.parquet')
  await writer.mergeMany(iotWitnessIngestReports, paths, to)
  const stored = await readExactRows(to, ['received_at', 'source_file'])
  const expected = Object.entries(seconds)
    .flatMap(([source_file, own]) => own.map((second) => ({ second, source_file })))
    .sort((x, y) => y.second - x.second || Buffer.compare(text(x.source_file), text(y.source_file)))
    .map(({ second, source_file }) => ({ source_file, received_at: BigInt(second) * 1_000_000n }))
  expect(stored).toEqual(expected)
  await expect(writer.readContent(iotWitnessIngestReports, to)).resolves.toMatchObject({ misplaced: 0 })
})

it('readContent differs for any changed value and any row out of order', async () => {
  const { folder, writer } = await newWriter()
  const rows = rewards(10, 3, 2)
  const content = async (name: string, own: readonly Row[]) => {
    const path = await writeRows(writer, l1Rewards, join(folder, `${name}.parquet`), 'a.gz', own)
    return await writer.readContent(l1Rewards, path)
  }
  const whole = await content('whole', rows)
  expect(whole).toMatchObject({ rows: 6, misplaced: 0 })
  const [first, second] = [await content('first', rows.slice(0, 4)), await content('second', rows.slice(4))]
  expect(first.digest + second.digest).toBe(whole.digest)
  const changed = rows.map((row, place) => (place === 3 ? { ...row, gateway_address: '1gateway' } : row))
  expect((await content('changed', changed)).digest).not.toBe(whole.digest)
  const [early, late] = ['early', 'late'].map((name) => join(folder, `${name}.parquet`)) as [string, string]
  await writeRows(writer, l1Rewards, early, 'a.gz', rewards(10, 1, 3))
  await writeRows(writer, l1Rewards, late, 'a.gz', rewards(20, 1, 2))
  const to = join(folder, 'wrong.parquet')
  const range = (file: string, end: number) => ({ file, first: 0, end })
  await writer.copyRanges(l1Rewards, [late, early], [range(late, 2), range(early, 3)], to)
  expect(await writer.readContent(l1Rewards, to)).toMatchObject({ rows: 5, misplaced: 1 })
})

it('a copy of a file that lacks a column has that column with nulls', async () => {
  const { folder, writer } = await newWriter()
  const columns = { ...l1Rewards.columns, note: optional(textColumn('A column that came later.')) }
  const grown: Resource = { ...l1Rewards, columns }
  const [old, to] = [join(folder, 'old.parquet'), join(folder, 'new.parquet')]
  await writeRows(writer, l1Rewards, old, 'a.gz', rewards(10, 1, 3))
  await writer.copyRanges(grown, [{ path: old, lacks: ['note'] }], [{ file: old, first: 0, end: 3 }], to)
  const { columns: facts, rows } = await writer.inspect(grown, to)
  expect([rows, facts.note]).toEqual([3, { nulls: 3, least: null, most: null }])
})
