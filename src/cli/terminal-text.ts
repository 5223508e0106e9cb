/** Prints a line. */
export type Print = (line: string) => void

/** Prints lines that must not be lost. Errors: those of the stream. */
export type ShowLines = (lines: readonly string[]) => Promise<void>

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
