import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Value } from '../../src/catalog/column.ts'
import {
  amount,
  boolean,
  bytes,
  cell,
  decimal,
  eachOf,
  instant,
  integer,
  long,
  object,
  oneOf,
  optional,
  text,
  whole,
} from '../../src/catalog/column.ts'
import type { Predicate } from '../../src/catalog/query/plan.ts'
import type { Resource, Row } from '../../src/catalog/resource.ts'
import { openBlockFile } from '../../src/index/blocks/block-file.ts'
import { BlockFileWriter } from '../../src/index/blocks/block-file-writer.ts'
import { BlockReading } from '../../src/index/blocks/block-reading.ts'
import { FenceWriter, openFences } from '../../src/index/blocks/fences.ts'
import { SearchNumber } from '../../src/index/blocks/search-value.ts'
import type { StoredColumn } from '../../src/index/blocks/stored-columns.ts'
import { deriveSeed, openRandom } from '../../src/write/sample/random.ts'
import { findRows } from '../support/find-rows.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

/** A table with a column of each kind, in the order of two of them. */
const everything: Resource = {
  name: 'everything',
  doc: 'All kinds.',
  columns: {
    place: text('First in the order.'),
    block: whole('Second in the order.'),
    amount: optional(amount('')),
    long: optional(long('')),
    integer: optional(integer('')),
    decimal: optional(decimal('')),
    instant: optional(instant('')),
    cell: optional(cell('')),
    is: optional(boolean('')),
    bytes: optional(bytes('')),
    networks: optional(eachOf(['iot', 'mobile'], '')),
    choice: optional(oneOf(['first', 'second'], '')),
    fields: optional(object('')),
    nothing: optional(text('')),
  },
  order: [{ column: 'place' }, { column: 'block' }],
  partition: null,
  access: { bounds: ['place'], counts: [], sorted: [], pointers: [] },
}

const ROWS = 1000
const random = openRandom(deriveSeed('blocks'))
const pick = <T>(list: readonly T[]): T => list[random.below(list.length)] as T
const rare = <T>(value: T): T | null => (random.below(5) === 0 ? null : value)

/** Few places, so that each has many rows; every fourth block has no null, and one has nothing but. */
const rows: readonly Row[] = Array.from({ length: ROWS }, (_, number): Row => {
  const maybe = number >= 256 && number < 512 ? <T>(value: T) => value : rare
  return {
    place: `${pick(['a', 'b', 'ä', '漢', 'z'])}${random.below(4)}`,
    block: BigInt(random.below(40)) * 2n ** 50n,
    amount: maybe(pick([0n, 1n, BigInt(random.below(1e6)), 2n ** 53n + 1n, 2n ** 64n - 1n])),
    long: maybe(pick([-1n, -(2n ** 63n), 2n ** 63n - 1n, BigInt(number)])),
    integer: maybe(pick([-2147483648, 2147483647, number])),
    decimal: maybe(pick(['0', '-0.5', '123.456', '1'.repeat(20), `${'9'.repeat(20)}.${'9'.repeat(18)}`])),
    instant: maybe(BigInt(number) * 86_400_000_000n),
    cell: maybe(631_210_968_840_000_000n + BigInt(random.below(1e6))),
    is: maybe(random.below(2) === 0),
    bytes: maybe(Buffer.from([number & 255, 0, 255])),
    networks: maybe(pick([['iot'], ['mobile', 'iot'], []])),
    choice: maybe(pick(['first', 'second', '17'])),
    fields: maybe(JSON.stringify({ number: `${number}`.repeat(random.below(300)) })),
    nothing: null,
  }
}).sort(
  (a, b) =>
    Buffer.compare(Buffer.from(String(a.place)), Buffer.from(String(b.place))) ||
    Number((a.block as bigint) - (b.block as bigint) > 0n) * 2 - 1,
)

let path = ''

beforeAll(async () => {
  path = join(await temporaryFolder(), 'everything.blocks')
  const writer = await BlockFileWriter.create(path, everything, 'the digest')
  // In pieces that end within blocks.
  for (let first = 0; first < ROWS; first += 300)
    await writer.append(vectorsOf(rows.slice(first, first + 300)))
  await writer.finish()
})

function vectorsOf(own: readonly Row[]) {
  const columns = Object.keys(everything.columns).map((name) => [name, own.map((row) => row[name] ?? null)])
  return { rows: own.length, columns: Object.fromEntries(columns) as Record<string, Value[]> }
}

const numbers = Object.keys(everything.columns).map((_, column) => column)

describe('a file of blocks', () => {
  it('returns every value of every row', () => {
    const file = openBlockFile(path, everything, 'the digest')
    expect(file.rows).toBe(ROWS)
    expect(new BlockReading(file).rows(numbers, 0, ROWS)).toEqual(rows)
    for (const first of [0, 255, 256, 700, 999]) {
      const end = Math.min(ROWS, first + 7)
      expect(new BlockReading(file).rows(numbers, first, end)).toEqual(rows.slice(first, end))
    }
    file.close()
  })

  it('has nulls in later columns without values, and is not opened if a row may have a value', () => {
    const more: Resource = {
      ...everything,
      columns: { new_before: optional(whole('')), ...everything.columns, new_behind: optional(text('')) },
    }
    const added = ['new_before', 'new_behind']
    const open = (lacks: readonly string[]) => openBlockFile(path, more, 'the digest', undefined, lacks)
    for (const lacks of [[], ['new_before']]) expect(() => open(lacks)).toThrow('has other columns')
    const file = open(added)
    const reading = new BlockReading(file)
    const columns = Object.keys(more.columns).map(file.numberOf)
    expect(reading.rows(columns, 250, 262)).toEqual(
      rows.slice(250, 262).map((row) => ({ ...row, new_before: null, new_behind: null })),
    )
    for (const column of added)
      for (const [match, value] of [
        ['atLeast', column === 'new_before' ? 0n : ''],
        ['equals', column === 'new_before' ? 0n : ''],
      ] as const) {
        const total = findRows(file, [{ column, match, value }])?.total
        expect(total).toBe(0)
      }
    file.close()
  })

  it('is not opened for a table with other columns', () => {
    const { nothing: _, ...columns } = everything.columns
    const open = (resource: Resource) => openBlockFile(path, resource, 'the digest')
    expect(() => open({ ...everything, columns })).toThrow('has other columns')
    expect(() => open({ ...everything, name: 'another' })).toThrow('has other columns')
  })

  it('with any byte changed returns no row that it did not have', async () => {
    const whole = readFileSync(path)
    const other = join(await temporaryFolder(), 'changed.blocks')
    copyFileSync(path, other)
    let refused = 0
    const step = scaled(499, 13)
    for (let at = 0; at < whole.length; at += step) {
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] ?? 0) ^ 0x10
      writeFileSync(other, changed)
      try {
        const file = openBlockFile(other, everything, 'the digest')
        try {
          expect(new BlockReading(file).rows(numbers, 0, ROWS)).toEqual(rows)
        } finally {
          file.close()
        }
      } catch (error) {
        expect(String(error)).toMatch(/damaged/)
        refused += 1
      }
    }
    expect(refused).toBeGreaterThan(whole.length / step / 2)
  })
})

it('numbers of a row are compared like bigints, up to 64 bits and beyond', () => {
  const file = openBlockFile(path, everything, 'the digest')
  const reading = new BlockReading(file)
  const long = file.numberOf('long')
  const edges = [0n, 1n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 63n, 2n ** 64n].flatMap((n) => [n, n - 1n])
  const seen = new Set<bigint | null>()
  for (let row = 0; row < ROWS; row += 1) expect(reading.value(long, row)).toBe(rows[row]?.long)
  for (const other of edges.flatMap((edge) => [edge, -edge]))
    for (let row = 0; row < ROWS; row += 1) {
      const own = rows[row]?.long as bigint | null
      const expected = own === null ? Number.NaN : own < other ? -1 : own > other ? 1 : 0
      expect(Math.sign(reading.compare(long, row, new SearchNumber(other))), `${own} and ${other}`).toBe(
        expected,
      )
      seen.add(own)
    }
  for (const value of [null, -1n, -(2n ** 63n), 2n ** 63n - 1n]) expect(seen.has(value)).toBe(true)
  file.close()
})

it('the first numbers of blocks are compared like bigints', () => {
  const edges = [2n ** 63n - 1n, 2n ** 53n, 2n ** 32n, 2n ** 31n, 1n, 0n]
  const numbers = [...edges.toReversed(), ...edges.map((edge) => -edge - 1n)].sort((a, b) => (a < b ? -1 : 1))
  const leading = { name: 'block', as: 'signed' } as StoredColumn
  const gathered = new FenceWriter(leading)
  for (const number of numbers) gathered.add(number)
  const fences = openFences(leading, Buffer.from(Uint8Array.from(gathered.take()).buffer), numbers.length - 1)
  for (const [block, own] of numbers.entries())
    for (const other of [...numbers, 2n ** 63n, 2n ** 64n, -(2n ** 64n), 2n ** 32n - 1n]) {
      const expected = own < other ? -1 : own > other ? 1 : 0
      expect(Math.sign(fences.compare(block, new SearchNumber(other))), `${own} and ${other}`).toBe(expected)
    }
})

describe('rows of a file', () => {
  const cases: readonly (readonly Predicate[])[] = [
    [],
    ...['a0', 'b1', 'ä3', '漢2', 'z3', '', 'c', 'zz'].flatMap((value): readonly (readonly Predicate[])[] => [
      [{ column: 'place', match: 'equals', value }],
      [{ column: 'place', match: 'atLeast', value }],
      [{ column: 'place', match: 'atMost', value }],
      [
        { column: 'place', match: 'equals', value },
        { column: 'block', match: 'equals', value: 7n * 2n ** 50n },
      ],
      [
        { column: 'place', match: 'equals', value },
        { column: 'block', match: 'atLeast', value: 20n * 2n ** 50n },
      ],
      [
        { column: 'place', match: 'equals', value },
        { column: 'choice', match: 'equals', value: '17' },
      ],
      [{ column: 'place', match: 'anyOf', value: [value, 'a1'] }],
    ]),
    [{ column: 'choice', match: 'equals', value: 'first' }],
    [{ column: 'networks', match: 'anyOf', value: ['mobile'] }],
    [{ column: 'amount', match: 'atLeast', value: 2n ** 53n }],
    [{ column: 'long', match: 'atMost', value: -1n }],
    [{ column: 'nothing', match: 'equals', value: 'x' }],
  ]

  it('equal those that a plain loop finds', () => {
    const file = openBlockFile(path, everything, 'the digest')
    let found = 0
    for (const where of cases) {
      const expected = rows.filter((row) => where.every((predicate) => satisfies(row, predicate)))
      const own = findRows(file, where)
      expect(
        own?.total,
        JSON.stringify(where, (_, value) => String(value)),
      ).toBe(expected.length)
      expect(own?.read(0, 30, ['place', 'fields'])).toEqual(
        expected.slice(0, 30).map(({ place, fields }) => ({ place, fields })),
      )
      expect(own?.read(Math.max(0, expected.length - 3), expected.length, ['amount'])).toEqual(
        expected.slice(Math.max(0, expected.length - 3)).map(({ amount }) => ({ amount })),
      )
      found += expected.length
    }
    expect(found).toBeGreaterThan(3 * ROWS)
    expect(findRows(file, [])?.read(0, 1, ['unknown'])).toBeUndefined()
    file.close()
  })
})

function satisfies(row: Row, { column, match, value }: Predicate): boolean {
  const own = row[column] ?? null
  if (own === null) return false
  if (match === 'anyOf') return [own].flat().some((item) => (value as readonly unknown[]).includes(item))
  if (match === 'equals') return own === value
  const difference =
    typeof own === 'bigint'
      ? Number(own > (value as bigint)) - Number(own < (value as bigint))
      : Buffer.compare(Buffer.from(String(own)), Buffer.from(String(value)))
  return match === 'atLeast' ? difference >= 0 : difference <= 0
}
