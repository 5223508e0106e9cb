import { visibleLines } from '../base/visible.ts'

/** Prints a line. */
export type Print = (line: string) => void

/** Prints a line on standard output. */
export const print: Print = (line) => void process.stdout.write(`${visibleLines(line)}\n`)

export function printLines(lines: readonly string[]): void {
  for (const line of lines) print(line)
}

/** Prints a value as indented JSON; bigints become text. */
export function printJson(value: object): void {
  print(jsonText(value))
}

export function jsonText(value: object): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? `${member}` : member), 2)
}

/** Prints lines that must not be lost. Errors: those of the stream. */
export type ShowLines = (lines: readonly string[]) => Promise<void>

/**
 * Prints lines on standard output, and waits until they are written. Errors: those of the stream, which then do not end
 * the command.
 */
export const show: ShowLines = async (lines) => {
  const { stdout } = process
  const listeners = stdout.listeners('error')
  stdout.removeAllListeners('error').on('error', () => {})
  await new Promise<void>((resolve, reject) => {
    const text = lines.map((line) => `${visibleLines(line)}\n`).join('')
    stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })
  stdout.removeAllListeners('error')
  for (const listener of listeners) stdout.on('error', (error) => listener(error))
}

/** Writes a number with its noun: `1 file`, `2 files`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Aligns the cells of a table: the columns in `left` to the left, all others to the right. */
export function alignColumns(
  rows: readonly (readonly string[])[],
  left: readonly number[] = [0],
): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) =>
        left.includes(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/** Formats bytes in at most seven characters: `999 B`, `1.2 MB`, `123 GB`. */
export function sizeText(bytes: number): string {
  let [size, unit] = [bytes, 0]
  while (Math.round(size) >= 1000 && unit < UNITS.length - 1) [size, unit] = [size / 1000, unit + 1]
  const digits = unit > 0 && size < 9.95 ? size.toFixed(1) : String(Math.round(size))
  return `${digits} ${UNITS[unit]}`
}
