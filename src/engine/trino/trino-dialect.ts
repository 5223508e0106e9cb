import type { Kind } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Dialect } from '../sql/dialect.ts'

/** The type of each kind in Trino, as it maps those of the Delta schema. */
export const columnTypes: Readonly<Record<Kind, string>> = {
  text: 'VARCHAR',
  choice: 'VARCHAR',
  amount: 'DECIMAL(20,0)',
  long: 'BIGINT',
  whole: 'BIGINT',
  integer: 'INTEGER',
  decimal: 'DECIMAL(38,18)',
  instant: 'TIMESTAMP(3) WITH TIME ZONE',
  seconds: 'BIGINT',
  cell: 'BIGINT',
  uuid: 'VARCHAR',
  boolean: 'BOOLEAN',
  bytes: 'VARBINARY',
  texts: 'ARRAY(VARCHAR)',
  json: 'VARCHAR',
  object: 'VARCHAR',
}

/** Replies are JSON: decimals come as text by themselves, whole numbers of 64 bits and instants have to be made text. */
const asText: readonly Kind[] = ['long', 'whole', 'seconds', 'cell', 'instant']

/** More starts of steps than a text of a statement has room for have 20 binary digits. */
const POWERS = `CAST(ARRAY[${Array.from({ length: 20 }, (_, index) => 2 ** (19 - index)).join(', ')}] AS ARRAY(BIGINT))`

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Where the tables of a lake are in Trino. */
export interface TrinoPlace {
  readonly catalog: string
  readonly schema: string
}

/** A table with its catalog and schema; `suffix` names one of its hidden tables, such as `$history`. */
export function tableName({ catalog, schema }: TrinoPlace, { name }: Resource, suffix = ''): string {
  return [catalog, schema, name + suffix].map(quoted).join('.')
}

/**
 * The dialect of statements over one version of a table. Trino takes no list of files: it reads the Delta log itself, skips
 * files by the statistics there and reads columns that a file lacks as null.
 */
export function trinoDialect(schema: TrinoPlace, resource: Resource, version: number): Dialect {
  const table = exactInstants(resource, `${tableName(schema, resource)} FOR VERSION AS OF ${version}`)
  return {
    identifier: quoted,
    bound: (index) => `$${index + 1}`,
    equalBytes: (column, index) => `${column} = $${index + 1}`,
    anyOf: (column, index) => `arrays_overlap(${column}, $${index + 1})`,
    oneOf: (column, index) => `${column} IN ($${index + 1}*)`,
    files: () => table,
    numberedRows() {
      throw new Error('Trino has no numbers of rows')
    },
    rowNumber: '',
    cut: (limit, offset) => `OFFSET ${offset} LIMIT ${limit}`,
    // Trino repeats a common table where it is named, or not, as it finds better.
    once: 'AS',
    absent: (kind) => `CAST(NULL AS ${columnTypes[kind]})`,
    selected: (column, kind) => (asText.includes(kind) ? `CAST(${column} AS VARCHAR)` : column),
    sum: (column) => `coalesce(sum(CAST(${column} AS DECIMAL(38,0))), DECIMAL '0')`,
    // Trino rounds quotients of decimals half up.
    sumOffloadedBytes: (column, price) =>
      `coalesce(sum(CAST(${column} * DECIMAL '2147483648' / nullif(${price}, DECIMAL '0') AS DECIMAL(38,0))), DECIMAL '0')`,
    withStep(rows, column, index) {
      const starts = `$${index + 1}`
      // How many starts are at most the value, by halves: a power of two is added where the start at that place still is.
      const isAtMost = `element_at(${starts}, found + more) <= ${column}`
      const count = `reduce(${POWERS}, BIGINT '0', (found, more) -> IF(${isAtMost}, found + more, found), found -> found)`
      const counted = `(SELECT own.*, ${count} AS step_number FROM ${rows} own)`
      return `(SELECT own.*, CAST(element_at(${starts}, step_number) AS VARCHAR) AS step FROM ${counted} own WHERE step_number > 0)`
    },
    prices: (fileIndex, priceIndex) =>
      `(SELECT * FROM unnest($${fileIndex + 1}, $${priceIndex + 1}) AS priced (source_file, manifest_price))`,
  }
}

/** FROM item with the exact instants of a table, where it rounds any. */
function exactInstants(resource: Resource, table: string): string {
  const names = Object.keys(resource.columns)
  const selected = names.map((name) => exactColumn(resource, name))
  if (selected.every((expression, index) => expression === quoted(names[index] ?? ''))) return table
  const named = selected.map((expression, index) => {
    const name = quoted(names[index] ?? '')
    return expression === name ? name : `${expression} AS ${name}`
  })
  return `(SELECT ${named.join(', ')} FROM ${table})`
}

/** Trino rounds instants to milliseconds; where another column has the nanoseconds as a whole number, the instant is made of it. */
export function exactColumn({ columns }: Resource, name: string): string {
  const whole = name.replace(/_at$/, '_ns')
  if (columns[name]?.kind !== 'instant' || whole === name || !(whole in columns)) return quoted(name)
  return `from_unixtime_nanos(${quoted(whole)} - ${quoted(whole)} % 1000)`
}
