import { formatDigits } from '../../base/values/decimal.ts'
import { type JsonObject, writeJson } from '../../base/values/json-writer.ts'
import type { Derivation, Member } from '../members.ts'
import type { Resource, Row } from '../resource.ts'
import { type ManifestFacts, memberOf } from './member.ts'
import { type Style, valueWriter } from './value-text.ts'

/** What a record has that its row does not say itself, its id aside. */
export interface Beside {
  readonly facts: ManifestFacts
  readonly embedded: JsonObject
}

/** Gives the text of a record, or a part of it. */
export type WritePart = (row: Row, beside: Beside) => string

/** What the parts of a record have in common. */
export interface Shape extends Style {
  readonly resource: Resource
  /** The digits of an amount, which its formatted twin has too. */
  digitsOf(column: string): (value: bigint) => string
}

const derivedWriters: Readonly<Record<Derivation, (of: string, shape: Shape) => WritePart>> = {
  formatted: (of, shape) => {
    const digitsOf = shape.digitsOf(of)
    return (row, { facts: { tokenDecimals } }) => {
      const amount = row[of]
      if (typeof amount !== 'bigint' || tokenDecimals === null) return 'null'
      return `"${formatDigits(digitsOf(amount), tokenDecimals)}"`
    }
  },
  offloaded_bytes: asMember('offloaded_bytes'),
  number: (of) => {
    const exact = `${of}_exact`
    return (row) => String(row[exact] ?? row[of] ?? null)
  },
  truncated: asMember('truncated'),
}

function asMember(derive: Derivation): (of: string, shape: Shape) => WritePart {
  return (of, { resource, spelling, integersAsText }) => {
    const member = { derive, of }
    return (row, { facts }) => writeJson(memberOf(resource, row, member, facts, spelling), integersAsText)
  }
}

/** Writes a member of records: the text of what `memberOf` gives. */
export function memberWriter(member: Member, shape: Shape): WritePart {
  if (typeof member !== 'string') return derivedWriters[member.derive](member.of, shape)
  const column = shape.resource.columns[member]
  if (column === undefined) return () => 'null'
  const write = valueWriter(column, shape, shape.digitsOf(member))
  return (row) => {
    const value = row[member] ?? null
    return value === null ? 'null' : write(value)
  }
}
