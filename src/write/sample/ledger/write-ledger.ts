import { join } from 'node:path'
import { deriveAddresses } from './addresses.ts'
import { chainLines } from './chain.ts'
import { accountLines, gatewayLines, inventoryColumns } from './inventories.ts'
import { type LedgerOptions, ledgerOf } from './ledger.ts'
import { writeLineFiles } from './line-files.ts'
import { type ChainFolder, type ChainSums, chainColumns } from './rows.ts'

const ARCHIVE = 'blockchain-etl-export'
const columns = { ...chainColumns, ...inventoryColumns }

interface LedgerSampleOptions extends LedgerOptions {
  /** Folder of `blockchain-etl-export`; created if missing. An existing file must have the same bytes. */
  readonly out: string
}

type LedgerTable = keyof typeof columns

export interface LedgerSummary {
  readonly files: number
  /** Bytes on disk. */
  readonly bytes: number
  /** Rows by folder of the archive. */
  readonly rows: Readonly<Record<LedgerTable, number>>
  readonly sums: ChainSums
}

/**
 * Writes the L1 past of a network, a made-up ledger archive, into `out/blockchain-etl-export/<folder>/data_xaa.csv.gz`
 * and so on. Equal options give equal bytes on one release of Node. Memory grows only with the addresses of accounts
 * and gateways, at most a million each.
 * Errors: `malformed_request` for options out of range; those of the file system.
 */
export async function writeSampleLedger(options: LedgerSampleOptions): Promise<LedgerSummary> {
  const ledger = ledgerOf(options)
  const addresses = deriveAddresses(ledger)
  const sums: ChainSums = {
    rewards: { amount: 0n },
    packets: { num_packets: 0n, num_dcs: 0n },
    dc_burns: { amount: 0n },
  }
  const events = Object.keys(chainColumns) as ChainFolder[]
  const tables: readonly (readonly [LedgerTable, Iterable<string>])[] = [
    ...events.map((folder) => [folder, chainLines(ledger, addresses, folder, sums)] as const),
    ['account_inventory', accountLines(ledger, addresses)],
    ['gateway_inventory', gatewayLines(ledger, addresses)],
  ]
  const done = { files: 0, bytes: 0 }
  const rows: Partial<Record<LedgerTable, number>> = {}
  for (const [table, lines] of tables) {
    const pathOf = (part: number) => join(options.out, ARCHIVE, table, `data_x${partLetters(part)}.csv.gz`)
    const files = await writeLineFiles(pathOf, columns[table], lines, ledger.partRows)
    done.files += files.length
    done.bytes += files.reduce((sum, { bytes }) => sum + bytes, 0)
    rows[table] = files.reduce((sum, { items }) => sum + items, 0)
  }
  return { ...done, rows: rows as LedgerSummary['rows'], sums }
}

const LETTERS = 26

/**
 * Returns the letters of a part as split(1) does: aa to yz, then zaaa to zyzz, and so on, so that names sort in order.
 */
export function partLetters(part: number, letters = 2): string {
  const room = (LETTERS - 1) * LETTERS ** (letters - 1)
  if (part >= room) return `z${partLetters(part - room, letters + 1)}`
  const digits = Array.from({ length: letters }, (_, at) => Math.floor(part / LETTERS ** (letters - 1 - at)))
  return digits.map((digit) => String.fromCharCode(97 + (digit % LETTERS))).join('')
}
