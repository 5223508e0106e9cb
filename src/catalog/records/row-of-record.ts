import { clipped } from '../../base/parameter-text.ts'
import { readDecimal, storedDecimal } from '../../base/values/decimal.ts'
import { isCell, LOCATION_RESOLUTION, resolutionOf } from '../../base/values/h3-cell.ts'
import { readInstant } from '../../base/values/instant.ts'
import {
  Digits,
  isList,
  isObject,
  type Json,
  type JsonObject,
  writeJson,
} from '../../base/values/json-writer.ts'
import { isUuid, keyId } from '../../base/values/key-id.ts'
import type { Column, Kind, Value } from '../column.ts'
import type { RecordMembers } from '../members.ts'
import type { Embedding, Resource, Row } from '../resource.ts'

/** A record that cannot become a row. */
export class RecordFault extends Error {}

/** Reader of a kind; it returns undefined for an invalid value. */
interface KindReader {
  readonly read: (value: Json, column: Column) => Value | undefined
  readonly expected: string
}

const INTEGER = /^-?\d{1,20}$/

const text: KindReader = { read: readText, expected: 'a text in Unicode without NUL' }
const long = { read: integerOf(-(2n ** 63n), 2n ** 63n - 1n), expected: 'a whole number of at most 64 bits' }

const readers: Readonly<Record<Kind, KindReader>> = {
  text,
  choice: {
    read: (value, { choices }) => (choices?.includes(String(value)) ? readText(value) : undefined),
    expected: 'one of',
  },
  amount: { read: integerOf(0n, 2n ** 64n - 1n), expected: 'a whole number from 0 to 18446744073709551615' },
  long,
  whole: { read: integerOf(0n, 2n ** 63n - 1n), expected: 'a whole number from 0 to 9223372036854775807' },
  integer: {
    read: (value) => toNumber(integerOf(-(2n ** 31n), 2n ** 31n - 1n)(value)),
    expected: 'a whole number of at most 32 bits',
  },
  decimal: {
    read: (value) => storedDecimal(readDecimal(numberText(value) ?? '') ?? '') || undefined,
    expected: 'a decimal of at most 20 digits before the point',
  },
  instant: {
    read: (value) => (typeof value === 'string' ? readInstant(value) : undefined),
    expected: 'an ISO 8601 time',
  },
  seconds: long,
  cell: { read: readCell, expected: `an H3 cell of resolution ${LOCATION_RESOLUTION} as a whole number` },
  uuid: {
    read: (value) => (typeof value === 'string' && isUuid(value) ? value.toLowerCase() : undefined),
    expected: 'a UUID',
  },
  boolean: {
    read: (value) => (typeof value === 'boolean' ? value : undefined),
    expected: 'true or false',
  },
  bytes: {
    read: (value) => (isBase64(value) ? Buffer.from(value, 'base64') : undefined),
    expected: 'bytes in base64',
  },
  texts: { read: readTexts, expected: 'a list of' },
  json: { read: (value) => writeJson(value), expected: 'any JSON' },
  object: {
    read: (value) => (isObject(value) ? writeJson(value) : undefined),
    expected: 'an object',
  },
}

/** Converts embedded records to columns of the row. */
const embedded: Readonly<Record<Embedding, (member: string, value: Json) => Row>> = {
  manifest: () => ({}),
  maker: (member, value) => {
    if (value === null) return { maker: null, maker_id: null }
    if (!isObject(value)) throw faultOf(member, value, 'an object')
    return { maker: writeJson(value), maker_id: idOfMaker(member, value) }
  },
}

function idOfMaker(member: string, maker: JsonObject): string | null {
  const [id, address] = [memberOf(maker, 'id'), memberOf(maker, 'address')]
  if (id !== null) return String(readValue(`${member}.id`, id, { kind: 'uuid', doc: '', nullable: false }))
  return typeof address === 'string' ? keyId(address) : null
}

/**
 * Converts a REST record, with integers as bigint or digits, to a flat row. Unknown members are ignored. A
 * missing id is derived from the key; missing networks from the objects with values. Errors: RecordFault.
 */
export function rowOfRecord(resource: Resource, record: Json): Row {
  if (!isObject(record)) throw faultOf('the record', record, 'an object')
  const { columns, key = '' } = resource
  const row: Record<string, Value> = {}
  readMembers(resource, resource.record ?? {}, record, '', row)
  for (const [member, embedding] of Object.entries(resource.embeds ?? {}))
    Object.assign(row, embedded[embedding](member, memberOf(record, member)))
  refuseGaps(resource, row)
  if (columns.id !== undefined) {
    const id = memberOf(record, 'id')
    row.id = id === null ? keyId(String(row[key])) : readValue('id', id, columns.id)
  }
  return row
}

function readMembers(
  resource: Resource,
  members: RecordMembers,
  record: JsonObject,
  path: string,
  row: Record<string, Value>,
): void {
  for (const [name, member] of Object.entries(members)) {
    const value = memberOf(record, name)
    if (typeof member === 'string') {
      const column = resource.columns[member]
      row[member] = value === null || column === undefined ? null : readValue(path + name, value, column)
    } else if ('members' in member) {
      if (value !== null && !isObject(value)) throw faultOf(path + name, value, 'an object')
      readMembers(resource, member.members, value ?? {}, `${path}${name}.`, row)
    }
  }
}

/** Errors: RecordFault for a column that must have a value and has none, and for an empty key. */
function refuseGaps({ columns, record = {}, key }: Resource, row: Record<string, Value>): void {
  for (const [name, member] of Object.entries(record)) {
    const column = typeof member === 'string' ? columns[member] : undefined
    if (typeof member !== 'string' || column === undefined || column.nullable) continue
    if (row[member] === null && column.kind === 'texts') row[member] = choicesWithValues(column, record, row)
    if (row[member] === null) throw new RecordFault(`${name} is missing; expected ${expectedBy(column)}`)
    if (member === key && row[member] === '') throw faultOf(name, '', 'a text of at least one character')
  }
}

/** Choices whose object, such as `iot_info` for `iot`, has a value. */
function choicesWithValues(
  { choices = [] }: Column,
  record: RecordMembers,
  row: Readonly<Record<string, Value>>,
): readonly string[] {
  return choices.filter((choice) => {
    const info = record[`${choice}_info`]
    const members = typeof info === 'object' && 'members' in info ? Object.values(info.members) : []
    return members.some((member) => typeof member === 'string' && row[member] !== null)
  })
}

function readValue(name: string, value: Json, column: Column): Value {
  const parsed = readers[column.kind].read(value, column)
  if (parsed === undefined) throw faultOf(name, value, expectedBy(column))
  return parsed
}

function expectedBy({ kind, choices }: Column): string {
  const { expected } = readers[kind]
  if (choices !== undefined) return `${expected} ${choices.join(', ')}`
  return kind === 'texts' ? `${expected} texts` : expected
}

function faultOf(name: string, value: Json, expected: string): RecordFault {
  return new RecordFault(`${name} is ${clipped(writeJson(value))}; expected ${expected}`)
}

/** Returns an own member: objects inherit others. */
function memberOf(record: JsonObject, name: string): Json {
  return Object.hasOwn(record, name) ? (record[name] ?? null) : null
}

/** Refuses NUL, which ends a text in engines, and lone surrogates, which have no UTF-8. */
function readText(value: Json): string | undefined {
  return typeof value === 'string' && !/[\0\p{Surrogate}]/u.test(value) ? value : undefined
}

function readTexts(value: Json, { choices }: Column): readonly string[] | undefined {
  if (!isList(value)) return undefined
  const texts = value.flatMap((item) => readText(item) ?? [])
  const areKnown = texts.length === value.length && texts.every((item) => choices?.includes(item) ?? true)
  return areKnown ? texts : undefined
}

function numberText(value: Json): string | undefined {
  if (value instanceof Digits) return value.text
  return typeof value === 'bigint' || typeof value === 'string' ? String(value) : undefined
}

function integerOf(least: bigint, most: bigint): (value: Json) => bigint | undefined {
  return (value) => {
    const digits = numberText(value) ?? ''
    if (!INTEGER.test(digits)) return undefined
    const number = BigInt(digits)
    return number >= least && number <= most ? number : undefined
  }
}

function toNumber(value: bigint | undefined): number | undefined {
  return value === undefined ? undefined : Number(value)
}

function readCell(value: Json): bigint | undefined {
  const index = integerOf(0n, 2n ** 63n - 1n)(value)
  if (index === undefined || !isCell(index) || resolutionOf(index) !== LOCATION_RESOLUTION) return undefined
  return index
}

function isBase64(value: Json): value is string {
  return typeof value === 'string' && Buffer.from(value, 'base64').toString('base64') === value
}
