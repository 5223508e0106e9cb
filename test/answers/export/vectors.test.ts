import {
  BIGINT,
  DECIMAL,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBDecimalValue,
  DuckDBInstance,
  DuckDBTimestampTZValue,
  INTEGER,
  TIMESTAMPTZ,
} from '@duckdb/node-api'
import { beforeAll, describe, expect, it } from 'vitest'
import { MOST_DIGITS, writeDigits } from '../../../src/answers/export/formats/digits.ts'
import { widesOf } from '../../../src/answers/export/formats/typed.ts'
import { multiplyWides, sumWides } from '../../../src/answers/export/wide-arithmetic.ts'
import { formatAmount, plainDecimal } from '../../../src/base/values/decimal.ts'
import type { Texts } from '../../../src/base/values/strings.ts'
import { type Integers, Longs, type Wides } from '../../../src/base/values/vector.ts'
import { vectorOfChunk } from '../../../src/engine/duckdb/vectors-of-chunk.ts'

let duckdb: DuckDBConnection
beforeAll(async () => {
  duckdb = await (await DuckDBInstance.create()).connect()
})

/** The values of the only column of a statement: as vectors, and as the client of the engine reads them. */
async function bothWays(select: string) {
  const result = await duckdb.run(select)
  const chunks = Array.from({ length: result.chunkCount }, (_, index) => result.getChunk(index))
  expect(chunks.length).toBeGreaterThan(1)
  const vectors = chunks.map((chunk) => vectorOfChunk(chunk, 0))
  const rows = vectors.flatMap((vector) => Array.from({ length: vector.length }, (_, row) => vector.at(row)))
  return { vectors, rows, read: chunks.flatMap((chunk) => [...chunk.getColumnValues(0)]) }
}

/** `someText`, as an integer of 64 bits. */
const LEFT = Buffer.from('someText').readBigInt64LE()

type Held = Longs | Integers | Wides

/** The bytes that lie in the place of a row, whether it has a value or not. */
function slotOf(vector: Held, row: number): Buffer {
  const one = vector.slice(row, row + 1)
  const { buffer, byteOffset, byteLength } = 'limbs' in one ? one.limbs : (one as Longs).items
  return Buffer.from(buffer, byteOffset, byteLength)
}

const nullable = (expression: string) => `CASE WHEN hash(i) % 3 > 0 THEN ${expression} END`

describe('a vector of a chunk', () => {
  it.each([
    ['texts of all lengths', nullable('repeat(chr(97 + (i % 26)::INT), (hash(i) % 40)::INT)')],
    ['long texts alone', "repeat('äb€', 7) || i"],
    ['texts that are empty or short', "CASE WHEN i % 2 = 0 THEN '' ELSE i::VARCHAR END"],
    ['the same text again and again', "'iot_reward_share.1736989206932.gz'"],
    [
      'runs of a few texts',
      nullable("([repeat('a', 14), repeat('b', 14), repeat('c', 15)])[1 + (i // 5) % 3]"),
    ],
    [
      'runs of names',
      "(CASE WHEN i // 9 % 2 = 0 THEN 'gateway_reward' ELSE 'operational_reward' END)::ENUM('gateway_reward', 'operational_reward')::VARCHAR",
    ],
    ['texts whose first is null', 'CASE WHEN i % 2048 > 0 THEN repeat(i::VARCHAR, 9) END'],
    ['integers of 64 bits', nullable('(hash(i) >> 1)::BIGINT - 4611686018427387904')],
    ['integers of 32 bits', nullable('(hash(i) >> 33)::INTEGER - 1073741824')],
    ['booleans', nullable('i % 2 = 0')],
  ])('returns %s as the DuckDB client reads them', async (_, expression) => {
    const { rows, read } = await bothWays(`SELECT ${expression} AS v FROM range(5000) r(i)`)
    expect(rows).toEqual(read)
  })

  it('has amounts up to 20 digits', async () => {
    const amounts = nullable('hash(i)::DECIMAL(20,0)')
    const { rows } = await bothWays(`SELECT ${amounts} AS v FROM range(5000) r(i)`)
    const texts = (await duckdb.runAndReadAll(`SELECT ${amounts}::VARCHAR FROM range(5000) r(i)`)).getRows()
    expect(rows.map((amount) => (amount === null ? null : String(amount)))).toEqual(
      texts.map(([text]) => text),
    )
  })

  it.each([
    ['BIGINT', BIGINT, LEFT],
    ['TIMESTAMPTZ', TIMESTAMPTZ, new DuckDBTimestampTZValue(LEFT)],
    ['INTEGER', INTEGER, Buffer.from('Text').readInt32LE()],
    ['DECIMAL(20,0)', DECIMAL(20, 0), new DuckDBDecimalValue(LEFT, 20, 0)],
  ])('of type %s has no bytes of the engine under its nulls', (_, type, left) => {
    const chunk = DuckDBDataChunk.create([type])
    chunk.rowCount = 70
    // As the engine does: a value is written, then its bit says that there is none.
    const vector = chunk.getColumnVector(0)
    for (let row = 0; row < 70; row += 1) vector.setItem(row, left as never)
    for (let row = 1; row < 70; row += 2) vector.setItem(row, null as never)
    vector.flush()
    const made = vectorOfChunk(chunk, 0) as Held
    const slots = Array.from({ length: 70 }, (_, row) => slotOf(made, row))
    expect(slots.every((slot, row) => slot.includes('Text') === (row % 2 === 0))).toBe(true)
    expect(slots.every((slot, row) => row % 2 === 0 || slot.every((byte) => byte === 0))).toBe(true)
  })

  it('keeps its values after its chunk is freed', async () => {
    const { vectors, read } = await bothWays("SELECT repeat('x', 20) || i AS v FROM range(5000) r(i)")
    await duckdb.run("SELECT repeat('y', 20) || i AS v FROM range(50000) r(i)")
    const parts = (vectors as Texts[]).flatMap((texts) => {
      const part = texts.slice(5, 9)
      return Array.from({ length: part.length }, (_, row) => part.at(row))
    })
    expect(parts).toEqual(
      (vectors as Texts[]).flatMap((_, index) => read.slice(index * 2048 + 5, index * 2048 + 9)),
    )
  })
})

it('isConstant is true only for a column with one value and no null', () => {
  const longs = (...items: bigint[]) => new Longs(BigInt64Array.from(items), undefined)
  expect(longs(7n, 7n, 7n).isConstant()).toBe(true)
  expect(longs(7n, 7n, 7n + 2n ** 32n).isConstant()).toBe(false)
  expect(longs(7n, 8n, 7n).isConstant()).toBe(false)
  expect(new Longs(BigInt64Array.of(7n, 7n), Uint8Array.of(1, 0)).isConstant()).toBe(false)
})

/** Around every power of two and of ten that amounts reach. */
const hard = Array.from({ length: 126 }, (_, bit) => 2n ** BigInt(bit))
  .concat(Array.from({ length: 38 }, (_, digits) => 10n ** BigInt(digits)))
  .flatMap((power) => [power - 1n, power, power + 1n, (power * 3n) / 2n])
  .filter((value) => value < 2n ** 127n)

describe('wide integers', () => {
  it('are written digit by digit, with a point where it belongs', () => {
    const out = Buffer.alloc(MOST_DIGITS + 2)
    const wides = widesOf(hard)
    const words = new Uint32Array(wides.limbs.buffer)
    const view = new DataView(out.buffer, out.byteOffset, out.length)
    const written = (row: number, scale: number, least: 0 | 1) =>
      out.toString('latin1', 1, writeDigits(view, 1, words, row * 4, 4, scale, least))
    for (const [row, value] of hard.entries()) {
      expect(wides.at(row)).toBe(value)
      expect(written(row, 0, 0)).toBe(String(value))
      for (const scale of [8, 16, 18]) {
        expect(written(row, scale, 1)).toBe(formatAmount(value, scale))
        expect(written(row, scale, 0)).toBe(plainDecimal(value, scale))
      }
    }
  })

  it('are multiplied without losing a digit', () => {
    const amounts = hard.filter((value) => value < 2n ** 64n)
    for (const factor of [1n, 100n, 65_535n, 65_536n, 2n ** 32n + 7n, 10n ** 14n - 1n, 2n ** 62n - 1n]) {
      const products = multiplyWides(widesOf(amounts), factor)
      expect(amounts.map((_, row) => products.at(row))).toEqual(amounts.map((amount) => amount * factor))
    }
  })

  it('are summed row by row, a null counting as 0 where the row is paid', () => {
    const amounts = hard.filter((value) => value < 2n ** 64n)
    const others = amounts.map((_, row) => (row % 2 === 0 ? null : 2n ** 64n - 1n))
    const valid = Uint8Array.from(amounts, (_, row) => (row % 3 === 0 ? 0 : 1))
    const sums = sumWides(
      [widesOf(amounts), widesOf(others as bigint[]), widesOf(amounts)],
      amounts.length,
      valid,
    )
    expect(amounts.map((_, row) => sums.at(row))).toEqual(
      amounts.map((amount, row) => (row % 3 === 0 ? null : amount * 2n + (others[row] ?? 0n))),
    )
  })
})
