import type { ResultColumn, TextRows } from '../engine/duckdb/confined-session.ts'
import { isNested } from './result-select.ts'

/** Rows of texts as the lines of a format; `head` comes before them. */
export interface RowFormat {
  readonly head: string
  rows(rows: TextRows): string
}

type WriteCell = (text: string | null) => string

/** RFC 4180 with line feeds; null is nothing, and an empty text stands in quotes. */
export function csvFormat(columns: readonly ResultColumn[]): RowFormat {
  const cells = columns.map(({ type }): WriteCell => {
    const read = readerOf(type)
    return (text) => (text === null ? '' : csvCell(read(text)))
  })
  return {
    head: `${columns.map(({ name }) => csvCell(name)).join(',')}\n`,
    rows: (rows) =>
      rows.map((row) => `${row.map((text, place) => cells[place]?.(text)).join(',')}\n`).join(''),
  }
}

function csvCell(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One JSON object a line: integers bare with every digit, decimals with a fraction as text, since most readers round them. */
export function ndjsonFormat(columns: readonly ResultColumn[]): RowFormat {
  const names = columns.map(({ name }) => JSON.stringify(name))
  const values = columns.map(({ type }) => jsonWriter(type))
  return {
    head: '',
    rows: (rows) =>
      rows
        .map((row) => `{${row.map((text, place) => `${names[place]}:${values[place]?.(text)}`).join(',')}}\n`)
        .join(''),
  }
}

const BARE = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|BOOLEAN|DECIMAL\(\d+,0\))$/

function jsonWriter(type: string): WriteCell {
  const read = readerOf(type)
  const write = BARE.test(type)
    ? (text: string) => text
    : /^(?:FLOAT|DOUBLE)$/.test(type)
      ? (text: string) => (/\d/.test(text) ? text : JSON.stringify(text))
      : isNested(type)
        ? quoteNotNumbers
        : (text: string) => JSON.stringify(read(text))
  return (text) => (text === null ? 'null' : write(text))
}

/** DuckDB writes NaN and Infinity bare, which is no JSON. */
function quoteNotNumbers(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/gi, (found) =>
    found.startsWith('"') ? found : JSON.stringify(found),
  )
}

/** Instants as everywhere else here: `2026-07-01T00:00:00Z`. */
export function readerOf(type: string): (text: string) => string {
  if (type !== 'TIMESTAMP WITH TIME ZONE' && type !== 'TIMESTAMPTZ') return (text) => text
  return (text) => text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)\+00$/, '$1T$2Z')
}
