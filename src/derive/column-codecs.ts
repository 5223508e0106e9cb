import type { Column, Kind, Value } from '../catalog/column.ts'
import { packDecimal, unpackDecimal } from './packed-decimal.ts'

/** A value as it is stored: a number, or text with one character per byte. */
export type Token = bigint | string

/** How the values of a column are stored. */
export interface ColumnCodec {
  /**
   * plain: each value as a number below 2^64. delta: signed 64-bit numbers, as the difference from the one before.
   * recent: a reference to one of the last four values; a new one as a number below 2^64, or as text.
   */
  readonly method: 'plain' | 'delta' | 'recent'
  /** How what machines hold becomes tokens: a number is one itself, or by `zigzag`; bytes are one; a decimal becomes one by `packUnits`. */
  readonly held?: 'number' | 'signed' | 'bytes' | 'decimal'
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
  held: 'number',
  toToken: (value: bigint) => value,
  toValue: (token) => token,
})

const signed: ColumnCodec = {
  method: 'recent',
  held: 'signed',
  toToken: (value: bigint) => zigzag(value),
  toValue: (token: bigint) => unzigzag(token),
}

const textToToken = (value: string) => Buffer.from(value).toString('latin1')
const tokenToText = (token: string) => Buffer.from(token, 'latin1').toString()
const text: ColumnCodec = { method: 'recent', held: 'bytes', toToken: textToToken, toValue: tokenToText }

const decimal: ColumnCodec = {
  method: 'recent',
  held: 'decimal',
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
    held: 'signed',
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
    held: 'bytes',
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
