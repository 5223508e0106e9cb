import { expect, it } from 'vitest'
import type { FlatBatch, FlatValue, FlatValues } from '../../../src/answers/export/formats/flat-batch.ts'
import { writers } from '../../../src/answers/export/formats/formats.ts'
import { typed } from '../../../src/answers/export/formats/typed.ts'
import { valueTypeOf } from '../../../src/answers/export/formats/value-types.ts'
import { Constant } from '../../../src/base/values/vector.ts'
import type { FlatColumn, FlatType } from '../../../src/catalog/records/flat-columns.ts'
import { readers } from '../../support/export/read-files.ts'

const ROWS = 17_000

const columnOf = (name: string, type: FlatType): FlatColumn => ({ name, type, doc: name, from: { as: 'id' } })

/** A column of each type that a format holds in a way of its own: a value for most numbers, as long runs of one for the others. */
const columns: readonly (readonly [FlatColumn, (row: number) => FlatValue])[] = [
  [columnOf('text', 'text'), (row) => (row % 3 === 0 ? null : 'x'.repeat(row % 7) + row)],
  [columnOf('file', 'text'), (row) => `file ${row >> 11}`],
  [columnOf('missing', 'instant'), (row) => (row < 4096 ? null : BigInt(row))],
  [columnOf('never', 'integer'), () => null],
  [columnOf('isIt', 'boolean'), (row) => (row % 5 === 0 ? null : row % 2 === 0)],
  [columnOf('small', 'integer'), (row) => (row % 11 === 0 ? null : row - 2500)],
  [columnOf('day', 'date'), (row) => 20_000 + (row >> 11)],
  [columnOf('cell', 'cell'), (row) => (row % 2 === 0 ? null : BigInt(row) << 40n)],
  [columnOf('amount', 'amount'), (row) => (row % 13 === 0 ? null : 2n ** 64n - 1n - BigInt(row))],
  [columnOf('tokens', 'tokens'), (row) => (row < 2048 ? 5n : 6n)],
]

type Hold = (column: FlatColumn, values: readonly FlatValue[]) => FlatValues

/** As a list of values, as machines hold them, and as one value where all rows have it. */
const asList: Hold = (_, values) => values as FlatValue[]
const asTyped: Hold = (column, values) => typed(valueTypeOf(column), values as FlatValue[]) as FlatValues
const asConstant: Hold = (column, values) =>
  new Set(values).size === 1 ? new Constant(values[0] as FlatValue) : asTyped(column, values)

/** All rows in batches that end before these. */
async function* batchesOf(hold: Hold, ends: readonly number[]): AsyncGenerator<FlatBatch> {
  let first = 0
  for (const end of [...ends, ROWS]) {
    const rows = end - first
    const from = first
    const held = columns.map(([column, valueAt]) =>
      hold(
        column,
        Array.from({ length: rows }, (_, row) => valueAt(from + row)),
      ),
    )
    yield { rows, columns: held }
    first = end
  }
}

async function written(format: 'arrow' | 'parquet', hold: Hold, ends: readonly number[]): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  const own = columns.map(([column]) => column)
  for await (const piece of writers[format](own, batchesOf(hold, ends), { integersAsText: false }))
    pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

const day = (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10)
const instant = (micros: bigint) =>
  `1970-01-01T00:00:00.${String(micros).padStart(6, '0').replace(/0+$/, '')}Z`

function textOf(type: FlatType, value: FlatValue): string | null {
  if (value === null) return null
  if (type === 'date') return day(value as number)
  if (type === 'instant') return instant(value as bigint)
  return type === 'tokens' ? `0.0000000${value}` : String(value)
}

it.each(['arrow', 'parquet'] as const)(
  'a file of %s has the same bytes however many rows come at once, and every row',
  async (format) => {
    const once = await written(format, asList, [])
    expect((await written(format, asTyped, [1, 700, 2047, 2049, 9000, 16_384])).equals(once)).toBe(true)
    expect((await written(format, asConstant, [2048, 4096, 8192, 16_384])).equals(once)).toBe(true)
    expect(await readers[format]?.(once)).toEqual(
      Array.from({ length: ROWS }, (_, row) =>
        Object.fromEntries(columns.map(([{ name, type }, valueAt]) => [name, textOf(type, valueAt(row))])),
      ),
    )
  },
)
