import type { ResultColumn } from '../../engine/duckdb/confined/confined-session.ts'
import { compiled, isPlainType, joined, name, type Sql, sql } from '../../engine/duckdb/sql.ts'

/** SELECT of a checked statement with text columns. */
export function textSelect(text: string, columns: readonly ResultColumn[]): Sql {
  return sql`SELECT ${columns.map((column, index) => textOf(column, nth(index)))} FROM ${numbered(text, columns)}`
}

/** SELECT of a checked statement as RFC 4180 lines: null is nothing, empty text is quoted. */
export function csvSelect(text: string, columns: readonly ResultColumn[]): Sql {
  const cells = columns.map((column, index) => csvCell(column, nth(index)))
  return sql`SELECT ${joined(cells, " || ',' || ")} FROM ${numbered(text, columns)}`
}

function csvCell(column: ResultColumn, value: Sql): Sql {
  const shown = textOf(column, value)
  if (isBare(column) || needsNoQuotes(column)) return sql`coalesce(${shown}, '')`
  const special = ['"', ',', '\n', '\r'].map((character) => sql`contains(${shown}, ${character})`)
  const needsQuotes = joined([sql`${shown} = ''`, ...special], ' OR ')
  return sql`CASE WHEN ${value} IS NULL THEN '' WHEN ${needsQuotes}
    THEN '"' || replace(${shown}, '"', '""') || '"' ELSE ${shown} END`
}

/**
 * SELECT of a checked statement as JSON objects: integers with every digit, decimals with a fraction as text, since
 * most readers round them.
 */
export function ndjsonSelect(text: string, columns: readonly ResultColumn[], integersAsText = false): Sql {
  const members = columns.map((column, index) => {
    const start = `${index === 0 ? '{' : ','}${JSON.stringify(column.name)}:`
    return sql`${start} || coalesce(${jsonOf(column, nth(index), integersAsText)}, 'null')`
  })
  return sql`SELECT ${joined(members, ' || ')} || '}' FROM ${numbered(text, columns)}`
}

function jsonOf(column: ResultColumn, value: Sql, integersAsText: boolean): Sql {
  const type = integersAsText ? withoutIntegers(column.type) : column.type
  if (type !== column.type) return sql`to_json(${value}::${compiled(type)})::VARCHAR`
  if (isBare(column)) return sql`${value}::VARCHAR`
  if (isDouble(column)) return sql`if(isfinite(${value}), ${value}::VARCHAR, '"' || ${value}::VARCHAR || '"')`
  return sql`to_json(${isNested(column) ? value : textOf(column, value)})::VARCHAR`
}

/** A type with text in place of integers of 64 bits and more, also in lists and structs. */
function withoutIntegers(type: string): string {
  return type.replace(/"(?:[^"]|"")*"|\bU?(?:BIG|HUGE)INT\b|\bDECIMAL\(\d+,0\)/g, (token) =>
    token.startsWith('"') ? token : 'VARCHAR',
  )
}

/** SELECT of a checked statement with the texts that `export/formats/text-cells.ts` reads. */
export function arrowSelect(text: string, columns: readonly ResultColumn[]): Sql {
  const cells = columns.map((column, index) => arrowText(column, nth(index)))
  return sql`SELECT ${cells} FROM ${numbered(text, columns)}`
}

function arrowText(column: ResultColumn, value: Sql): Sql {
  switch (column.type) {
    case 'BLOB':
      return sql`hex(${value})`
    case 'DATE':
      return sql`(${value} - DATE '1970-01-01')::VARCHAR`
    case 'TIMESTAMP':
    case 'TIMESTAMP WITH TIME ZONE':
      return sql`epoch_us(${value})::VARCHAR`
    case 'TIMESTAMP_NS':
      return sql`epoch_ns(${value})::VARCHAR`
    case 'HUGEINT':
    case 'UHUGEINT':
      return sql`${value}::DECIMAL(38,0)::VARCHAR`
    default:
      return textOf(column, value)
  }
}

/** Formats instants as REST does: `2026-07-01T00:00:00Z`. */
function textOf({ type }: ResultColumn, value: Sql): Sql {
  if (type !== 'TIMESTAMP WITH TIME ZONE') return sql`${value}::VARCHAR`
  return sql`regexp_replace(${value}::VARCHAR, ${'^(\\d{4}-\\d\\d-\\d\\d) ([\\d:.]+)\\+00$'}, ${'\\1T\\2Z'})`
}

const isBare = ({ type }: ResultColumn) =>
  /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|BOOLEAN|DECIMAL\(\d+,0\))$/.test(type)

const needsNoQuotes = ({ type }: ResultColumn) =>
  /^(?:DATE|TIME|TIMESTAMP|UUID|DECIMAL|FLOAT|DOUBLE)\b[^[]*$/.test(type)

const isDouble = ({ type }: ResultColumn) => /^(?:FLOAT|DOUBLE)$/.test(type)

/** Lists, structs and maps, which JSON formats itself. */
const isNested = ({ type }: ResultColumn) => /\]$|^(?:STRUCT|MAP|UNION|JSON|VARIANT)\b/.test(type)

/**
 * SELECT of a checked statement for Parquet: 128-bit integers become exact decimals instead of doubles. Every column
 * has its declared type, which a parameter without a value has lost.
 */
export function parquetSelect(text: string, columns: readonly ResultColumn[], hasParameters: boolean): Sql {
  const values = columns.map((column, index) => {
    const exact = column.type.replace(/\bU?HUGEINT\b/g, 'DECIMAL(38,0)')
    const isCast = exact !== column.type || (hasParameters && isPlainType(column.type))
    const value = isCast ? sql`${nth(index)}::${compiled(exact)}` : nth(index)
    return sql`${value} AS ${name(column.name)}`
  })
  return sql`SELECT ${values} FROM ${numbered(text, columns)}`
}

/** The text has separate lines, since it may end with a comment. Columns are numbered, since names may repeat. */
function numbered(text: string, columns: readonly ResultColumn[]): Sql {
  return sql`${compiled(inBrackets(text))} AS result(${columns.map((_, index) => nth(index))})`
}

const OPEN = '(FROM (\n'
const inBrackets = (text: string) => `${OPEN}${text}\n))`

/** Index of a statement in one of these SELECTs, or in itself. */
export function startInSelect(select: string, text: string): number {
  const bracket = select.indexOf(inBrackets(text))
  return select === text ? 0 : bracket < 0 ? select.length : bracket + OPEN.length
}

/** SELECT of a statement without its rows. */
export function emptySelect(text: string): Sql {
  return sql`SELECT * FROM ${compiled(inBrackets(text))} WHERE false`
}

const nth = (index: number) => name(`c${index}`)

/** Makes column names distinct regardless of case: `a, a_1`. */
export function withDistinctNames(columns: readonly ResultColumn[]): readonly ResultColumn[] {
  const usedNames = new Set<string>()
  return columns.map((column) => {
    let distinct = column.name
    for (let number = 1; usedNames.has(distinct.toLowerCase()); number += 1)
      distinct = `${column.name}_${number}`
    usedNames.add(distinct.toLowerCase())
    return { ...column, name: distinct }
  })
}

/** The header line of `csvSelect`. */
export function csvHead(columns: readonly ResultColumn[]): string {
  const cells = columns.map(({ name }) =>
    name === '' || /[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name,
  )
  return `${cells.join(',')}\n`
}

export const hasNestedDoubles = ({ type }: ResultColumn) => /(?:FLOAT|DOUBLE).|^(?:JSON|VARIANT)/.test(type)

/** Quotes NaN and Infinity, which DuckDB writes bare in lists and structs. */
export function quoteNotNumbers(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/gi, (token) =>
    token.startsWith('"') ? token : JSON.stringify(token),
  )
}
