import type { Column, Kind, Value } from '../catalog/column.ts'

/** A value as it is stored: a number, or text with one character per byte. */
export type Token = bigint | string

/** How the values of a column are stored. */
export interface ColumnCodec {
  /**
   * plain: each value as a number below 2^64. delta: signed 64-bit numbers, as the difference from the one before.
   * recent: a reference to one of the last four values; a new one as a number below 2^64, or as text.
   */
  readonly method: 'plain' | 'delta' | 'recent'
  toToken(value: NonNullable<Value>): Token
  toValue(token: Token): NonNullable<Value>
}

/** The sign becomes the lowest bit, so that small numbers of both signs are short. */
export function zigzag(value: bigint): bigint {
  return BigInt.asUintN(64, (value << 1n) ^ (value >> 63n))
}

export function unzigzag(number: bigint): bigint {
  return BigInt.asIntN(64, (number >> 1n) ^ -(number & 1n))
}

const number = (method: 'plain' | 'delta'): ColumnCodec => ({
  method,
  toToken: (value: bigint) => value,
  toValue: (token) => token,
})

const signed: ColumnCodec = {
  method: 'recent',
  toToken: (value: bigint) => zigzag(value),
  toValue: (token: bigint) => unzigzag(token),
}

const textToToken = (value: string) => Buffer.from(value).toString('latin1')
const tokenToText = (token: string) => Buffer.from(token, 'latin1').toString()
const text: ColumnCodec = { method: 'recent', toToken: textToToken, toValue: tokenToText }

const decimal: ColumnCodec = {
  method: 'recent',
  toToken: packDecimal,
  toValue: (token) => (typeof token === 'string' ? token : unpackDecimal(token)),
}

const codecs: Readonly<Record<Exclude<Kind, 'choice'>, ColumnCodec>> = {
  text,
  amount: number('plain'),
  long: number('delta'),
  whole: number('delta'),
  integer: {
    method: 'recent',
    toToken: (value: number) => zigzag(BigInt(value)),
    toValue: (token: bigint) => Number(unzigzag(token)),
  },
  decimal,
  instant: signed,
  seconds: signed,
  cell: signed,
  uuid: text,
  boolean: {
    method: 'recent',
    toToken: (value) => (value === true ? 1n : 0n),
    toValue: (token) => token === 1n,
  },
  bytes: {
    method: 'recent',
    toToken: (value: Uint8Array) => Buffer.from(value).toString('latin1'),
    toValue: (token: string) => Buffer.from(token, 'latin1'),
  },
  texts: {
    method: 'recent',
    toToken: (value) => textToToken(JSON.stringify(value)),
    toValue: (token: string): readonly string[] => JSON.parse(tokenToText(token)),
  },
  json: text,
  object: text,
}

export function codecOf({ kind, choices = [] }: Column): ColumnCodec {
  return kind === 'choice' ? choiceOf(choices) : codecs[kind]
}

/** A choice by its number; any other value as text. */
function choiceOf(choices: readonly string[]): ColumnCodec {
  const numbers = new Map(choices.map((choice, index) => [choice, BigInt(index)]))
  return {
    method: 'recent',
    toToken: (value: string) => numbers.get(value) ?? textToToken(value),
    toValue: (token) => (typeof token === 'string' ? tokenToText(token) : (choices[Number(token)] ?? '')),
  }
}

const SCALE_BITS = 5n
const MOST_SCALE = 31

/** All digits as one number with the scale in its lowest bits; a decimal too long for that stays text. */
function packDecimal(plain: string): Token {
  const fraction = plain.split('.')[1] ?? ''
  const digits = BigInt(plain.replace('.', ''))
  const whole = digits < 0n ? -2n * digits - 1n : 2n * digits
  const packed = (whole << SCALE_BITS) | BigInt(fraction.length)
  return fraction.length > MOST_SCALE || packed >= 2n ** 64n ? plain : packed
}

function unpackDecimal(packed: bigint): string {
  const scale = Number(packed & BigInt(MOST_SCALE))
  const whole = packed >> SCALE_BITS
  const isNegative = (whole & 1n) === 1n
  const digits = `${(whole + 1n) >> 1n}`.padStart(scale + 1, '0')
  const point = digits.length - scale
  const plain = scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
  return isNegative ? `-${plain}` : plain
}
