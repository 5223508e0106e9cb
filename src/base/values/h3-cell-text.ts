import { ancestorOf, isCell, resolutionOf } from './h3-cell.ts'

/** As the L1 ledger writes cells: 15 digits, and a zero before them where all 64 bits are written. */
const HEXADECIMAL = /^(?:0x)?0?[\da-f]{15}$/i
/** As hotspots of the L2 ledger have them: integers of cells have 18 digits. */
const DECIMAL = /^\d{18}$/

/** The cell that a text in hexadecimal or decimal digits names; undefined for every other text. */
export function readCell(text: string): bigint | undefined {
  const index = DECIMAL.test(text)
    ? BigInt(text)
    : HEXADECIMAL.test(text)
      ? BigInt(`0x${text.replace(/^0x/i, '')}`)
      : 0n
  return isCell(index) ? index : undefined
}

/** A cell of a resolution as the L1 ledger writes it; undefined for cells of other resolutions and for every other text. */
export function spellCell(text: string, resolution: bigint): string | undefined {
  const cell = readCell(text)
  return cell !== undefined && resolutionOf(cell) === resolution ? cell.toString(16) : undefined
}

const EXAMPLE = 631280284262249471n

/** The accepted texts of a filter by cells of a resolution. */
export const cellAdvice = (resolution: bigint) =>
  `use an H3 cell of resolution ${resolution} in hexadecimal digits, such as ${ancestorOf(EXAMPLE, resolution).toString(16)}`

/** The resolution of a cell that has another one, and the cell around it if that is coarser. Empty for a text that names no cell. */
export function resolutionHint(text: string, resolution: bigint): string {
  const cell = readCell(text)
  if (cell === undefined) return ''
  const actual = resolutionOf(cell)
  const around = actual > resolution ? ` and lies in ${ancestorOf(cell, resolution).toString(16)}` : ''
  return `; this one has resolution ${actual}${around}`
}
