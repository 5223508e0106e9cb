/**
 * How the fields of a protobuf message become columns, as data: decoding and encoding both read these tables.
 * Numbers and types are those of the network's public protobuf files.
 */
export type Field =
  | ColumnField
  /** A member of the `reward` oneof; its name is the value of reward_type. */
  | { readonly as: 'variant'; readonly name: string; readonly fields: Fields }
  /** A nested message whose fields belong to the same row. */
  | { readonly as: 'group'; readonly fields: Fields }

interface Plain<A extends string> {
  readonly as: A
  readonly column: string
}

export type ColumnField =
  /** uint64 seconds -> instant. */
  | Plain<'seconds'>
  /** uint64 seconds -> instant; 0 is null. */
  | Plain<'optionalSeconds'>
  /** uint64 milliseconds -> instant. */
  | Plain<'milliseconds'>
  /** uint64 nanoseconds -> instant cut to microseconds, and the whole number in `wholeColumn`. */
  | (Plain<'nanoseconds'> & { readonly wholeColumn: string })
  /** uint64 -> amount. */
  | Plain<'amount'>
  /** uint64 -> long; a value beyond 2^63-1 is a fault of the row. */
  | Plain<'long'>
  /** uint32 -> long. */
  | Plain<'uint32'>
  /** int32 -> integer. */
  | Plain<'int32'>
  /** zigzag sint32 -> integer. */
  | Plain<'sint32'>
  | Plain<'text'>
  | Plain<'bytes'>
  /** bytes; absent is null. */
  | Plain<'optionalBytes'>
  /** Public key bytes -> base58check text; an empty key is a fault of the row. */
  | Plain<'key'>
  /** Enum number -> name; a number beyond the list is kept as its digits. */
  | (Plain<'choice'> & { readonly choices: readonly string[] })
  /** Message { 1: decimal text } -> decimal, and `<column>_exact` where 18 decimals cannot hold it. */
  | Plain<'decimal'>

export type Fields = Readonly<Record<number, Field>>

const plain =
  <A extends ColumnField['as']>(as: A) =>
  (column: string) =>
    ({ as, column }) as const

export const seconds = plain('seconds')
export const optionalSeconds = plain('optionalSeconds')
export const milliseconds = plain('milliseconds')
export const amount = plain('amount')
export const long = plain('long')
export const uint32 = plain('uint32')
export const int32 = plain('int32')
export const sint32 = plain('sint32')
export const text = plain('text')
export const bytes = plain('bytes')
export const optionalBytes = plain('optionalBytes')
export const key = plain('key')
export const decimal = plain('decimal')

export function nanoseconds(column: string, wholeColumn: string): Field {
  return { as: 'nanoseconds', column, wholeColumn }
}

export function choice(column: string, choices: readonly string[]): Field {
  return { as: 'choice', column, choices }
}

export function variant(name: string, fields: Fields): Field {
  return { as: 'variant', name, fields }
}

export function group(fields: Fields): Field {
  return { as: 'group', fields }
}

/** The columns that the fields of each variant fill, decimals with their `_exact` twin. */
export function variantColumns(fields: Fields): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.values(fields).flatMap((field) =>
      field.as === 'variant' ? [[field.name, columnsOf(field.fields)]] : [],
    ),
  )
}

function columnsOf(fields: Fields): readonly string[] {
  return Object.values(fields).flatMap((field) => {
    if (field.as === 'variant' || field.as === 'group') return columnsOf(field.fields)
    return field.as === 'decimal' ? [field.column, `${field.column}_exact`] : [field.column]
  })
}
