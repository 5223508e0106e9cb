import { ancestorOf, isCell, resolutionOf } from './h3-cell.ts'

/** Cells of the L1 ledger: 15 digits, with a leading zero if all 64 bits are written. */
const HEXADECIMAL = /^(?:0x)?0?[\da-f]{15}$/i
/** Cells of the L2 ledger: integers of 18 digits. */
const DECIMAL = /^\d{18}$/

/** Parses a cell in hexadecimal or decimal digits; undefined for any other text. */
export function readCell(text: string): bigint | undefined {
  const index = DECIMAL.test(text)
    ? BigInt(text)
    : HEXADECIMAL.test(text)
      ? BigInt(`0x${text.replace(/^0x/i, '')}`)
      : 0n
  return isCell(index) ? index : undefined
}

/** Normalizes a cell of one resolution to the spelling of the L1 ledger; undefined for other cells and texts. */
export function spellCell(text: string, resolution: bigint): string | undefined {
  const cell = readCell(text)
  return cell !== undefined && resolutionOf(cell) === resolution ? cell.toString(16) : undefined
}

const EXAMPLE = 631280284262249471n

/** Advice for a filter by cells of a resolution. */
export const cellAdvice = (resolution: bigint) =>
  `use an H3 cell of resolution ${resolution} in hexadecimal digits, such as ${ancestorOf(EXAMPLE, resolution).toString(16)}`

/** Hint about a cell of another resolution, with the cell around it if that is coarser. Empty if the text is no cell. */
export function resolutionHint(text: string, resolution: bigint): string {
  const cell = readCell(text)
  if (cell === undefined) return ''
  const actual = resolutionOf(cell)
  const around = actual > resolution ? ` and lies in ${ancestorOf(cell, resolution).toString(16)}` : ''
  return `; this one has resolution ${actual}${around}`
}
