import type { ResultColumn } from '../engine/duckdb/confined-session.ts'
import { compiled, name, type Sql, sql } from '../engine/duckdb/sql.ts'

/** Lists, structs and the like, which JSON writes in its own way. */
export const isNested = (type: string) => /\]$|^(?:STRUCT|MAP|UNION|JSON|VARIANT)\b/.test(type)

/** SELECT of the columns of a checked statement as text; with `nestedAs` JSON those that are nested as JSON. */
export function textSelect(
  text: string,
  columns: readonly ResultColumn[],
  nestedAs: 'text' | 'json' = 'text',
): Sql {
  const values = columns.map(({ type }, place) =>
    nestedAs === 'json' && isNested(type)
      ? sql`to_json(${nth(place)})::VARCHAR`
      : sql`${nth(place)}::VARCHAR`,
  )
  return sql`SELECT ${values} FROM ${numbered(text, columns)}`
}

/** SELECT of the columns of a checked statement as Parquet holds them: 128-bit integers are exact decimals, or else they would become doubles. */
export function parquetSelect(text: string, columns: readonly ResultColumn[]): Sql {
  const values = columns.map((column, place) => {
    const exact = column.type.replace(/\bU?HUGEINT\b/g, 'DECIMAL(38,0)')
    const value = exact === column.type ? nth(place) : sql`${nth(place)}::${compiled(exact)}`
    return sql`${value} AS ${name(column.name)}`
  })
  return sql`SELECT ${values} FROM ${numbered(text, columns)}`
}

/** Lines of these SELECTs before the first line of the statement. */
export const LINES_BEFORE = 1

/** The text stands on lines of its own, since it may end with a comment; its columns are numbered, since names may be alike. */
function numbered(text: string, columns: readonly ResultColumn[]): Sql {
  return sql`(FROM (\n${compiled(text)}\n)) AS result(${columns.map((_, place) => nth(place))})`
}

const nth = (place: number) => name(`c${place}`)

/** The columns with names that differ, as in `a, a_1`; names that differ in case alone are alike. */
export function withDistinctNames(columns: readonly ResultColumn[]): readonly ResultColumn[] {
  const taken = new Set<string>()
  return columns.map((column) => {
    let distinct = column.name
    for (let number = 1; taken.has(distinct.toLowerCase()); number += 1) distinct = `${column.name}_${number}`
    taken.add(distinct.toLowerCase())
    return { ...column, name: distinct }
  })
}
