import { inOnePiece, quoteJson, writeJson } from '../../base/values/json-writer.ts'
import type { Column, Kind, Value, ValueOf } from '../column.ts'
import { jsonValue } from './member.ts'
import type { Spelling } from './spelling.ts'

export interface WriteStyle {
  readonly spelling: Spelling
  readonly integersAsText: boolean
}

type Write<T> = (value: T) => string

/** Creates a writer of a column, given the digits of its integers. */
type MakeWrite<T> = (style: WriteStyle, column: Column, digitsOf: Write<bigint>) => Write<T>

/** Writers by kind; the text equals that of the JSON value. */
const writers: { readonly [K in Kind]: MakeWrite<ValueOf[K]> } = {
  text: () => quoteJson,
  choice: (style, column) => cacheLast(asJson(style, column)),
  amount: integer,
  long: integer,
  whole: integer,
  integer: () => String,
  decimal: () => (value) => value,
  instant: (style, column) => cacheValues(asJson(style, column)),
  seconds: integer,
  cell: integer,
  uuid: () => quoteJson,
  boolean: () => String,
  bytes: asJson,
  texts: asJson,
  json: asJson,
  object: asJson,
}

function integer({ integersAsText }: WriteStyle, _column: Column, digitsOf: Write<bigint>): Write<bigint> {
  return integersAsText ? (value) => `"${digitsOf(value)}"` : digitsOf
}

function asJson({ spelling, integersAsText }: WriteStyle, column: Column): Write<NonNullable<Value>> {
  return (value) => writeJson(jsonValue(column, value, spelling), integersAsText)
}

/** Caches the text of the last value, since neighbours are often equal. */
export function cacheLast<T>(write: Write<T>): Write<T> {
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

/** More than the ends of periods in a year. */
const MOST_REMEMBERED = 1000

/** Caches the texts of values that recur in other rows and requests. */
function cacheValues<T>(write: Write<T>): Write<T> {
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

/** Creates the writer of the non-null values of a column. */
export function valueWriter(
  column: Column,
  style: WriteStyle,
  digitsOf: Write<bigint>,
): Write<NonNullable<Value>> {
  return writers[column.kind](style, column, digitsOf) as Write<NonNullable<Value>>
}
