import { cellToParent, getResolution } from 'h3-js'
import type { Value } from '../../../src/catalog/column.ts'
import type { Filter, Resource, Row } from '../../../src/catalog/resource.ts'
import { microsOf } from '../../support/instants.ts'
import type { Question } from './question.ts'

/** The number of rows where an answer has rows, and the sum of each column that it has. */
export interface Answer {
  readonly rows?: number
  readonly sums: Readonly<Record<string, bigint>>
}

const summedKinds: readonly string[] = ['amount', 'long', 'whole', 'integer']

/** Columns whose values are added up. */
export const summedColumns = ({ columns }: Resource): readonly string[] =>
  Object.keys(columns).filter((name) => summedKinds.includes(columns[name]?.kind ?? ''))

/** Adds up the values of columns; absent ones and nulls count as nothing. */
export function addUp(columns: readonly string[], rows: readonly ((column: string) => unknown)[]): Answer {
  const sums = columns.map((column) => {
    const values = rows.map((read) => read(column) ?? null)
    return [column, values.reduce<bigint>((sum, value) => (value === null ? sum : sum + exact(value)), 0n)]
  })
  return { rows: rows.length, sums: Object.fromEntries(sums) }
}

/** Errors: Error for a double that may have been rounded. */
function exact(value: unknown): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'string') return BigInt(value)
  if (Number.isSafeInteger(value)) return BigInt(value as number)
  throw new Error(`${String(value)} is no exact integer`)
}

/** Rows that a question is about, by comparing each one with every filter. */
export function rowsOf({ resource, filters }: Question, rows: readonly Row[]): readonly Row[] {
  const given = Object.entries(filters)
  return rows.filter((row) =>
    given.every(([name, text]) => {
      if (name === 'first_day') return dayOf(resource, row) >= firstOf(text)
      if (name === 'last_day') return dayOf(resource, row) <= lastOf(text)
      const filter = resource.filters?.[name]
      if (filter === undefined) throw new Error(`${resource.name} has no filter ${name}`)
      return passes(filter, resource, row[filter.column] ?? null, text)
    }),
  )
}

function passes({ match, column }: Filter, { columns }: Resource, value: Value, text: string): boolean {
  if (value === null) return false
  const kind = columns[column]?.kind
  const micros = () => (value as bigint) * (kind === 'seconds' ? 1_000_000n : 1n)
  switch (match) {
    case 'atLeast':
      return micros() >= microsOf(text)
    case 'atMost':
      return micros() <= microsOf(text)
    case 'anyOf':
      return text.split(',').some((one) => (value as readonly string[]).includes(one))
    case 'within':
      return cellToParent((value as bigint).toString(16), resolutionOf(text)) === BigInt(text).toString(16)
    case 'named':
      return plainName(String(value)) === plainName(text)
    default:
      return String(value) === text
  }
}

const resolutionOf = (text: string) => getResolution(BigInt(text).toString(16))
const plainName = (text: string) => text.toLowerCase().replaceAll('-', ' ')

/** The UTC day that a row belongs to: of epochs that of the middle of the period. */
function dayOf({ columns }: Resource, row: Row): string {
  const isOfEpochs = 'start_period' in columns
  const middle = isOfEpochs
    ? ((row.start_period as bigint) + (row.end_period as bigint)) / 2n
    : (row.time as bigint) * 1_000_000n
  return new Date(Number(middle / 1000n)).toISOString().slice(0, 10)
}

export const firstOf = (text: string) => (text.length === 7 ? `${text}-01` : text)

/** No month has more than 31 days, and none of a shorter one has a day behind its last. */
export const lastOf = (text: string) => (text.length === 7 ? `${text}-31` : text)
