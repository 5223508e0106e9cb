import { fail } from '../../base/errors.ts'
import { readDecimal } from '../../base/values/decimal.ts'
import { readInstant } from '../../base/values/instant.ts'
import { byStorage } from '../../catalog/by-storage.ts'
import type { Kind, Value } from '../../catalog/column.ts'
import type { Resource, Row } from '../../catalog/resource.ts'
import type { ResultPage } from './trino-client.ts'

/** Converts JSON values of the dialect to catalog values; undefined for an invalid value. */
const readers = byStorage<(value: unknown) => Value | undefined>({
  text: textOf,
  amount: wholeOf,
  long: wholeOf,
  integer: (value) => (typeof value === 'number' && Number.isInteger(value) ? value : undefined),
  decimal: (value) => readDecimal(textOf(value) ?? ''),
  instant: (value) => readInstant((textOf(value) ?? '').replace(/ UTC$/, 'Z')),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  bytes: (value) => (typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : undefined),
  texts: (value) => (Array.isArray(value) ? value : undefined),
})

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A JSON number would have lost digits. */
function wholeOf(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : undefined
}

/** Errors: `not_ready` for a value of another type, as from a foreign table. */
export function readValue(kind: Kind, value: unknown, name: string): Value {
  if (value === null) return null
  return (
    readers[kind](value) ??
    fail('not_ready', 'Trino gave a value of another type than the lake has.', {
      cause: new Error(`${name} is ${JSON.stringify(value)}, which is not of the kind ${kind}`),
    })
  )
}

/** Kinds of result columns; steps and sums are whole numbers. */
export function kindIn(resource: Resource): (name: string) => Kind {
  return (name) => resource.columns[name]?.kind ?? 'amount'
}

export function rowsOfPage({ columns, rows }: ResultPage, kindOf: (name: string) => Kind): readonly Row[] {
  const kinds = columns.map(kindOf)
  return rows.map((row) => {
    const values = columns.map((name, index) => [
      name,
      readValue(kinds[index] ?? 'text', row[index] ?? null, name),
    ])
    return Object.fromEntries(values)
  })
}
