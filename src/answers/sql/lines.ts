import type { ResultColumn } from '../../engine/duckdb/confined/confined-session.ts'

/** The first line of CSV. */
export function csvHead(columns: readonly ResultColumn[]): string {
  const cells = columns.map(({ name }) =>
    name === '' || /[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name,
  )
  return `${cells.join(',')}\n`
}

export const hasNestedDoubles = ({ type }: ResultColumn) => /(?:FLOAT|DOUBLE).|^(?:JSON|VARIANT)/.test(type)

/** DuckDB writes NaN and Infinity bare in lists and structs, which is no JSON. */
export function quoteNotNumbers(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/gi, (token) =>
    token.startsWith('"') ? token : JSON.stringify(token),
  )
}
