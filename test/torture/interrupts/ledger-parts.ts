import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CsvRow, writeCsvPart } from '../../support/archive/csv.ts'
import {
  type Archived,
  type ArchiveFolder,
  type ExactRecord,
  readArchive,
  readArchiveRows,
  readHotspots,
} from '../../support/archive/records.ts'
import { type TakenRow, takenRow } from './steps.ts'

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

export function rowsOf(table: string, archived: readonly Archived[]): readonly TakenRow[] {
  return archived.map(({ record, file, ordinal }) => {
    const row = { ...integersOf(record), source_file: file, ordinal: BigInt(ordinal) }
    return takenRow(table, row, { key: record[keyOf[table] ?? ''] })
  })
}

export const rowsIn = (network: string, ...folders: readonly ArchiveFolder[]) =>
  folders.flatMap((folder) => rowsOf(tableOf[folder], readArchive(network, folder)))

type Cells = CsvRow['cells']
export type Craft = (cells: Cells, place: number) => Cells | undefined

/** A part of rows of another network, without those that become undefined. */
export function craftPart(from: string, to: string, folder: ArchiveFolder, file: string, craft: Craft): void {
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
export const everyNth =
  (nth: number, cell: string): Craft =>
  (cells, place) =>
    place % nth === 0
      ? { ...cells, [cell]: String(BigInt(cells[cell] ?? 0) + 9_007_199_254_740_993n) }
      : undefined

export const NEWER = 'data_yaa.csv.gz'
const [BURNS, REFUSED] = [40, 3]

/** Burns of which the first have no number where one is due. */
export function craftFaulty(from: string, to: string): readonly TakenRow[] {
  craftPart(from, to, 'dc_burns', NEWER, (cells, place) => (place < BURNS ? cells : undefined))
  const rows = rowsIn(to, 'dc_burns')
  const faulty = (cells: Cells, place: number) => (place < REFUSED ? { ...cells, amount: 'many' } : cells)
  craftPart(to, to, 'dc_burns', NEWER, faulty)
  const reject = ({ name, sums: { ordinal = 0n } }: TakenRow) =>
    takenRow('l1_dc_burns', { source_file: name, ordinal }, { table: 'rejects' })
  return [...rows.slice(0, REFUSED).map(reject), ...rows.slice(REFUSED)]
}

/** Every other hotspot once more, in a file of its own. */
export function craftHotspots(from: string, to: string): readonly TakenRow[] {
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
