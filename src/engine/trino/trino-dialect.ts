import { byStorage } from '../../catalog/by-storage.ts'
import type { Kind } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { SqlDialect } from '../sql/dialect.ts'

/** Trino types by kind, as mapped from the Delta schema. */
export const trinoTypes = byStorage({
  text: 'VARCHAR',
  amount: 'DECIMAL(20,0)',
  long: 'BIGINT',
  integer: 'INTEGER',
  decimal: 'DECIMAL(38,18)',
  instant: 'TIMESTAMP(3) WITH TIME ZONE',
  boolean: 'BOOLEAN',
  bytes: 'VARBINARY',
  texts: 'ARRAY(VARCHAR)',
})

/** JSON replies carry decimals as text; 64-bit integers and instants need a cast to text. */
const asText: readonly Kind[] = ['long', 'whole', 'seconds', 'cell', 'instant']

/** 20 binary digits exceed the number of steps that fit in a statement. */
const POWERS = `CAST(ARRAY[${Array.from({ length: 20 }, (_, index) => 2 ** (19 - index)).join(', ')}] AS ARRAY(BIGINT))`

export const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`

export interface TrinoSchema {
  readonly catalog: string
  readonly schema: string
}

/** Qualified table name; `suffix` selects a hidden table, such as `$history`. */
export function tableName({ catalog, schema }: TrinoSchema, { name }: Resource, suffix = ''): string {
  return [catalog, schema, name + suffix].map(quoteIdentifier).join('.')
}

/**
 * Dialect for one version of a table. Trino reads the Delta log itself: it takes no file list, prunes by statistics,
 * and reads missing columns as null.
 */
export function trinoDialect(schema: TrinoSchema, resource: Resource, version: number): SqlDialect {
  const table = exactInstants(resource, `${tableName(schema, resource)} FOR VERSION AS OF ${version}`)
  return {
    identifier: quoteIdentifier,
    bound: (index) => `$${index + 1}`,
    equalBytes: (column, index) => `${column} = $${index + 1}`,
    anyOf: (column, index) => `arrays_overlap(${column}, $${index + 1})`,
    oneOf: (column, index) => `${column} IN ($${index + 1}*)`,
    files: () => table,
    cut: (limit, offset) => `OFFSET ${offset} LIMIT ${limit}`,
    // Trino may inline or repeat a common table.
    once: 'AS',
    absent: (kind) => `CAST(NULL AS ${trinoTypes[kind]})`,
    selected: (column, kind) => (asText.includes(kind) ? `CAST(${column} AS VARCHAR)` : column),
    sum: (column) => `coalesce(sum(CAST(${column} AS DECIMAL(38,0))), DECIMAL '0')`,
    // Trino rounds quotients of decimals half up.
    sumOffloadedBytes: (column, price) =>
      `coalesce(sum(CAST(${column} * DECIMAL '2147483648' / nullif(${price}, DECIMAL '0') AS DECIMAL(38,0))), DECIMAL '0')`,
    withStep(rows, column, index) {
      const starts = `$${index + 1}`
      // Counts the starts up to the value by binary search over powers of two.
      const isAtMost = `element_at(${starts}, found + more) <= ${column}`
      const count = `reduce(${POWERS}, BIGINT '0', (found, more) -> IF(${isAtMost}, found + more, found), found -> found)`
      const counted = `(SELECT own.*, ${count} AS step_number FROM ${rows} own)`
      return `(SELECT own.*, CAST(element_at(${starts}, step_number) AS VARCHAR) AS step FROM ${counted} own WHERE step_number > 0)`
    },
    prices: (fileIndex, priceIndex) =>
      `(SELECT * FROM unnest($${fileIndex + 1}, $${priceIndex + 1}) AS priced (source_file, manifest_price))`,
  }
}

/** FROM item with exact instants, if the table rounds any. */
function exactInstants(resource: Resource, table: string): string {
  const names = Object.keys(resource.columns)
  const selected = names.map((name) => exactColumn(resource, name))
  if (selected.every((expression, index) => expression === quoteIdentifier(names[index] ?? ''))) return table
  const named = selected.map((expression, index) => {
    const name = quoteIdentifier(names[index] ?? '')
    return expression === name ? name : `${expression} AS ${name}`
  })
  return `(SELECT ${named.join(', ')} FROM ${table})`
}

/** Trino rounds instants to milliseconds; a nanosecond column restores the exact value. */
export function exactColumn({ columns }: Resource, name: string): string {
  const whole = name.replace(/_at$/, '_ns')
  if (columns[name]?.kind !== 'instant' || whole === name || !(whole in columns)) return quoteIdentifier(name)
  return `from_unixtime_nanos(${quoteIdentifier(whole)} - ${quoteIdentifier(whole)} % 1000)`
}
