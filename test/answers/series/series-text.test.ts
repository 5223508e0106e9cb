import { describe, expect, it } from 'vitest'
import { rateOf, SeriesColumns, SeriesRows } from '../../../src/answers/series/series-rows.ts'
import { formatAmount } from '../../../src/base/values/decimal.ts'
import { addWholes, ExactSums } from '../../../src/base/values/exact-sums.ts'
import { writeJson } from '../../../src/base/values/json-writer.ts'
import { multiplied, PIECE_BYTES, TextBytes } from '../../../src/base/values/text-bytes.ts'
import { mobileRewardShares } from '../../../src/catalog/l2/mobile-reward-shares.ts'
import { seriesRecord } from '../../../src/catalog/records/series-record.ts'
import { specifiedSpelling } from '../../../src/catalog/records/spelling.ts'
import { ListedObject } from '../../../src/doors/contract/listed-object.ts'
import { rowWriter } from '../../../src/doors/rest/series/row-writer.ts'
import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'

const MOST = 2n ** 53n - 1n
const textOf = (write: (text: TextBytes) => void) => {
  const text = new TextBytes()
  write(text)
  return text.toString()
}
/** Whole numbers below 2^53 of every length, and those around powers of ten and of two. */
const random = openRandom(deriveSeed('series text', 1))
const wholes = [
  ...[0n, 1n, 9n, 10n, 2n ** 31n, 2n ** 32n, MOST - 1n, MOST],
  ...Array.from({ length: 15 }, (_, power) => 10n ** BigInt(power + 1)).flatMap((ten) => [
    ten - 1n,
    ten,
    ten + 1n,
  ]),
  ...Array.from(
    { length: 2000 },
    (_, one) => (BigInt(random.below(2 ** 32)) * BigInt(random.below(2 ** 20))) >> BigInt(one % 52),
  ),
]

describe('text of bytes', () => {
  it('has whole numbers and amounts as bigints are written', () => {
    for (const value of wholes) {
      expect(textOf((text) => text.whole(Number(value)))).toBe(value.toString())
      for (const decimals of [0, 6, 8, 16])
        expect(textOf((text) => text.amount(Number(value), decimals))).toBe(
          `"${formatAmount(value, decimals)}"`,
        )
    }
    const large = 2n ** 64n + 1n
    expect(textOf((text) => text.whole(large))).toBe('18446744073709551617')
    expect(textOf((text) => text.amount(large, 8))).toBe('"184467440737.09551617"')
  })

  it('multiplies two whole numbers exactly, or falls back to bigints', () => {
    let exact = 0
    for (const [place, a] of wholes.entries()) {
      const b = wholes[(place * 7919) % wholes.length] ?? 0n
      const parts = multiplied(Number(a), Number(b))
      if (parts === undefined) {
        expect(a * b).toBeGreaterThan(MOST * 10n ** 8n)
        continue
      }
      exact += 1
      expect(BigInt(parts[0]) * 10n ** 8n + BigInt(parts[1])).toBe(a * b)
      expect(textOf((text) => text.longAmount(...parts))).toBe(`"${formatAmount(a * b, 16)}"`)
    }
    expect(exact).toBeGreaterThan(1000)
  })

  it('is cut into pieces of equal length, even within the bytes of a character', () => {
    const text = new TextBytes()
    const given = 'a€'.repeat(40_000)
    text.text(given)
    const pieces = [text.take(), text.take(), text.take()]
    expect(pieces.map(({ length }) => length)).toEqual([PIECE_BYTES, PIECE_BYTES, 160_000 - 2 * PIECE_BYTES])
    expect(Buffer.concat(pieces).toString()).toBe(given)
    expect(text.length).toBe(0)
  })
})

it('sums are exact on both sides of 2^53', () => {
  const sums = new ExactSums()
  expect(sums.at(1000)).toBe(0)
  sums.add(1000, Number(MOST))
  expect(sums.at(1000)).toBe(Number(MOST))
  sums.add(1000, 2)
  sums.add(1000, 2n ** 64n)
  expect(sums.at(1000)).toBe(MOST + 2n + 2n ** 64n)
  expect([sums.at(999), sums.at(1001)]).toEqual([0, 0])
  expect(addWholes(2n ** 53n, -1)).toBe(Number(MOST))
})

describe('rows of a series', () => {
  const resource = mobileRewardShares
  const members = Object.values(resource.series?.sums ?? {})
  const places = (resource.earned ?? []).map((column) => members.indexOf(column))
  const tokens = ['mobile_reward_token_main', 'mobile_reward_token_mobile', 'unheard_of', null]
  const prices = [null, 1n, 84_721n, 400_000_000n, 2n ** 63n]

  /** Rows of drawn cells, and the same added up as bigints cell by cell. */
  function draw() {
    const columns = new SeriesColumns(members.length, places)
    const expected: { sums: bigint[]; earned: bigint; usd: bigint | null }[] = []
    for (let row = 0; row < 300; row += 1) {
      const token = tokens[random.below(tokens.length)] ?? null
      const name = row % 10 === 0 ? null : `"${row}"€`
      columns.begin({ start: row % 7 === 0 ? null : '2025-01-31', token }, columns.numberOfGroup(name))
      const own = { sums: members.map(() => 0n), earned: 0n, usd: 0n as bigint | null }
      for (let cell = 0; cell <= random.below(4); cell += 1) {
        const price = prices[random.below(row % 3 === 0 ? 5 : 1 + (row % 5))] ?? null
        const sums = members.map(() =>
          random.chance(0.4) ? 0n : BigInt(random.below(2 ** 32)) << BigInt(random.below(30)),
        )
        const rate = rateOf(token, price)
        columns.add(
          row,
          sums.map((sum) => addWholes(0, sum)),
          columns.numberOf(rate),
        )
        const earned = places.reduce((sum, place) => sum + (sums[place] ?? 0n), 0n)
        own.sums = own.sums.map((sum, place) => sum + (sums[place] ?? 0n))
        own.earned += earned
        if (earned > 0n && own.usd !== null) own.usd = rate === null ? null : own.usd + earned * BigInt(rate)
      }
      expected.push(own)
    }
    const order = Array.from({ length: 300 }, (_, place) => (place * 7) % 300)
    return { rows: new SeriesRows(columns, order), expected: order.map((row) => expected[row]) }
  }

  it('equal sums of the cells as bigints, with one price, several prices or none', () => {
    const { rows, expected } = draw()
    expect(Array.from(rows, ({ sums, earned, usd }) => ({ sums, earned, usd }))).toEqual(expected)
    expect(new Set(expected.map((one) => typeof one?.usd))).toEqual(new Set(['bigint', 'object']))
    expect(() => rows.at(300)).toThrow('row 300 of 300 was asked for')
  })

  it('are written as the JSON of their records', () => {
    const { rows } = draw()
    for (const integersAsText of [false, true]) {
      const itemAt = (place: number) => seriesRecord(resource, rows.at(place), specifiedSpelling)
      const listed = new ListedObject({
        ...{ before: {}, name: 'records', count: rows.length, itemAt },
        writer: (asText) => rowWriter(resource, rows, specifiedSpelling, asText),
      })
      const records = Array.from({ length: rows.length }, (_, place) => itemAt(place))
      expect(listed.text(integersAsText)).toBe(writeJson({ records }, integersAsText))
      expect(Buffer.concat([...listed.pieces(integersAsText)]).toString()).toBe(listed.text(integersAsText))
    }
  })
})
