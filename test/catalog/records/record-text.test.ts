import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Json, Shared, Verbatim, writeJson } from '../../../src/base/values/json-writer.ts'
import type { Column, Kind, Value } from '../../../src/catalog/column.ts'
import type { RecordContext } from '../../../src/catalog/records/member-text.ts'
import { toRecord } from '../../../src/catalog/records/record.ts'
import { specifiedSpelling } from '../../../src/catalog/records/spelling.ts'
import { RecordTexts, WrittenRecord } from '../../../src/catalog/records/written-record.ts'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { relay } from '../../../src/doors/dialect/relay.ts'
import { hostileText } from '../../support/messages/hostile-text.ts'
import { scaled } from '../../support/tier.ts'

const text = fc.oneof(
  fc.constantFrom('', '112ph', 'a "b" \\', '\u0000\u001f\u007f', '\ud800', 'x\udc00y', '😀', '\u2028'),
  hostileText,
)
const integer = fc.oneof(
  fc.constantFrom(0n, 1n, -1n, 2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
)
const amount = fc.oneof(
  fc.constantFrom(0n, 1n, 10n, 100_000n, 100_000_000n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
)
const decimal = fc.constantFrom('0', '1', '-0.5', '258.93124298', '0.123456789012345678')
const promotions = JSON.stringify([
  {
    service_provider: 'a "b"',
    incentive_escrow_fund_bps: 100,
    promotions: [
      { entity: '\ud800', start_ts: '2025-01-28T00:00:00.5Z', end_ts: '2025-01-29T00:00:00Z', shares: 7 },
    ],
  },
])

/** Values of a column, as unlike each other as its kind allows. */
const values: Readonly<Record<Kind, (column: Column) => fc.Arbitrary<NonNullable<Value>>>> = {
  text: () => fc.oneof(text, decimal, fc.constant('31358.655119335628677836557476')),
  choice: ({ choices = [] }) => fc.constantFrom(...choices, '99', '"'),
  amount: () => amount,
  long: () => integer,
  whole: () => amount,
  integer: () => fc.integer(),
  decimal: () => decimal,
  instant: () => fc.bigInt({ min: -(10n ** 15n), max: 253_402_300_799_999_999n }),
  seconds: () => integer,
  cell: () => integer,
  uuid: () => fc.uuid(),
  boolean: () => fc.boolean(),
  bytes: () => fc.uint8Array({ maxLength: 20 }),
  texts: () => fc.array(text, { maxLength: 3 }),
  json: () => fc.constantFrom('[]', promotions, '[{"service_provider":"x"}]'),
  object: () => fc.constantFrom('{}', '{"fee": 9007199254740993, "note": "7, \\"8\\"", "scale": 1.50}'),
}

/** Rows of a table; columns are null and missing too, and neighbours often have the same values. */
function rowsOf({ columns, variants }: Resource): fc.Arbitrary<readonly Row[]> {
  const cases = Object.keys(variants?.cases ?? {})
  const types = fc.constantFrom(...cases, '99', 'constructor', '__proto__', null)
  const drawn = Object.entries(columns).map(([name, column]) => {
    const value = name === variants?.on ? types : values[column.kind](column)
    return [name, fc.option(value, { freq: 9 })] as const
  })
  // A row that was read without some columns lacks them.
  const row = fc.record(Object.fromEntries(drawn), { requiredKeys: [] }) as fc.Arbitrary<Row>
  return fc.tuple(row, fc.array(row, { maxLength: 3 })).map(([first, others]) => {
    const rows = [first]
    for (const [index, other] of others.entries()) {
      const kept = Object.entries(other).filter((_, place) => (place + index) % 3 === 0)
      rows.push({ ...rows.at(-1), ...Object.fromEntries(kept) })
    }
    return rows
  })
}

const embedded: readonly Json[] = [
  null,
  new Shared({ price: 2n ** 64n - 1n, files: ['"'] }),
  new Verbatim('{"bump_seed": 251}', 'small'),
]
const besides = ({ embeds = {} }: Resource): fc.Arbitrary<RecordContext> =>
  fc.record({
    facts: fc.record({
      tokenDecimals: fc.constantFrom(null, 6, 8),
      price: fc.constantFrom(null, 1n, 329_923_000n, 2n ** 64n - 1n),
    }),
    embedded: fc
      .constantFrom(...embedded)
      .map((one) => Object.fromEntries(Object.keys(embeds).map((name) => [name, one]))),
  })

const written = resources.filter(({ record }) => record !== undefined)

describe.each(written)('the text of a record of $name', (resource) => {
  it.each([
    ['as specified', specifiedSpelling],
    ['as the hosted service spells it', relay.spelling],
  ])('equals the JSON of its members %s', (_name, spelling) => {
    const texts = new RecordTexts(resource, spelling)
    const drawn = fc.record({
      rows: rowsOf(resource),
      id: fc.oneof(fc.uuid(), text),
      besides: fc.tuple(besides(resource), besides(resource)),
      places: fc.array(fc.constantFrom(0, 1), { minLength: 4, maxLength: 4 }),
      integersAsText: fc.boolean(),
    })
    fc.assert(
      fc.property(drawn, ({ rows, id, besides, places, integersAsText }) => {
        const besideOf = (place: number) => besides[places[place] === 1 ? 1 : 0]
        const records = rows.map((row, place) => {
          const { facts, embedded } = besideOf(place)
          return toRecord(resource, row, id, facts, embedded, spelling)
        })
        const lazy = rows.map((row, place) => new WrittenRecord(texts, row, id, besideOf(place)))
        expect(writeJson(lazy, integersAsText)).toBe(writeJson(records, integersAsText))
        expect(lazy.map(({ object }) => object)).toEqual(records)
      }),
      { numRuns: scaled(100, 2000), seed: 1 },
    )
  })
})

it('records of all tables that REST has are compared', () => {
  const left = resources.filter((resource) => resource.rest !== undefined && !written.includes(resource))
  expect(left).toEqual([])
})
