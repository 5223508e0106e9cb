import { packDecimal, unpackDecimal } from '../../base/values/packed-decimal.ts'
import type { Column, Kind, Value } from '../../catalog/column.ts'

/** A value as it is stored: a number, or text with one character per byte. */
export type Token = bigint | string

/** Conversion between values and stored tokens. */
export interface ColumnCodec {
  toToken(value: NonNullable<Value>): Token
  toValue(token: Token): NonNullable<Value>
}

/** Moves the sign to the lowest bit, so that small numbers of both signs are short. */
export function zigzag(value: bigint): bigint {
  return BigInt.asUintN(64, (value << 1n) ^ (value >> 63n))
}

function unzigzag(number: bigint): bigint {
  return BigInt.asIntN(64, (number >> 1n) ^ -(number & 1n))
}

const number: ColumnCodec = { toToken: (value: bigint) => value, toValue: (token) => token }

const signed: ColumnCodec = {
  toToken: (value: bigint) => zigzag(value),
  toValue: (token: bigint) => unzigzag(token),
}

const textToToken = (value: string) => Buffer.from(value).toString('latin1')
const tokenToText = (token: string) => Buffer.from(token, 'latin1').toString()
const text: ColumnCodec = { toToken: textToToken, toValue: tokenToText }

const decimal: ColumnCodec = {
  toToken: packDecimal,
  toValue: (token) => (typeof token === 'string' ? token : unpackDecimal(token)),
}

const codecs: Readonly<Record<Exclude<Kind, 'choice'>, ColumnCodec>> = {
  text,
  amount: number,
  long: number,
  whole: number,
  integer: {
    toToken: (value: number) => zigzag(BigInt(value)),
    toValue: (token: bigint) => Number(unzigzag(token)),
  },
  decimal,
  instant: signed,
  seconds: signed,
  cell: signed,
  uuid: text,
  boolean: {
    toToken: (value) => (value === true ? 1n : 0n),
    toValue: (token) => token === 1n,
  },
  bytes: {
    toToken: (value: Uint8Array) => Buffer.from(value).toString('latin1'),
    toValue: (token: string) => Buffer.from(token, 'latin1'),
  },
  texts: {
    toToken: (value) => textToToken(JSON.stringify(value)),
    toValue: (token: string): readonly string[] => JSON.parse(tokenToText(token)),
  },
  json: text,
  object: text,
}

export function codecOf({ kind, choices = [] }: Column): ColumnCodec {
  return kind === 'choice' ? choiceOf(choices) : codecs[kind]
}

/** Stores a choice as its number, and any other value as text. */
function choiceOf(choices: readonly string[]): ColumnCodec {
  const numbers = new Map(choices.map((choice, index) => [choice, BigInt(index)]))
  return {
    toToken: (value: string) => numbers.get(value) ?? textToToken(value),
    toValue: (token) => (typeof token === 'string' ? tokenToText(token) : (choices[Number(token)] ?? '')),
  }
}
