import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Random } from '../../../src/sample/random.ts'
import type { Cell, CsvRow } from './csv.ts'
import { type ArchiveFolder, archiveFolders, readArchiveRows } from './records.ts'

/** Tables in which one row may stand twice. */
const keyless: readonly ArchiveFolder[] = ['transaction_actors', 'packets', 'rewards', 'dc_burns']

/**
 * Cuts an archive anew into `parts` files for each table, as no archive would be cut: blocks and transactions go on in
 * other files, some of which are far away, of some rows there are two, and some names are odd. Gives the paths of all
 * files.
 */
export function scatterArchive(from: string, to: string, parts: number, random: Random): readonly string[] {
  return archiveFolders.flatMap((folder) => {
    const rows = readArchiveRows(from, folder)
    const heaps: CsvRow[][] = Array.from({ length: parts }, () => [])
    for (const [index, row] of rows.entries()) {
      const near = Math.floor((index * parts) / rows.length)
      heaps[placeNear(near, parts, random)]?.push(row)
      if (keyless.includes(folder) && random.chance(0.01)) heaps[random.below(parts)]?.push(row)
    }
    return heaps.map((heap, part) => {
      const path = join(to, 'blockchain-etl-export', folder, `data_x${letters(part)}.csv.gz`)
      const header = part === 0 ? [Object.keys(rows[0]?.cells ?? {})] : []
      const lines = [...header, ...heap.map(oddCells)].map(lineOf)
      mkdirSync(join(path, '..'), { recursive: true })
      writeFileSync(path, gzipSync(lines.join(''), { level: 1 }))
      return path
    })
  })
}

/** Columns of names that are the key of nothing. */
const named: ReadonlySet<string> = new Set(['actor', 'account', 'gateway', 'owner', 'payer', 'name'])

/** Of these the first two sort otherwise by bytes than by UTF-16, and one is longer than any bound in the log. */
const starts = ['\uffff', '𝄞', ' ', '"', ',\n', 'z'.repeat(300), '\\N', "'"] as const

/** The same name always becomes the same odd one, in every table. */
function oddCells({ cells }: CsvRow): readonly Cell[] {
  return Object.entries(cells).map(([column, cell]) => {
    if (cell === null || !named.has(column)) return cell
    // The last character is a letter or a digit; one of four is one of the first letters.
    return `${starts[(cell.charCodeAt(cell.length - 1) % 32) - 1] ?? ''}${cell}`
  })
}

function placeNear(place: number, parts: number, random: Random): number {
  const roll = random.unit()
  if (roll < 0.8) return place
  if (roll > 0.95) return random.below(parts)
  return Math.min(parts - 1, Math.max(0, place + random.below(5) - 2))
}

function lineOf(cells: readonly Cell[]): string {
  return `${cells.map((cell) => (cell === null ? '' : `"${cell.replaceAll('"', '""')}"`)).join(',')}\n`
}

function letters(part: number): string {
  return String.fromCharCode(97 + Math.floor(part / 26), 97 + (part % 26))
}

/** A list in an order that the draws decide. */
export function shuffled<T>(list: readonly T[], random: Random): readonly T[] {
  const keyed = list.map((item) => [random.unit(), item] as const)
  return keyed.sort(([a], [b]) => a - b).map(([, item]) => item)
}
