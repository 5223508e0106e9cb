import type { Kind, Value } from '../catalog/column.ts'
import type { Derivation, Member, Resource, Row } from '../catalog/resource.ts'
import { formatAmount, truncatedDecimal } from './decimal.ts'
import { writeInstant } from './instant.ts'
import { Digits, type Json, Verbatim } from './json-writer.ts'
import { offloadedBytes } from './offloaded-bytes.ts'

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
const jsonOf: Readonly<Record<Kind, (value: never) => Json>> = {
  text: (value: string) => value,
  choice: (value: string) => value,
  amount: (value: bigint) => value,
  long: (value: bigint) => value,
  whole: (value: bigint) => value,
  integer: (value: number) => value,
  decimal: (value: string) => new Digits(value),
  instant: writeInstant,
  seconds: (value: bigint) => value,
  cell: (value: bigint) => value,
  uuid: (value: string) => value,
  boolean: (value: boolean) => value,
  bytes: (value: Uint8Array) => Buffer.from(value).toString('base64'),
  texts: (value: readonly string[]) => value,
  json: (value: string) => JSON.parse(value) as Json,
  object: (value: string) => new Verbatim(value),
}

const derivations: Readonly<Record<Derivation, (row: Row, of: string, facts: ManifestFacts) => Json>> = {
  formatted: (row, of, { tokenDecimals }) => {
    const amount = row[of] ?? null
    return amount === null || tokenDecimals === null ? null : formatAmount(amount as bigint, tokenDecimals)
  },
  offloaded_bytes: (row, of, { price }) => {
    const reward = row[of] ?? null
    return reward === null || price === null ? null : offloadedBytes(reward as bigint, price)
  },
  number: (row, of) => {
    const exact = row[`${of}_exact`] ?? row[of] ?? null
    return exact === null ? null : new Digits(exact as string)
  },
  truncated: (row, of) => {
    const exact = row[of] ?? null
    return exact === null ? null : (truncatedDecimal(exact as string) ?? null)
  },
}

/** The value of a member of a record; null while what it follows from is unknown. */
export function memberOf(resource: Resource, row: Row, member: Member, facts: ManifestFacts): Json {
  if (typeof member !== 'string') return derivations[member.derive](row, member.of, facts)
  const value: Value = row[member] ?? null
  const kind = resource.columns[member]?.kind
  return value === null || kind === undefined ? null : jsonOf[kind](value as never)
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
