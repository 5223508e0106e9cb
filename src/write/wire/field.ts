import type { CaseOf, Resource } from '../../catalog/resource.ts'

/**
 * Mapping of protobuf fields to columns, as data for the decoder and the encoder of the sample. Numbers and types are
 * those of the network's public protobuf files.
 */
export type WireField =
  | ColumnField
  /** A member of the `reward` oneof; its name is the value of `reward_type`. */
  | { readonly as: 'variant'; readonly name: string; readonly fields: WireFields }
  /** A nested message whose fields belong to the same row. */
  | { readonly as: 'group'; readonly fields: WireFields }

const plain =
  <A extends string>(as: A) =>
  (column: string) =>
    ({ as, column }) as const

/** All kinds of fields that become columns; `field-kinds.ts` implements them. */
export const columnFields = {
  /** uint64 seconds -> instant. */
  seconds: plain('seconds'),
  /** uint64 seconds -> instant; 0 is null. */
  optionalSeconds: plain('optionalSeconds'),
  /** uint64 milliseconds -> instant. */
  milliseconds: plain('milliseconds'),
  /** uint64 nanoseconds -> instant cut to microseconds, and the exact number in `wholeColumn`. */
  nanoseconds: (column: string, wholeColumn: string) => ({ as: 'nanoseconds', column, wholeColumn }) as const,
  /** uint64 -> amount. */
  amount: plain('amount'),
  /** uint64 -> long; a value above 2^63-1 is a fault of the row. */
  long: plain('long'),
  /** uint32 -> long. */
  uint32: plain('uint32'),
  /** int32 -> integer. */
  int32: plain('int32'),
  /** zigzag sint32 -> integer. */
  sint32: plain('sint32'),
  text: plain('text'),
  bytes: plain('bytes'),
  /** bytes; absent is null. */
  optionalBytes: plain('optionalBytes'),
  /** Public key bytes -> base58check text; an empty key is a fault of the row. */
  key: plain('key'),
  /** Enum number -> name; an unknown number is stored as its digits. */
  choice: (column: string, choices: readonly string[]) => ({ as: 'choice', column, choices }) as const,
  /** Message { 1: decimal text } -> decimal; `<column>_exact` if 18 decimals are not enough. */
  decimal: plain('decimal'),
}

export type ColumnField = ReturnType<(typeof columnFields)[keyof typeof columnFields]>

export type WireFields = Readonly<Record<number, WireField>>

interface Member {
  readonly number: number
  readonly fields: WireFields
}

/** Declares a member of the `reward` oneof. */
export function oneofMember(number: number, fields: WireFields): Member {
  return { number, fields }
}

/** Declares the `reward` oneof, with a member for every variant of the table. */
export function variants<R extends Resource>(cases: Readonly<Record<CaseOf<R>, Member>>): WireFields {
  const entries = Object.entries<Member>(cases)
  return Object.fromEntries(
    entries.map(([name, { number, fields }]) => [number, { as: 'variant', name, fields }]),
  )
}

export function group(fields: WireFields): WireField {
  return { as: 'group', fields }
}

/** Returns the columns filled by each variant, including `_exact` columns of decimals. */
export function variantColumns(fields: WireFields): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.values(fields).flatMap((field) =>
      field.as === 'variant' ? [[field.name, columnsOf(field.fields)]] : [],
    ),
  )
}

function columnsOf(fields: WireFields): readonly string[] {
  return Object.values(fields).flatMap((field) => {
    if (field.as === 'variant' || field.as === 'group') return columnsOf(field.fields)
    return field.as === 'decimal' ? [field.column, `${field.column}_exact`] : [field.column]
  })
}
