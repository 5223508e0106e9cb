import { expect, it } from 'vitest'
import type { FlatBatch } from '../../../src/answers/export/formats/flat-batch.ts'
import { joinParquet, writeParquet } from '../../../src/answers/export/formats/parquet.ts'
import type { FlatColumn } from '../../../src/catalog/records/flat-columns.ts'
import { readers } from '../../support/export/read-files.ts'

const columns: readonly FlatColumn[] = [
  { name: 'text', type: 'text', doc: 'A text.', from: { as: 'id' } },
  { name: 'amount', type: 'amount', doc: 'An amount.', from: { as: 'id' } },
]

async function* batchesOf(first: number, rows: number): AsyncGenerator<FlatBatch> {
  const numbers = Array.from({ length: rows }, (_, row) => first + row)
  yield { rows, columns: [numbers.map((row) => `text ${row % 7}`), numbers.map(BigInt)] }
}

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(Buffer.from(piece))
  return Buffer.concat(all)
}

it('Parquet files of 3,000 and 10 rows are joined as one file with the rows of both', async () => {
  async function* parts() {
    for (const [first, rows] of [
      [0, 3000],
      [3000, 10],
    ] as const)
      yield await bytesOf(writeParquet(columns, batchesOf(first, rows), { integersAsText: false }))
  }
  const rows = await readers.parquet?.(await bytesOf(joinParquet(columns, parts())))
  const expected = Array.from({ length: 3010 }, (_, row) => ({
    text: `text ${row % 7}`,
    amount: String(row),
  }))
  expect(rows).toEqual(expected)
})

it('a list of more rows than a part is one Parquet file with all of them', async () => {
  const ROWS = 70_000
  const bytes = await bytesOf(writeParquet(columns, batchesOf(0, ROWS), { integersAsText: false }))
  const rows = (await readers.parquet?.(bytes)) ?? []
  expect(rows.map(({ amount }) => amount)).toEqual(Array.from({ length: ROWS }, (_, row) => String(row)))
})
