import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  amount,
  boolean,
  bytes,
  decimal,
  instant,
  integer,
  long,
  oneOf,
  optional,
  origin,
  text,
  texts,
  type Value,
} from '../../src/catalog/column.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import { codecOf, unzigzag, zigzag } from '../../src/derive/column-codecs.ts'
import { type Vector, Wides } from '../../src/derive/vector.ts'
import { blockColumns, blockLayout, type IndexedGroup } from '../../src/hotspot-index/block-layout.ts'
import { openMemory, readRows } from '../../src/hotspot-index/block-rows.ts'
import { openBlockWriter } from '../../src/hotspot-index/block-writer.ts'
import { sumRows } from '../../src/hotspot-index/sum-rows.ts'

const resource: Resource = {
  name: 'things',
  doc: 'One of each kind.',
  columns: {
    ...origin,
    kind: text('Kind.'),
    ended: instant('End.'),
    hotspot_key: text('Key.'),
    amount: optional(amount('Amount.')),
    other_amount: optional(amount('Another.')),
    number: optional(long('Number.')),
    count: optional(integer('Count.')),
    points: optional(decimal('Points.')),
    since: optional(instant('Since.')),
    label: optional(text('Label.')),
    choice: optional(oneOf(['a', 'b', 'c'], 'Choice.')),
    digest: optional(bytes('Digest.')),
    isNew: optional(boolean('Whether.')),
    names: optional(texts('Names.')),
  },
  order: [{ column: 'ended' }, { column: 'ordinal' }],
  partition: null,
  statistics: { period: 'ended', type: 'kind' },
  keyed: 'hotspot_key',
}

const columns = blockColumns(resource)
const most64 = 2n ** 64n - 1n
const signed64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const plainDecimal = fc.tuple(signed64, fc.nat(18)).map(([digits, scale]) => {
  const shown = `${digits < 0n ? -digits : digits}`.padStart(scale + 1, '0')
  const fraction = shown.slice(shown.length - scale).replace(/0+$/, '')
  const whole = shown.slice(0, shown.length - scale)
  const plain = scale === 0 || fraction === '' ? whole : `${whole}.${fraction}`
  return digits < 0n && /[1-9]/.test(plain) ? `-${plain}` : plain
})
const longText = fc.integer({ min: 250, max: 300 }).map((length) => 'ü'.repeat(length))

/** A few values that repeat, and now and then any value. */
const often = <T>(few: readonly T[], any: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...few) },
    { weight: 2, arbitrary: any },
    fc.constant(null),
  )

const values: Readonly<Record<string, fc.Arbitrary<Value>>> = {
  ordinal: fc.bigInt({ min: 0n, max: 2n ** 40n }),
  amount: often([0n, 255n, 256n, 2n ** 32n - 1n, 2n ** 32n, most64], fc.bigInt({ min: 0n, max: most64 })),
  other_amount: often([0n, 65_535n], fc.bigInt({ min: 0n, max: most64 })),
  number: often([0n, -1n, 1n, -(2n ** 63n), 2n ** 63n - 1n], signed64),
  count: often([0, -1, 2 ** 31 - 1, -(2 ** 31)], fc.integer()),
  points: often(['0', '0.5', '-0.5', '1', '100', '12345678901234567890.123456789012345678'], plainDecimal),
  since: often([0n, 1_700_000_000_000_000n], signed64),
  label: often(['', 'x', 'the same', 'grün'], fc.oneof(fc.string({ unit: 'grapheme' }), longText)),
  choice: often(['a', 'b', 'c'], fc.constantFrom('17', 'd')),
  digest: often([new Uint8Array(16).fill(7)], fc.uint8Array({ maxLength: 400 })),
  isNew: often([true, false], fc.boolean()),
  names: often<readonly string[]>([[], ['x']], fc.array(fc.string())),
}

interface Drawn {
  readonly group: number
  readonly values: Readonly<Record<string, Value>>
}

/** Groups of three types; a column has a value for each row, or one value or null for all rows. */
const drawn = fc
  .array(
    fc.record({
      type: fc.constantFrom('gateway', 'radio', 'mapper'),
      said: fc.subarray([...columns]),
      common: fc.record(values),
    }),
    { minLength: 1, maxLength: 300 },
  )
  .chain((groups) =>
    fc.record({
      groups: fc.constant(groups),
      parts: fc.array(
        fc.array(fc.record({ group: fc.nat(groups.length - 1), values: fc.record(values) }), {
          maxLength: 12,
        }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  )

const toToken = (name: string, value: Value) => {
  const column = resource.columns[name]
  return column === undefined || value === null ? undefined : codecOf(column).toToken(value)
}

/** Amounts as an engine gives them, or as a list. */
function vectorOf(name: string, list: readonly Value[]): Vector<Value> {
  if (name !== 'amount') return list
  const numbers = BigUint64Array.from(list.flatMap((value) => [(value ?? 0n) as bigint, 0n]))
  const valid = Uint8Array.from(list, (value) => (value === null ? 0 : 1))
  return new Wides(new Uint16Array(numbers.buffer), valid)
}

describe('a block', () => {
  it('gives back every row with every value, however often rows were added, and sums them exactly', () => {
    let [seen, added] = [0, 0]
    fc.assert(
      fc.property(drawn, ({ groups, parts }) => {
        const indexed = groups.map(({ type, said, common }, number): IndexedGroup => {
          const own = columns.flatMap((name, place) => {
            const token = said.includes(name) ? undefined : toToken(name, common[name] ?? null)
            return token === undefined ? [] : [[place, token] as const]
          })
          const fields = columns.flatMap((name, place) => (said.includes(name) ? [place] : []))
          return { period: BigInt(number), type, source: 's', fields, common: new Map(own) }
        })
        const layout = blockLayout(resource, indexed)
        const append = openBlockWriter(layout)
        const block = parts.reduce<Buffer | undefined>(
          (held, rows) =>
            append(held, {
              groups: rows.map(({ group }) => group),
              columns: columns.map((name) =>
                vectorOf(name, [null, ...rows.map((row) => row.values[name] ?? null)]),
              ),
              first: 1,
            }),
          undefined,
        )
        const drawnOf = ({ group, values: own }: Drawn, name: string): Value =>
          (groups[group]?.said.includes(name) ? own[name] : groups[group]?.common[name]) ?? null
        const rows = parts.flat()
        seen += rows.length
        if (parts.filter((own) => own.length > 0).length > 1) added += 1

        const found: (readonly unknown[])[] = []
        readRows(block ?? Buffer.alloc(0), layout, openMemory(layout), (number, group, tokenOf) => {
          expect(number).toBe(found.length)
          found.push([
            group,
            ...columns.map((_, place) => {
              const token = tokenOf(place)
              return token === null ? null : layout.codecs[place]?.toValue(token)
            }),
          ])
        })
        const wanted = rows.map((row) => [row.group, ...columns.map((name) => drawnOf(row, name))])
        expect(found.map(plain)).toEqual(wanted.map(plain))

        const isIn = Uint8Array.from(groups, (_, number) => number % 2)
        const places = ['amount', 'other_amount'].map((name) => columns.indexOf(name))
        const sumOf = (name: string) =>
          rows
            .filter(({ group }) => group % 2 === 1)
            .reduce((sum, row) => sum + ((drawnOf(row, name) as bigint | null) ?? 0n), 0n)
        expect(sumRows(block ?? Buffer.alloc(0), layout, (group) => isIn[group] === 1, places)).toEqual([
          sumOf('amount'),
          sumOf('other_amount'),
        ])
      }),
    )
    expect([seen > 500, added > 20]).toEqual([true, true])
  })

  it('stores the next day in no byte, and a repeated value in half a byte', () => {
    const group = (number: number): IndexedGroup => ({
      ...{ period: BigInt(number), type: 'gateway', source: 's', common: new Map() },
      fields: [columns.indexOf('label'), columns.indexOf('amount')],
    })
    const layout = blockLayout(resource, [0, 1, 2, 3].map(group))
    const lengthOf = (days: number) =>
      openBlockWriter(layout)(undefined, {
        groups: Array.from({ length: days }, (_, day) => day),
        columns: columns.map((name) =>
          Array.from({ length: days }, () => (name === 'label' ? 'the same' : 1000n)),
        ),
        first: 0,
      }).length
    // The group and the first value share a byte, the other value has half of one, and 1000 two bytes.
    expect(lengthOf(1)).toBe(2 + 1 + 'the same'.length + 2)
    expect([lengthOf(2) - lengthOf(1), lengthOf(4) - lengthOf(3)]).toEqual([4, 4])
  })
})

const plain = (row: readonly unknown[]) =>
  row.map((value) => (value instanceof Uint8Array ? `bytes ${Buffer.from(value).toString('hex')}` : value))

it.each([
  [0n, 0n],
  [-1n, 1n],
  [1n, 2n],
  [2n ** 63n - 1n, 2n ** 64n - 2n],
  [-(2n ** 63n), 2n ** 64n - 1n],
])('the sign of %s goes to the lowest bit', (value, number) => {
  expect(zigzag(value)).toBe(number)
  expect(unzigzag(number)).toBe(value)
})
