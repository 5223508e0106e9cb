import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Kind, Value } from '../../src/catalog/column.ts'
import { codecOf, type Token, zigzag } from '../../src/derive/column-codecs.ts'
import { Bytes, Texts } from '../../src/derive/strings.ts'
import { Decimals, Integers, Longs, type Vector, Wides } from '../../src/derive/vector.ts'
import { openMemory } from '../../src/hotspot-index/block-rows.ts'
import { HeldToken, tokenReader } from '../../src/hotspot-index/held-token.ts'
import { LastValues } from '../../src/hotspot-index/last-values.ts'

const isThere = (values: readonly unknown[]) => Uint8Array.from(values, (value) => (value === null ? 0 : 1))

function widesOf(values: readonly (bigint | null)[]): Wides {
  const view = new DataView(new ArrayBuffer(values.length * 16))
  for (const [row, own] of values.entries()) {
    view.setBigUint64(row * 16, BigInt.asUintN(64, own ?? 0n), true)
    view.setBigInt64(row * 16 + 8, (own ?? 0n) >> 64n, true)
  }
  return new Wides(new Uint16Array(view.buffer), isThere(values))
}

function stringsOf(values: readonly (Buffer | null)[]) {
  const offsets = new Int32Array(values.length + 1)
  for (const [row, own] of values.entries()) offsets[row + 1] = (offsets[row] as number) + (own?.length ?? 0)
  return [Buffer.concat(values.map((own) => own ?? Buffer.of())), offsets, isThere(values)] as const
}

const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const wide = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const units = fc.oneof(
  fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n }),
  fc.integer({ min: 0, max: 10_000 }).map((number) => BigInt(number) * 10n ** 16n),
)
const text = fc.string({ unit: 'binary', maxLength: 20 })

/** Values of a kind as an engine holds them. */
const cases: readonly [Kind, (values: readonly never[]) => Vector<Value>, fc.Arbitrary<unknown>][] = [
  ['amount', widesOf, wide],
  ['long', (own: readonly (bigint | null)[]) => longsOf(own), long],
  ['instant', (own: readonly (bigint | null)[]) => longsOf(own), long],
  ['integer', (own: readonly (number | null)[]) => integersOf(own), fc.integer()],
  ['decimal', (own: readonly (bigint | null)[]) => new Decimals(widesOf(own), 18), units],
  ['text', (own: readonly (string | null)[]) => textsOf(own), text],
  ['choice', (own: readonly (string | null)[]) => textsOf(own), fc.constantFrom('a', 'b', 'c')],
  ['bytes', (own: readonly (Buffer | null)[]) => new Bytes(...stringsOf(own)), text.map(Buffer.from)],
]

const longsOf = (own: readonly (bigint | null)[]) =>
  new Longs(
    BigInt64Array.from(own, (value) => value ?? 0n),
    isThere(own),
  )
const integersOf = (own: readonly (number | null)[]) =>
  new Integers(
    Int32Array.from(own, (value) => value ?? 0),
    isThere(own),
  )
const textsOf = (own: readonly (string | null)[]) =>
  new Texts(...stringsOf(own.map((value) => (value === null ? null : Buffer.from(value)))))

const asToken = ({ text: own, low, high }: HeldToken): Token => own ?? (BigInt(high) << 32n) | BigInt(low)

describe('tokens of values as an engine holds them', () => {
  it.each(cases)('are those of the values themselves: %s', (kind, vectorOf, drawn) => {
    const codec = codecOf({ kind, choices: ['a', 'b'] } as never)
    let some = 0
    fc.assert(
      fc.property(fc.array(fc.option(drawn), { maxLength: 20 }), (values) => {
        const vector = vectorOf(values as never)
        const read = tokenReader(codec, vector, new Map())
        for (let row = 0; row < values.length; row += 1) {
          const token = new HeldToken()
          const value = vector.at(row) ?? null
          expect(read(row, token)).toBe(value !== null)
          if (value === null) continue
          some += 1
          const wanted = codec.toToken(value)
          // Numbers are written as 64 bits.
          expect(asToken(token)).toBe(typeof wanted === 'string' ? wanted : BigInt.asUintN(64, wanted))
        }
      }),
      { numRuns: 300 },
    )
    expect(some).toBeGreaterThan(500)
  })
})

describe('the last values of a column', () => {
  it('give distances as 64-bit numbers do', () => {
    fc.assert(
      fc.property(fc.array(long, { minLength: 1 }), (numbers) => {
        const last = new LastValues(1)
        last.begin()
        let before = 0n
        for (const number of numbers) {
          const token = new HeldToken()
          token.set(number)
          last.step(0, token)
          expect(asToken(token)).toBe(zigzag(BigInt.asIntN(64, number - before)))
          before = number
        }
      }),
    )
  })

  it('are the last four, newest first, of each place alone, and begin where others ended', () => {
    const last = new LastValues(2)
    const memory = openMemory({ codecs: [1, 2], types: 1 } as never)
    memory.recent[1] = ['d', 3n, 2n, 1n]
    last.begin(memory)
    const placeOf = (place: number, token: Token) => {
      const held = new HeldToken()
      held.set(token)
      return last.moveToFront(place, held)
    }
    expect(placeOf(0, 1n)).toBe(-1)
    expect([1n, 'd', 9n, 2n, '2'].map((token) => placeOf(1, token))).toEqual([3, 1, -1, -1, -1])
    expect([9n, 1n, 2n, 'd'].map((token) => placeOf(1, token))).toEqual([2, -1, 3, -1])
    // Four of one place, and no more: what comes behind them is of the next.
    expect([5n, 6n, 7n, 8n, 'd'].map((token) => placeOf(0, token))).toEqual([-1, -1, -1, -1, -1])
    last.begin()
    expect(placeOf(1, 'd')).toBe(-1)
  })
})
