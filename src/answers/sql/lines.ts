import type { ResultColumn } from '../../engine/duckdb/confined/confined-session.ts'

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
