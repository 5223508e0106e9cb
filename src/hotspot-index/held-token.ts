import type { Value } from '../catalog/column.ts'
import type { ColumnCodec, Token } from '../derive/column-codecs.ts'
import { packUnits } from '../derive/packed-decimal.ts'
import { Bytes, Texts } from '../derive/strings.ts'
import { Decimals, Integers, Longs, type Vector, Wides } from '../derive/vector.ts'

const WORD = 2 ** 32

/** A token at a time: a number in two halves of 32 bits, so that no bigint is made, or a text. */
export class HeldToken {
  low = 0
  high = 0
  text: string | undefined

  setNumber(low: number, high: number): void {
    this.low = low >>> 0
    this.high = high >>> 0
    this.text = undefined
  }

  /** A signed number, with its sign in the lowest bit. */
  setSigned(low: number, high: number): void {
    const sign = high >> 31
    this.setNumber((low << 1) ^ sign, ((high << 1) | (low >>> 31)) ^ sign)
  }

  set(token: Token): void {
    if (typeof token === 'string') this.text = token
    else this.setNumber(Number(token & 0xffffffffn), Number((token >> 32n) & 0xffffffffn))
  }
}

/** Sets the token of the value in a row; returns false for null. */
export type ReadToken = (row: number, into: HeldToken) => boolean

/** Tokens of so many values of a column are known at a time. */
const MOST_TOKENS = 10_000

/** Reads the values of a column, of which `known` may have tokens already. */
export function tokenReader(
  codec: ColumnCodec,
  values: Vector<Value> | undefined,
  known: Map<Value, Token>,
): ReadToken {
  if (values === undefined) return () => false
  const { held } = codec
  const isNull = (row: number) => 'valid' in values && (values.valid as Wides['valid'])?.[row] === 0
  if (values instanceof Wides && held === 'number')
    return (row, into) => {
      into.setNumber(values.half(row, 0), values.half(row, 1))
      return !values.isNull(row)
    }
  if (values instanceof Longs && (held === 'number' || held === 'signed')) {
    const words = new Int32Array(values.items.buffer, values.items.byteOffset, values.length * 2)
    return (row, into) => {
      const [low, high] = [words[row * 2] as number, words[row * 2 + 1] as number]
      if (held === 'number') into.setNumber(low, high)
      else into.setSigned(low, high)
      return !isNull(row)
    }
  }
  if (values instanceof Integers && held === 'signed')
    return (row, into) => {
      const item = values.items[row] as number
      into.setSigned(item, item >> 31)
      return !isNull(row)
    }
  const bytes = values instanceof Texts ? values.utf8 : values
  if (bytes instanceof Bytes && held === 'bytes')
    return (row, into) => {
      into.text = bytes.at(row)?.toString('latin1')
      return into.text !== undefined
    }
  const readAny: ReadToken = (row, into) => {
    const value = values.at(row) ?? null
    if (value === null) return false
    into.set(tokenOf(codec, value, known))
    return true
  }
  if (!(values instanceof Decimals && held === 'decimal')) return readAny
  return (row, into) => {
    const packed = values.units.isNull(row) ? -1 : packUnits(values.units, row, values.scale)
    if (packed < 0) return readAny(row, into)
    into.setNumber(packed, Math.floor(packed / WORD))
    return true
  }
}

/** The same values come again and again. */
function tokenOf({ toToken }: ColumnCodec, value: NonNullable<Value>, known: Map<Value, Token>): Token {
  if (typeof value === 'object') return toToken(value)
  const token = known.get(value) ?? toToken(value)
  if (known.size === MOST_TOKENS) known.clear()
  known.set(value, token)
  return token
}
