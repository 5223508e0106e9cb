import type { Column, Kind, Value } from '../catalog/column.ts'

/** A value as a block has it: a number, or text of one character a byte. */
export type Token = bigint | string

/** How a block says the values of a column. */
export interface Form {
  /**
   * free: each value as a number below 2^64. near: 64-bit numbers with a sign, by the difference from the one before.
   * again: most of them were there before; a number below 2^64, or text.
   */
  readonly codec: 'free' | 'near' | 'again'
  toToken(value: NonNullable<Value>): Token
  toValue(token: Token): NonNullable<Value>
}

/** Signs go to the lowest bit, so that small numbers of both signs are short. */
export function zigzag(value: bigint): bigint {
  return BigInt.asUintN(64, (value << 1n) ^ (value >> 63n))
}

export function unzigzag(number: bigint): bigint {
  return BigInt.asIntN(64, (number >> 1n) ^ -(number & 1n))
}

const number = (codec: 'free' | 'near'): Form => ({
  codec,
  toToken: (value) => value as bigint,
  toValue: (token) => token,
})

const signed: Form = {
  codec: 'again',
  toToken: (value) => zigzag(value as bigint),
  toValue: (token) => unzigzag(token as bigint),
}

const text: Form = {
  codec: 'again',
  toToken: (value) => Buffer.from(value as string).toString('latin1'),
  toValue: (token) => Buffer.from(token as string, 'latin1').toString(),
}

const decimal: Form = {
  codec: 'again',
  toToken: (value) => packDecimal(value as string),
  toValue: (token) => (typeof token === 'string' ? token : unpackDecimal(token)),
}

const forms: Readonly<Record<Exclude<Kind, 'choice'>, Form>> = {
  text,
  amount: number('free'),
  long: number('near'),
  whole: number('near'),
  integer: {
    codec: 'again',
    toToken: (value) => zigzag(BigInt(value as number)),
    toValue: (token) => Number(unzigzag(token as bigint)),
  },
  decimal,
  instant: signed,
  seconds: signed,
  cell: signed,
  uuid: text,
  boolean: {
    codec: 'again',
    toToken: (value) => (value === true ? 1n : 0n),
    toValue: (token) => token === 1n,
  },
  bytes: {
    codec: 'again',
    toToken: (value) => Buffer.from(value as Uint8Array).toString('latin1'),
    toValue: (token) => Buffer.from(token as string, 'latin1'),
  },
  texts: {
    codec: 'again',
    toToken: (value) => text.toToken(JSON.stringify(value)),
    toValue: (token) => JSON.parse(text.toValue(token) as string) as readonly string[],
  },
  json: text,
  object: text,
}

export function formOf({ kind, choices = [] }: Column): Form {
  return kind === 'choice' ? choiceOf(choices) : forms[kind]
}

/** The number of a choice; what is none of them as text. */
function choiceOf(choices: readonly string[]): Form {
  const numbers = new Map(choices.map((choice, index) => [choice, BigInt(index)]))
  return {
    codec: 'again',
    toToken: (value) => numbers.get(value as string) ?? text.toToken(value),
    toValue: (token) => (typeof token === 'string' ? text.toValue(token) : (choices[Number(token)] ?? '')),
  }
}

const SCALE_BITS = 5n
const MOST_SCALE = 31

/** All digits as one number, and how many of them come after the point; longer ones stay text. */
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
