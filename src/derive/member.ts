import type { Column, Kind, ListShape, Value, ValueOf } from '../catalog/column.ts'
import type { Derivation, Member, Resource, Row } from '../catalog/resource.ts'
import { formatAmount } from './decimal.ts'
import { readInstant } from './instant.ts'
import { Digits, type Json, type JsonObject, Verbatim } from './json-writer.ts'
import { offloadedBytes } from './offloaded-bytes.ts'
import { type Spelling, specifiedSpelling } from './spelling.ts'

/** What the manifest of a row adds to it; nulls while no manifest is known. */
export interface ManifestFacts {
  /** Digits after the point of the token that the row is paid in. */
  readonly tokenDecimals: number | null
  /** Null also when the manifest says 0. */
  readonly price: bigint | null
}

/** What is known of a row without a manifest. */
export const noFacts: ManifestFacts = { tokenDecimals: null, price: null }

/** How a stored value of each kind stands in JSON. */
const jsonOf: Readonly<Record<Kind, (value: never, spelling: Spelling, column: Column) => Json>> = {
  text: (value: string) => value,
  choice: (value: string, spelling) => spelling.choice(value),
  amount: (value: bigint) => value,
  long: (value: bigint) => value,
  whole: (value: bigint) => value,
  integer: (value: number) => value,
  decimal: (value: string) => new Digits(value),
  instant: (value: bigint, spelling) => spelling.instant(value),
  seconds: (value: bigint) => value,
  cell: (value: bigint) => value,
  uuid: (value: string) => value,
  boolean: (value: boolean) => value,
  bytes: (value: Uint8Array) => Buffer.from(value).toString('base64'),
  texts: (value: readonly string[]) => value,
  json: (value: string, spelling, { shape }) =>
    spelledList(JSON.parse(value) as readonly JsonObject[], shape, spelling),
  object: (value: string) => new Verbatim(value),
}

/** The objects of a list, in which instants stand as ISO 8601. */
function spelledList(
  list: readonly JsonObject[],
  shape: ListShape | undefined,
  spelling: Spelling,
): readonly JsonObject[] {
  const spelled = (name: string, value: Json): Json => {
    const type = shape?.members[name]
    if (type === 'instant') return spelling.instant(readInstant(value as string) as bigint)
    return typeof type === 'object' ? spelledList(value as readonly JsonObject[], type, spelling) : value
  }
  return list.map((object) =>
    Object.fromEntries(Object.entries(object).map(([name, value]) => [name, spelled(name, value)])),
  )
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

/** The value of a column of a kind that the declaration promises. */
function valueIn<K extends Kind>(row: Row, column: string): ValueOf[K] | null {
  return (row[column] ?? null) as ValueOf[K] | null
}

/** The value of a member of a record; null while what it follows from is unknown. */
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
  return value === null || column === undefined ? null : jsonOf[column.kind](value as never, spelling, column)
}

/** Columns of its own row that a member follows from. */
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
