import { formatAmount } from '../../base/values/decimal.ts'
import { readInstant } from '../../base/values/instant.ts'
import { Digits, isList, isObject, type Json, Verbatim } from '../../base/values/json-writer.ts'
import {
  type ByKind,
  bigintOf,
  byKind,
  type Column,
  type Kind,
  type ListShape,
  type Value,
  type ValueOf,
} from '../column.ts'
import type { Derivation, Member } from '../members.ts'
import type { Resource, Row } from '../resource.ts'
import { offloadedBytes } from './offloaded-bytes.ts'
import { type Spelling, specifiedSpelling } from './spelling.ts'

/** Facts of the manifest of a row; null without one. */
export interface ManifestFacts {
  /** Decimals of the token of the row. */
  readonly tokenDecimals: number | null
  /** Null also when the manifest says 0. */
  readonly price: bigint | null
}

export const noFacts: ManifestFacts = { tokenDecimals: null, price: null }

/** JSON of a stored value, by kind. */
const jsonOf: ByKind<[spelling: Spelling, column: Column], Json> = {
  text: (value) => value,
  choice: (value, spelling) => spelling.choice(value),
  amount: (value) => value,
  long: (value) => value,
  whole: (value) => value,
  integer: (value) => value,
  decimal: (value) => new Digits(value),
  instant: (value, spelling) => spelling.instant(value),
  seconds: (value) => value,
  cell: (value) => value,
  uuid: (value) => value,
  boolean: (value) => value,
  bytes: (value) => Buffer.from(value).toString('base64'),
  texts: (value) => value,
  json: (value, spelling, { shape }) => spellJson(JSON.parse(value), shape, spelling),
  object: (value) => new Verbatim(value),
}

/** Converts a value of a JSON column; instants become ISO 8601. */
function spellJson(
  value: Json,
  shape: ListShape | 'text' | 'long' | 'instant' | undefined,
  spelling: Spelling,
): Json {
  if (shape === 'instant') return spelling.instant(bigintOf(readInstant(String(value))))
  if (typeof shape !== 'object' || !isList(value)) return value
  return value.map((item) => {
    const members = Object.entries(isObject(item) ? item : {})
    return Object.fromEntries(
      members.map(([name, own]) => [name, spellJson(own, shape.members[name], spelling)]),
    )
  })
}

type Derive = (row: Row, of: string, facts: ManifestFacts, spelling: Spelling) => Json

const derivations: Readonly<Record<Derivation, Derive>> = {
  formatted: (row, of, { tokenDecimals }) => {
    const amount = valueIn<'amount'>(row, of)
    return amount === null || tokenDecimals === null ? null : formatAmount(amount, tokenDecimals)
  },
  offloaded_bytes: (row, of, { price }) => {
    const reward = valueIn<'amount'>(row, of)
    return reward === null || price === null ? null : offloadedBytes(reward, price)
  },
  number: (row, of) => {
    const exact = valueIn<'text'>(row, `${of}_exact`) ?? valueIn<'decimal'>(row, of)
    return exact === null ? null : new Digits(exact)
  },
  truncated: (row, of, _facts, spelling) => {
    const exact = valueIn<'text'>(row, of)
    return exact === null ? null : spelling.truncated(exact)
  },
}

/** Returns the value of a column of a declared kind. */
function valueIn<K extends Kind>(row: Row, column: string): ValueOf[K] | null {
  return (row[column] ?? null) as ValueOf[K] | null
}

/** Returns a member of a record; null if it cannot be computed. */
export function memberOf(
  resource: Resource,
  row: Row,
  member: Member,
  facts: ManifestFacts,
  spelling: Spelling = specifiedSpelling,
): Json {
  if (typeof member !== 'string') return derivations[member.derive](row, member.of, facts, spelling)
  const value: Value = row[member] ?? null
  const column = resource.columns[member]
  return value === null || column === undefined ? null : jsonValue(column, value, spelling)
}

export function jsonValue(column: Column, value: NonNullable<Value>, spelling: Spelling): Json {
  return byKind(jsonOf, column.kind, value, spelling, column)
}

/** Columns of the row that a member needs. */
export function memberColumns(member: Member): readonly string[] {
  if (typeof member === 'string') return [member]
  const more: Readonly<Record<Derivation, readonly string[]>> = {
    formatted: ['source_file'],
    offloaded_bytes: ['source_file'],
    number: [`${member.of}_exact`],
    truncated: [],
  }
  return [member.of, ...more[member.derive]]
}
