import type { ResultColumn } from '../../engine/duckdb/confined/confined-session.ts'
import { compiled, joined, name, type Sql, sql } from '../../engine/duckdb/sql.ts'

/** SELECT of the columns of a checked statement as text. */
export function textSelect(text: string, columns: readonly ResultColumn[]): Sql {
  return sql`SELECT ${columns.map((column, index) => textOf(column, nth(index)))} FROM ${numbered(text, columns)}`
}

/** SELECT of the rows of a checked statement as lines: RFC 4180; null is nothing, and an empty text stands in quotes. */
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
 * SELECT of the rows of a checked statement as JSON objects: integers bare with every digit, decimals with a fraction as text, since
 * most readers round them.
 */
export function ndjsonSelect(text: string, columns: readonly ResultColumn[]): Sql {
  const members = columns.map((column, index) => {
    const start = `${index === 0 ? '{' : ','}${JSON.stringify(column.name)}:`
    return sql`${start} || coalesce(${jsonOf(column, nth(index))}, 'null')`
  })
  return sql`SELECT ${joined(members, ' || ')} || '}' FROM ${numbered(text, columns)}`
}

function jsonOf(column: ResultColumn, value: Sql): Sql {
  if (isBare(column)) return sql`${value}::VARCHAR`
  if (isDouble(column)) return sql`if(isfinite(${value}), ${value}::VARCHAR, '"' || ${value}::VARCHAR || '"')`
  return sql`to_json(${isNested(column) ? value : textOf(column, value)})::VARCHAR`
}

/** Instants as everywhere else here: `2026-07-01T00:00:00Z`. */
function textOf({ type }: ResultColumn, value: Sql): Sql {
  if (type !== 'TIMESTAMP WITH TIME ZONE') return sql`${value}::VARCHAR`
  return sql`regexp_replace(${value}::VARCHAR, ${'^(\\d{4}-\\d\\d-\\d\\d) ([\\d:.]+)\\+00$'}, ${'\\1T\\2Z'})`
}

const isBare = ({ type }: ResultColumn) =>
  /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|BOOLEAN|DECIMAL\(\d+,0\))$/.test(type)

const needsNoQuotes = ({ type }: ResultColumn) =>
  /^(?:DATE|TIME|TIMESTAMP|UUID|DECIMAL|FLOAT|DOUBLE)\b[^[]*$/.test(type)

const isDouble = ({ type }: ResultColumn) => /^(?:FLOAT|DOUBLE)$/.test(type)

/** Lists, structs and the like, which JSON writes in its own way. */
const isNested = ({ type }: ResultColumn) => /\]$|^(?:STRUCT|MAP|UNION|JSON|VARIANT)\b/.test(type)

/** SELECT of the columns of a checked statement as Parquet holds them: 128-bit integers are exact decimals, or else they would become doubles. */
export function parquetSelect(text: string, columns: readonly ResultColumn[]): Sql {
  const values = columns.map((column, index) => {
    const exact = column.type.replace(/\bU?HUGEINT\b/g, 'DECIMAL(38,0)')
    const value = exact === column.type ? nth(index) : sql`${nth(index)}::${compiled(exact)}`
    return sql`${value} AS ${name(column.name)}`
  })
  return sql`SELECT ${values} FROM ${numbered(text, columns)}`
}

/** Lines of these SELECTs before the first line of the statement. */
export const LINES_BEFORE = 1

/** The text stands on lines of its own, since it may end with a comment; its columns are numbered, since names may be alike. */
function numbered(text: string, columns: readonly ResultColumn[]): Sql {
  return sql`(FROM (\n${compiled(text)}\n)) AS result(${columns.map((_, index) => nth(index))})`
}

const nth = (index: number) => name(`c${index}`)

/** The columns with names that differ, as in `a, a_1`; names that differ in case alone are alike. */
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
