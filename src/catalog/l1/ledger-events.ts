import { origin, seconds, text, whole } from '../column.ts'
import type { Filter } from '../resource.ts'

/** Columns, order and filters shared by the event tables of the L1 ledger. */

export const eventColumns = {
  ...origin,
  block: whole('Height of the block.'),
  transaction_hash: text('Hash of the transaction, base64url.'),
} as const

export const time = seconds('Time of the block, whole seconds since 1970, UTC.')

/** Source: docs/decisions, "Order of every list". */
export const eventOrder = [
  { column: 'block' },
  { column: 'transaction_hash' },
  { column: 'source_file' },
  { column: 'ordinal' },
] as const

export const transactionHash = {
  column: 'transaction_hash',
  match: 'equals',
  doc: 'Hash of the transaction.',
} as const satisfies Filter

export const block = {
  column: 'block',
  match: 'equals',
  doc: 'Height of the block.',
} as const satisfies Filter

export const timeRange = {
  from: {
    column: 'time',
    match: 'atLeast',
    doc: 'Earliest time, included. ISO 8601; a bare date means 00:00 UTC.',
  },
  to: {
    column: 'time',
    match: 'atMost',
    doc: 'Latest time, included. ISO 8601; a bare date means 00:00 UTC.',
  },
} as const satisfies Record<string, Filter>

export const EITHER_SPELLING = 'The L1 and the L2 spelling of a wallet are the same.'

export function equal<const Name extends string>(column: Name, doc: string): Filter<Name> {
  return { column, match: 'equals', doc }
}

/** Creates a filter by a column with few values: the documented ones, and synonyms. */
export function oneOfFew<const Name extends string>(
  column: Name,
  doc: string,
  names: readonly string[],
  synonyms: Readonly<Record<string, string>> = {},
): Filter<Name> {
  return { column, match: 'equals', names, synonyms, doc }
}
