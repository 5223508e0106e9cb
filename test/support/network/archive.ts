import { join } from 'node:path'
import { writeSampleLedger } from '../../../src/write/sample/ledger/write-ledger.ts'
import { deriveSeed, openRandom, type Random } from '../../../src/write/sample/random.ts'
import { writeHotspots } from '../../../src/write/sample/write-hotspots.ts'
import { type Cell, type CsvRow, writeCsvPart } from '../archive/csv.ts'
import type { Network } from '../archive/operations.ts'
import { type ArchiveFolder, archiveFolders, readArchiveRows } from '../archive/records.ts'
import { shuffled } from './draw.ts'
import type { RewardParts } from './rewards.ts'

/** Writes the parts as an archive has them, and gives their folder. */
export function writeRewards(below: string, parts: RewardParts): string {
  const folder = join(below, 'blockchain-etl-export', 'rewards')
  const header = ['block', 'transaction_hash', 'time', 'account', 'gateway', 'amount', 'type']
  for (const [part, [name, rows]] of Object.entries(parts).entries()) {
    const lines = rows.map((row) => [
      ...[`${row.block}`, row.transaction_hash, `${row.time}`, row.account_address, row.gateway_address],
      ...[`${row.amount}`, row.type],
    ])
    writeCsvPart(join(folder, name), lines, part === 0 ? header : undefined)
  }
  return folder
}

interface ScatteredArchive extends Network {
  /** The paths of all parts, in no order. */
  readonly parts: readonly string[]
}

/** The sample ledger in `count` parts for each table that no archive would have, with makers and hotspots as they are. */
export async function drawArchive(
  folder: string,
  size: { readonly transactions: number; readonly blocks: number; readonly seed: number },
  count: number,
): Promise<ScatteredArchive> {
  const [whole, archive] = [join(folder, 'whole'), join(folder, 'scattered')]
  const network = { ...size, hotspots: Math.floor(size.transactions / 4), out: whole }
  await writeSampleLedger(network)
  await writeHotspots(network)
  const random = openRandom(deriveSeed('archive', size.seed))
  const parts = shuffled(scatterArchive(whole, archive, count, random), random)
  return { archive, l2: join(whole, 'l2'), parts }
}

/** Tables in which one row may stand twice. */
const keyless: readonly ArchiveFolder[] = ['transaction_actors', 'packets', 'rewards', 'dc_burns']

/** Blocks and transactions go on in other files, some of which are far away, of some rows there are two, and some names are odd. */
function scatterArchive(from: string, to: string, parts: number, random: Random): readonly string[] {
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
      writeCsvPart(path, heap.map(oddCells), part === 0 ? Object.keys(rows[0]?.cells ?? {}) : undefined)
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

function letters(part: number): string {
  return String.fromCharCode(97 + Math.floor(part / 26), 97 + (part % 26))
}
