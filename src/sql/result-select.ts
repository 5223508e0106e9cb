import type { ResultColumn } from '../engine/duckdb/confined-session.ts'
import { identifier } from '../engine/duckdb/duckdb-dialect.ts'

/** Lists, structs and the like, which JSON writes in its own way. */
export const isNested = (type: string) => /\]$|^(?:STRUCT|MAP|UNION|JSON|VARIANT)\b/.test(type)

/** SELECT of the columns of a statement as text; with `nestedAs` JSON those that are nested as JSON. */
export function textSelect(
  text: string,
  columns: readonly ResultColumn[],
  nestedAs: 'text' | 'json' = 'text',
): string {
  const values = columns.map(({ type }, place) =>
    nestedAs === 'json' && isNested(type) ? `to_json(c${place})::VARCHAR` : `c${place}::VARCHAR`,
  )
  return `SELECT ${values.join(', ')} FROM ${numbered(text, columns)}`
}

/** SELECT of the columns of a statement as Parquet holds them: 128-bit integers are exact decimals, or else they would become doubles. */
export function parquetSelect(text: string, columns: readonly ResultColumn[]): string {
  const values = columns.map(({ name, type }, place) => {
    const exact = type.replace(/\bU?HUGEINT\b/g, 'DECIMAL(38,0)')
    const value = exact === type ? `c${place}` : `c${place}::${exact}`
    return `${value} AS ${identifier(name)}`
  })
  return `SELECT ${values.join(', ')} FROM ${numbered(text, columns)}`
}

/** Lines of these SELECTs before the first line of the statement. */
export const LINES_BEFORE = 1

/** The text stands on lines of its own, since it may end with a comment; its columns are numbered, since names may be alike. */
function numbered(text: string, columns: readonly ResultColumn[]): string {
  return `(FROM (\n${text}\n)) AS result(${columns.map((_, place) => `c${place}`).join(', ')})`
}

/** The columns with names that differ, as in `a, a_1`; names that differ in case alone are alike. */
export function withDistinctNames(columns: readonly ResultColumn[]): readonly ResultColumn[] {
  const taken = new Set<string>()
  return columns.map((column) => {
    let name = column.name
    for (let number = 1; taken.has(name.toLowerCase()); number += 1) name = `${column.name}_${number}`
    taken.add(name.toLowerCase())
    return { ...column, name }
  })
}
