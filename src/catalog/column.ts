/**
 * Kind of a stored value. Every projection (Parquet, SQL, JSON, Delta schema) has one line per kind, or one for
 * kinds that are stored alike (`by-storage.ts`).
 */
export type Kind =
  | 'text' // UTF-8 text, ordered by bytes
  | 'choice' // text out of a known list; an unknown wire number is kept as its digits
  | 'amount' // unsigned 64-bit, in the smallest unit of its token
  | 'long' // signed 64-bit
  | 'whole' // 0 to 2^63 - 1
  | 'integer' // signed 32-bit
  | 'decimal' // 38 digits, 18 of them after the point
  | 'instant' // microseconds since 1970, UTC
  | 'seconds' // whole seconds since 1970, UTC
  | 'cell' // H3 index of 64 bits
  | 'uuid' // in lower case
  | 'boolean'
  | 'bytes'
  | 'texts' // list of text
  | 'json' // JSON as text
  | 'object' // a JSON object as text, answered as it came

/** A column of one stored table. */
export interface Column<K extends Kind = Kind, Nullable extends boolean = boolean> {
  readonly kind: K
  readonly doc: string
  readonly nullable: Nullable
  readonly choices?: readonly string[]
  readonly shape?: ListShape
  /** Spelling of wallet addresses in the column. */
  readonly wallet?: WalletSpelling
}

/** The ledgers spell the 32-byte key of one wallet differently: L1 as base58check behind a version and a type byte, L2 as plain base58. */
export type WalletSpelling = 'l1' | 'l2'

/** Shape of a JSON column: a list of objects with these members. */
export interface ListShape {
  readonly name: string
  readonly members: Readonly<Record<string, 'text' | 'long' | 'instant' | ListShape>>
}

/** The JavaScript value of each kind; never a double. Instants are microseconds, decimals plain text. */
export interface ValueOf {
  text: string
  choice: string
  amount: bigint
  long: bigint
  whole: bigint
  integer: number
  decimal: string
  instant: bigint
  seconds: bigint
  cell: bigint
  uuid: string
  boolean: boolean
  bytes: Uint8Array
  texts: readonly string[]
  json: string
  object: string
}

export type Value = ValueOf[Kind] | null

/** A function for each kind. */
export type ByKind<Rest extends readonly unknown[], Result> = {
  readonly [K in Kind]: (value: ValueOf[K], ...rest: Rest) => Result
}

/** Applies the function of a kind to a value. */
export function byKind<Rest extends readonly unknown[], Result>(
  table: ByKind<Rest, Result>,
  kind: Kind,
  value: NonNullable<Value>,
  ...rest: Rest
): Result {
  return table[kind](value as never, ...rest)
}

/** Asserts a bigint, such as an amount or an instant. Errors: Error for any other value. */
export function bigintOf(value: unknown): bigint {
  if (typeof value !== 'bigint') throw new Error(`${String(value)} is not a bigint`)
  return value
}

const column =
  <K extends Kind>(kind: K) =>
  (doc: string): Column<K, false> => ({ kind, doc, nullable: false })

export const text = column('text')
export const amount = column('amount')
export const long = column('long')
export const whole = column('whole')
export const integer = column('integer')
export const decimal = column('decimal')
export const instant = column('instant')
export const seconds = column('seconds')
export const cell = column('cell')
export const uuid = column('uuid')
export const boolean = column('boolean')
export const bytes = column('bytes')
export const texts = column('texts')
export const object = column('object')

export function address(wallet: WalletSpelling, doc: string): Column<'text', false> {
  return { ...text(doc), wallet }
}

export function json(doc: string, shape: ListShape): Column<'json', false> {
  return { kind: 'json', doc, nullable: false, shape }
}

/** `Choices` stays a literal type: the variants of a resource have these names. */
export function oneOf<const Choices extends readonly string[]>(
  choices: Choices,
  doc: string,
): Column<'choice', false> & { readonly choices: Choices } {
  return { kind: 'choice', doc, nullable: false, choices }
}

export function eachOf(choices: readonly string[], doc: string): Column<'texts', false> {
  return { kind: 'texts', doc, nullable: false, choices }
}

export function optional<K extends Kind>(of: Column<K, boolean>): Column<K, true> {
  return { ...of, nullable: true }
}

/** Source file and position of a row: its identity. */
export const origin = {
  source_file: text('Name of the artifact the row was read from.'),
  ordinal: long('Position of the message or record in its artifact, from 0.'),
} as const
