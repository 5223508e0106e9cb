import { join } from 'node:path'
import { deriveAddresses } from './l1-addresses.ts'
import { type ChainSums, writeChain } from './l1-chain.ts'
import { type InventoryFolder, inventoryColumns, writeAccounts, writeGateways } from './l1-inventories.ts'
import { type LedgerOptions, ledgerOf } from './l1-ledger.ts'
import { type LineFiles, openLineFiles } from './l1-line-files.ts'
import { type ChainFiles, type ChainFolder, chainColumns } from './l1-rows.ts'

const ARCHIVE = 'blockchain-etl-export'

export interface LedgerSampleOptions extends LedgerOptions {
  /** Folder that takes `blockchain-etl-export`; made when missing. Files of the same name are replaced. */
  readonly out: string
  /** Called when a file is whole, with its path below `out` and the number of its rows. */
  readonly onFile?: (relativePath: string, rows: number) => void
}

type LedgerTable = ChainFolder | InventoryFolder

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
  const done = { files: 0, bytes: 0 }
  const rows = new Map<string, number>()
  const noteFile = (table: string, path: string, lines: number, bytes: number) => {
    done.files += 1
    done.bytes += bytes
    rows.set(table, (rows.get(table) ?? 0) + lines)
    options.onFile?.(path, lines)
  }
  const openTable = (folder: ChainFolder | InventoryFolder, header: string) =>
    openLineFiles({
      folder: join(options.out, ARCHIVE, folder),
      nameOf: (part) => `data_x${partLetters(part)}.csv.gz`,
      header,
      partLines: ledger.partRows,
      onFile: (name, lines, bytes) => noteFile(folder, `${ARCHIVE}/${folder}/${name}`, lines, bytes),
    })

  const addresses = deriveAddresses(ledger)
  const sums = await writeAll(
    Object.entries(chainColumns).map(([folder, header]) => openTable(folder as ChainFolder, header)),
    (files) => {
      const folders = Object.keys(chainColumns)
      const byFolder = Object.fromEntries(folders.map((folder, at) => [folder, files[at]]))
      return writeChain(ledger, addresses, byFolder as ChainFiles)
    },
  )
  const { account_inventory, gateway_inventory } = inventoryColumns
  await writeAll([openTable('account_inventory', account_inventory)], ([file]) =>
    writeAccounts(ledger, addresses, file as LineFiles),
  )
  await writeAll([openTable('gateway_inventory', gateway_inventory)], ([file]) =>
    writeGateways(ledger, addresses, file as LineFiles),
  )
  const tables = [...Object.keys(chainColumns), ...Object.keys(inventoryColumns)]
  const counts = Object.fromEntries(tables.map((table) => [table, rows.get(table) ?? 0]))
  return { ...done, rows: counts as Record<LedgerTable, number>, sums }
}

/** Closes what was opened; leaves no unfinished file when anything fails. */
async function writeAll<T>(
  opening: readonly Promise<LineFiles>[],
  write: (files: readonly LineFiles[]) => Promise<T>,
): Promise<T> {
  const files = await Promise.all(opening)
  try {
    const written = await write(files)
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
