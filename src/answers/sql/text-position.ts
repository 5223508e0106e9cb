import type { TextPosition } from '../../base/errors.ts'

const SHOWN = 60

/** Returns the place of a character offset in a text. */
export function positionAt(text: string, offset: number): TextPosition {
  const lines = [...text].slice(0, offset).join('').split('\n')
  return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1, offset }
}

/** Returns the number of characters before a byte of a text. */
export function characterOfByte(text: string, byte: number): number {
  return [...Buffer.from(text).subarray(0, byte).toString()].length
}

/** The line of a place with a caret below, as DuckDB writes it. */
export function lineAt(text: string, { line, column, offset }: TextPosition): string {
  const characters = [...text]
  const start = offset - column + 1
  const length = characters.slice(start).indexOf('\n')
  const whole = characters.slice(start, length < 0 ? undefined : start + length)
  const first = Math.max(0, column - 1 - SHOWN)
  const last = column - 1 + SHOWN
  const head = `LINE ${line}: ${first > 0 ? '...' : ''}`
  const shown = whole.slice(first, last).join('')
  return `${head}${shown}${last < whole.length ? '...' : ''}\n${' '.repeat(head.length + column - 1 - first)}^`
}
