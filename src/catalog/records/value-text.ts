import { inOnePiece, quoteJson, writeJson } from '../../base/values/json-writer.ts'
import type { Column, Kind, Value, ValueOf } from '../column.ts'
import { jsonValue } from './member.ts'
import type { Spelling } from './spelling.ts'

/** How values are written. */
export interface Style {
  readonly spelling: Spelling
  readonly integersAsText: boolean
}

type Write<T> = (value: T) => string

/** Writes the values of a column of one kind, given the digits of its integers. */
type MakeWrite<T> = (style: Style, column: Column, digitsOf: Write<bigint>) => Write<T>

/** How a stored value of each kind is written: the text of what it is in JSON. */
const writers: { readonly [K in Kind]: MakeWrite<ValueOf[K]> } = {
  text: () => quoteJson,
  choice: (style, column) => kept(asJson(style, column)),
  amount: integer,
  long: integer,
  whole: integer,
  integer: () => String,
  decimal: () => (value) => value,
  instant: (style, column) => remembered(asJson(style, column)),
  seconds: integer,
  cell: integer,
  uuid: () => quoteJson,
  boolean: () => String,
  bytes: asJson,
  texts: asJson,
  json: asJson,
  object: asJson,
}

function integer({ integersAsText }: Style, _column: Column, digitsOf: Write<bigint>): Write<bigint> {
  return integersAsText ? (value) => `"${digitsOf(value)}"` : digitsOf
}

function asJson({ spelling, integersAsText }: Style, column: Column): Write<NonNullable<Value>> {
  return (value) => writeJson(jsonValue(column, value, spelling), integersAsText)
}

/** Keeps the text of the last value, since neighbours often have the same. */
export function kept<T>(write: Write<T>): Write<T> {
  let last: T | undefined
  let text = ''
  return (value) => {
    if (value !== last) {
      text = inOnePiece(write(value))
      last = value
    }
    return text
  }
}

/** A year of days has as many ends of periods. */
const MOST_REMEMBERED = 1000

/** Keeps the texts of some values, which come again with other rows and other requests. */
function remembered<T>(write: Write<T>): Write<T> {
  const texts = new Map<T, string>()
  return (value) => {
    let text = texts.get(value)
    if (text === undefined) {
      if (texts.size === MOST_REMEMBERED) texts.clear()
      text = inOnePiece(write(value))
      texts.set(value, text)
    }
    return text
  }
}

/** Writes values of a column, none of them null, as JSON. */
export function valueWriter(
  column: Column,
  style: Style,
  digitsOf: Write<bigint>,
): Write<NonNullable<Value>> {
  return writers[column.kind](style, column, digitsOf) as Write<NonNullable<Value>>
}
