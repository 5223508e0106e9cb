import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeSampleLedger } from '../../../src/write/sample/ledger/write-ledger.ts'
import { writeHotspots } from '../../../src/write/sample/write-hotspots.ts'
import { type CsvRow, writeCsvPart } from '../archive/csv.ts'
import {
  type Archived,
  type ArchiveFolder,
  archiveFolders,
  type ExactRecord,
  readArchive,
  readArchiveRows,
  readHotspots,
  readMakers,
} from '../archive/records.ts'
import { sampleRows } from './oracle-steps.ts'
import { makeSteps, type Step, type TakenRow, takenRow } from './steps.ts'

const tableOf: Readonly<Record<ArchiveFolder, string>> = {
  account_inventory: 'l1_accounts',
  gateway_inventory: 'l1_gateways',
  transactions: 'l1_transactions',
  transaction_actors: 'l1_transaction_actors',
  packets: 'l1_packets',
  rewards: 'l1_rewards',
  dc_burns: 'l1_dc_burns',
}
const keyOf: Readonly<Record<string, string>> = {
  ...{ l1_accounts: 'address', l1_gateways: 'address', makers: 'address', hotspots: 'asset_id' },
}

/** Integers of a record under the names of their columns; those of the infos come after the name of the network. */
function integersOf(record: ExactRecord, prefix = ''): Record<string, bigint> {
  const numbers: Record<string, bigint> = {}
  for (const [name, value] of Object.entries(record)) {
    if (typeof value === 'bigint' && name !== 'reward_scale') numbers[`${prefix}${name}`] = value
    if (name === 'first_timestamp') numbers[name] = BigInt(Date.parse(String(value))) * 1000n
    if (name.endsWith('_info'))
      Object.assign(numbers, integersOf(value as ExactRecord, name.replace('info', '')))
  }
  return numbers
}

function rowsOf(table: string, archived: readonly Archived[]): readonly TakenRow[] {
  return archived.map(({ record, file, ordinal }) => {
    const row = { ...integersOf(record), source_file: file, ordinal: BigInt(ordinal) }
    return takenRow(table, row, { key: record[keyOf[table] ?? ''] })
  })
}

const rowsIn = (network: string, ...folders: readonly ArchiveFolder[]) =>
  folders.flatMap((folder) => rowsOf(tableOf[folder], readArchive(network, folder)))

type Cells = CsvRow['cells']
type Craft = (cells: Cells, place: number) => Cells | undefined

/** A part of rows of another network, without those that become undefined. */
function craftPart(from: string, to: string, folder: ArchiveFolder, file: string, craft: Craft): void {
  const lines = readArchiveRows(from, folder)
    .map(({ cells }, place) => craft(cells, place))
    .filter((cells) => cells !== undefined)
  const path = join(to, 'blockchain-etl-export', folder, file)
  writeCsvPart(
    path,
    lines.map((cells) => Object.values(cells)),
    Object.keys(lines[0] ?? {}),
  )
}

/** Every `nth` row, with a number beyond the integers of a double in a cell. */
const everyNth =
  (nth: number, cell: string): Craft =>
  (cells, place) =>
    place % nth === 0
      ? { ...cells, [cell]: String(BigInt(cells[cell] ?? 0) + 9_007_199_254_740_993n) }
      : undefined

const NEWER = 'data_yaa.csv.gz'
const [BURNS, REFUSED] = [40, 3]

/** Burns of which the first have no number where one is due. */
function craftFaulty(from: string, to: string): readonly TakenRow[] {
  craftPart(from, to, 'dc_burns', NEWER, (cells, place) => (place < BURNS ? cells : undefined))
  const rows = rowsIn(to, 'dc_burns')
  const faulty = (cells: Cells, place: number) => (place < REFUSED ? { ...cells, amount: 'many' } : cells)
  craftPart(to, to, 'dc_burns', NEWER, faulty)
  const reject = ({ name, sums: { ordinal = 0n } }: TakenRow) =>
    takenRow('l1_dc_burns', { source_file: name, ordinal }, { table: 'rejects' })
  return [...rows.slice(0, REFUSED).map(reject), ...rows.slice(REFUSED)]
}

/** Every other hotspot once more, in a file of its own. */
function craftHotspots(from: string, to: string): readonly TakenRow[] {
  const file = 'hotspots-2.ndjson'
  const isChosen = (_: unknown, place: number) => place % 2 === 0
  const lines = readFileSync(join(from, 'l2/hotspots.ndjson'), 'utf8').trimEnd().split('\n')
  mkdirSync(join(to, 'l2'))
  writeFileSync(join(to, 'l2', file), `${lines.filter(isChosen).join('\n')}\n`)
  const chosen = readHotspots(join(from, 'l2')).filter(isChosen)
  return rowsOf(
    'hotspots',
    chosen.map(({ record }, ordinal) => ({ record, file, ordinal })),
  )
}

/**
 * An archive in many parts with makers, hotspots and oracle files; newer states of half the accounts, gateways and hotspots, and
 * burns of which some are refused; other bytes for a part of the rewards.
 */
export async function makeLedgerSteps(folder: string, transactions: number): Promise<readonly Step[]> {
  let first = ''
  const partRows = Math.ceil(transactions / 2)
  return await makeSteps(folder, {
    archive: async (into) => {
      first = into
      const network = { out: into, seed: 7, hotspots: 300 }
      await writeSampleLedger({ ...network, transactions, partRows })
      await writeHotspots(network)
      return [
        ...rowsIn(into, ...archiveFolders),
        ...rowsOf('makers', readMakers(join(into, 'l2'))),
        ...rowsOf('hotspots', readHotspots(join(into, 'l2'))),
        ...(await sampleRows(join(into, 'oracles'), '2025-01-30', 20)),
      ]
    },
    'newer states': async (into) => {
      craftPart(first, into, 'account_inventory', NEWER, everyNth(2, 'balance'))
      craftPart(first, into, 'gateway_inventory', NEWER, everyNth(2, 'nonce'))
      const states = rowsIn(into, 'account_inventory', 'gateway_inventory')
      return [...states, ...craftFaulty(first, into), ...craftHotspots(first, into)]
    },
    'another part': async (into) => {
      craftPart(first, into, 'rewards', 'data_xab.csv.gz', everyNth(7, 'amount'))
      return rowsIn(into, 'rewards')
    },
  })
}

/** A few rewards and accounts, and newer states of half the accounts. */
export async function makeTinyLedger(folder: string): Promise<readonly Step[]> {
  const whole = join(folder, 'whole')
  await writeSampleLedger({ out: whole, seed: 7, hotspots: 5, transactions: 100, partRows: 200 })
  const fewFirst: Craft = (cells, place) => (place < 6 ? cells : undefined)
  const steps = await makeSteps(folder, {
    archive: async (into) => {
      const folders = ['rewards', 'account_inventory'] as const
      for (const name of folders) craftPart(whole, into, name, 'data_xaa.csv.gz', fewFirst)
      return rowsIn(into, ...folders)
    },
    'newer states': async (into) => {
      craftPart(join(folder, 'archive'), into, 'account_inventory', NEWER, everyNth(2, 'balance'))
      return rowsIn(into, 'account_inventory')
    },
  })
  rmSync(whole, { recursive: true })
  return steps
}

/** The program sorts tables of 100,000 rows and more; the made-up ledger has four rewards for a transaction. */
const TRANSACTIONS_TO_SORT = 25_500

/** As many rewards and actors as are sorted for filters, and nothing else; the rewards come along for a plain reduction. */
export async function makeSortedInputs(folder: string) {
  const [step] = await makeSteps(folder, {
    'nothing but sorting': async (into) => {
      const sizes = { transactions: TRANSACTIONS_TO_SORT, partRows: 40_000, seed: 8, hotspots: 5000 }
      await writeSampleLedger({ ...sizes, out: into })
      const kept: readonly ArchiveFolder[] = ['transaction_actors', 'rewards']
      for (const name of archiveFolders.filter((one) => !kept.includes(one)))
        rmSync(join(into, 'blockchain-etl-export', name), { recursive: true })
      return rowsIn(into, ...kept)
    },
  })
  const rewards = readArchive(join(folder, 'nothing-but-sorting'), 'rewards').map(({ record }) => record)
  return { step: step as Step, rewards }
}
