import type { Resource } from '../../../catalog/resource.ts'
import type { NewLine } from '../../ports/csv-stage.ts'
import { FileFault, shorten } from '../../wire/faults.ts'

/** First record of a CSV file and its line end; undefined if the file ends there. */
export interface CsvHead {
  readonly cells: readonly string[]
  readonly newLine: NewLine | undefined
}

/** Longest accepted header record, in bytes. */
export const LONGEST_HEAD = 1024 * 1024

const BYTE_ORDER_MARK = '\ufeff'
const NAME = /^[a-z_][a-z_\d]*$/i

/** Parses the first record; undefined if the file is empty or the record is longer than `start`. */
export function readHead(start: Buffer): CsvHead | undefined {
  const text = start.toString('utf8')
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0; at < text.length; at += 1) {
    const letter = text.charAt(at)
    if (isQuoted && letter === '"' && text.charAt(at + 1) === '"') at += 1
    else if (letter === '"' && (isQuoted || cell === '')) {
      isQuoted = !isQuoted
      continue
    }
    if (isQuoted || !/[,\r\n]/.test(letter)) {
      cell += letter
      continue
    }
    cells.push(cell)
    cell = ''
    if (letter !== ',') return { cells, newLine: newLineAt(text, at) }
  }
  const isWhole = !isQuoted && start.length < LONGEST_HEAD && (cell !== '' || cells.length > 0)
  return isWhole ? { cells: [...cells, cell], newLine: undefined } : undefined
}

function newLineAt(text: string, at: number): NewLine {
  if (text.startsWith('\r\n', at)) return '\r\n'
  return text.charAt(at) === '\r' ? '\r' : '\n'
}

/** Returns true if the file starts with the header of its table. Errors: FileFault for the cells of another table. */
export function hasHeader({ arrival }: Resource, head: CsvHead | undefined): boolean {
  if (head === undefined || arrival?.as !== 'csv') return false
  const names = Object.keys(arrival.cells)
  const { cells } = head
  if (cells.every((cell) => NAME.test(cell))) {
    const fault = headerFault(cells, names)
    if (fault !== undefined) throw new FileFault(fault)
    return true
  }
  if (cells.length === names.length) return false
  const cellCount = `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`
  const texts = shorten(cells.map((cell) => JSON.stringify(cell)).join(', '))
  throw new FileFault(
    `the first record has ${cellCount} (${texts}); expected ${names.length}: ${names.join(', ')}`,
  )
}

function headerFault(cells: readonly string[], names: readonly string[]): string | undefined {
  const count = Math.max(cells.length, names.length)
  const column = Array.from({ length: count }, (_, at) => at).find((at) => cells[at] !== names[at])
  if (column === undefined) return undefined
  const [cell, name] = [cells[column], names[column]]
  if (cell === undefined) return `the header ends before column ${column + 1}; expected ${name}`
  const expected = name ?? `${names.length} columns`
  return `column ${column + 1} of the header is ${shorten(cell)}; expected ${expected}`
}
