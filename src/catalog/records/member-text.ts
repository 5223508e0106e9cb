import { formatDigits } from '../../base/values/decimal.ts'
import { type JsonObject, writeJson } from '../../base/values/json-writer.ts'
import type { Derivation, Member } from '../members.ts'
import type { Resource, Row } from '../resource.ts'
import { type ManifestFacts, memberOf } from './member.ts'
import { valueWriter, type WriteStyle } from './value-text.ts'

/** Data of a record that is not in its row. */
export interface RecordContext {
  readonly facts: ManifestFacts
  readonly embedded: JsonObject
}

/** Writes a record, or a part of it. */
export type WritePart = (row: Row, context: RecordContext) => string

export interface RecordShape extends WriteStyle {
  readonly resource: Resource
  /** Returns a cached writer of the digits of an amount; its formatted member uses it too. */
  digitsOf(column: string): (value: bigint) => string
}

const derivedWriters: Readonly<Record<Derivation, (of: string, shape: RecordShape) => WritePart>> = {
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

function asMember(derive: Derivation): (of: string, shape: RecordShape) => WritePart {
  return (of, { resource, spelling, integersAsText }) => {
    const member = { derive, of }
    return (row, { facts }) => writeJson(memberOf(resource, row, member, facts, spelling), integersAsText)
  }
}

/** Creates the writer of a member; its text equals that of `memberOf`. */
export function memberWriter(member: Member, shape: RecordShape): WritePart {
  if (typeof member !== 'string') return derivedWriters[member.derive](member.of, shape)
  const column = shape.resource.columns[member]
  if (column === undefined) return () => 'null'
  const write = valueWriter(column, shape, shape.digitsOf(member))
  return (row) => {
    const value = row[member] ?? null
    return value === null ? 'null' : write(value)
  }
}
