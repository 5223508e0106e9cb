import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

// A reader of our own: the program leaves CSV to its engine, and libraries let pass what RFC 4180 forbids.

/** A cell as text; null when it is empty and not quoted. */
export type Cell = string | null

export interface CsvRow {
  readonly cells: Readonly<Record<string, Cell>>
  /** Name of the file, and the place among its rows, from 0. */
  readonly file: string
  readonly ordinal: number
}

/**
 * The rows of a folder of gzip CSV parts, of which the first has the header.
 * Errors: anything that RFC 4180 and UTF-8 do not allow, a row of another length, and another header.
 */
export function readCsvFolder(folder: string, columns: readonly string[]): readonly CsvRow[] {
  const names = readdirSync(folder).sort()
  return names.flatMap((file, part) => {
    const bytes = gunzipSync(readFileSync(join(folder, file)))
    const lines = parseCsv(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
    const header = part === 0 ? lines.shift() : columns
    if (JSON.stringify(header) !== JSON.stringify(columns)) throw new Error(`${file} begins with ${header}`)
    return lines.map((line, ordinal) => {
      if (line.length !== columns.length) throw new Error(`${file}, row ${ordinal}: ${line.length} cells`)
      const cells = Object.fromEntries(columns.map((column, at) => [column, line[at] as Cell]))
      return { cells, file, ordinal }
    })
  })
}

/** Writes a gzip CSV part, with a header where one is given; every cell but null is quoted. */
export function writeCsvPart(path: string, lines: readonly (readonly Cell[])[], header?: readonly string[]) {
  const quoted = (cell: Cell) => (cell === null ? '' : `"${cell.replaceAll('"', '""')}"`)
  const written = [...(header === undefined ? [] : [header]), ...lines.map((line) => line.map(quoted))]
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, gzipSync(written.map((line) => `${line.join(',')}\n`).join(''), { level: 1 }))
}

/** Cells of each line, as RFC 4180 writes them; a line break is LF or CRLF, also at the end of the text. */
export function parseCsv(text: string): Cell[][] {
  const lines: Cell[][] = []
  let line: Cell[] = []
  let at = 0
  while (at < text.length) {
    const quoted = text[at] === '"'
    const end = quoted ? closingQuote(text, at) : plainEnd(text, at)
    const raw = quoted ? text.slice(at + 1, end).replaceAll('""', '"') : text.slice(at, end)
    line.push(quoted || raw !== '' ? raw : null)
    at = quoted ? end + 1 : end
    if (text[at] === ',') {
      at += 1
      if (at === text.length) throw new Error(`the text ends after a comma`)
      continue
    }
    const breaks = text.startsWith('\r\n', at) ? 2 : text[at] === '\n' ? 1 : 0
    if (breaks === 0) throw new Error(`${JSON.stringify(text[at])} at ${at}; a comma or a line break is due`)
    lines.push(line)
    line = []
    at += breaks
  }
  return lines
}

function closingQuote(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at
  }
  throw new Error(`the quote at ${open} is not closed`)
}

function plainEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at] as string
    if (char === '"') throw new Error(`a quote at ${at}, inside a cell that is not quoted`)
    if (char === ',' || char === '\n' || text.startsWith('\r\n', at)) return at
    if (char === '\r') throw new Error(`a carriage return at ${at}, without a line feed`)
  }
  throw new Error('the last line has no line break')
}
