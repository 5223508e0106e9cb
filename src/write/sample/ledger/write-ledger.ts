import { join } from 'node:path'
import { deriveAddresses } from './addresses.ts'
import { writeChain } from './chain.ts'
import { inventoryColumns, writeAccounts, writeGateways } from './inventories.ts'
import { type LedgerOptions, ledgerOf } from './ledger.ts'
import { LineFiles } from './line-files.ts'
import { type ChainFolder, type ChainSums, chainColumns } from './rows.ts'

const ARCHIVE = 'blockchain-etl-export'
const columns = { ...chainColumns, ...inventoryColumns }

export interface LedgerSampleOptions extends LedgerOptions {
  /** Folder that takes `blockchain-etl-export`; made when missing. A file of the same name must have the same bytes. */
  readonly out: string
  /** Called when a file is whole, with its path below `out` and the number of its rows. */
  readonly onFile?: (relativePath: string, rows: number) => void
}

type LedgerTable = keyof typeof columns

export interface LedgerSummary {
  readonly files: number
  /** On disk. */
  readonly bytes: number
  /** Rows by folder of the archive. */
  readonly rows: Readonly<Record<LedgerTable, number>>
  readonly sums: ChainSums
}

/**
 * Writes the past of a network, a made-up ledger archive, into `out/blockchain-etl-export/<folder>/data_xaa.csv.gz` and
 * so on. Equal options give equal bytes on one release of Node.
 * Memory does not grow with the ledger, but for 52 bytes for each account and gateway, of which there are at most a
 * million each.
 * Errors: malformed_request for options out of range; those of the file system are passed on.
 */
export async function writeSampleLedger(options: LedgerSampleOptions): Promise<LedgerSummary> {
  const ledger = ledgerOf(options)
  const addresses = deriveAddresses(ledger)
  const done = { files: 0, bytes: 0 }
  const rows = Object.fromEntries(Object.keys(columns).map((table) => [table, 0])) as Record<
    LedgerTable,
    number
  >
  const sums = await writeTables(openTable, Object.keys(chainColumns) as ChainFolder[], (files) =>
    writeChain(ledger, addresses, files),
  )
  await writeTables(openTable, ['account_inventory'], (files) =>
    writeAccounts(ledger, addresses, files.account_inventory),
  )
  await writeTables(openTable, ['gateway_inventory'], (files) =>
    writeGateways(ledger, addresses, files.gateway_inventory),
  )
  return { ...done, rows, sums }

  function openTable(table: LedgerTable): LineFiles {
    return new LineFiles({
      folder: join(options.out, ARCHIVE, table),
      nameOf: (part) => `data_x${partLetters(part)}.csv.gz`,
      header: columns[table],
      partLines: ledger.partRows,
      onFile(name, lines, bytes) {
        done.files += 1
        done.bytes += bytes
        rows[table] += lines
        options.onFile?.(`${ARCHIVE}/${table}/${name}`, lines)
      },
    })
  }
}

/** Closes what was opened; leaves no unfinished file when anything fails. */
async function writeTables<Table extends LedgerTable, T>(
  open: (table: LedgerTable) => LineFiles,
  tables: readonly Table[],
  write: (files: Readonly<Record<Table, LineFiles>>) => Promise<T>,
): Promise<T> {
  const opened = tables.map((table) => [table, open(table)] as const)
  const files = opened.map(([, file]) => file)
  try {
    const written = await write(Object.fromEntries(opened) as Record<Table, LineFiles>)
    await Promise.all(files.map((file) => file.close()))
    return written
  } catch (error) {
    await Promise.all(files.map((file) => file.abandon()))
    throw error
  }
}

const LETTERS = 26

/** Letters of a part as split(1) counts: aa to yz, then zaaa to zyzz, and so on, so that names sort in order. */
export function partLetters(part: number, letters = 2): string {
  const room = (LETTERS - 1) * LETTERS ** (letters - 1)
  if (part >= room) return `z${partLetters(part - room, letters + 1)}`
  const digits = Array.from({ length: letters }, (_, at) => Math.floor(part / LETTERS ** (letters - 1 - at)))
  return digits.map((digit) => String.fromCharCode(97 + (digit % LETTERS))).join('')
}
