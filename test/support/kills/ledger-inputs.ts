import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeSampleLedger } from '../../../src/write/sample/ledger/write-ledger.ts'
import { writeHotspots } from '../../../src/write/sample/write-hotspots.ts'
import { type CsvRow, writeCsvPart } from '../archive/csv.ts'
import {
  type Archived,
  type ArchiveFolder,
  archiveFolders,
  type Exact,
  type ExactRecord,
  readArchive,
  readArchiveRows,
  readHotspots,
  readMakers,
} from '../archive/records.ts'
import type { ExactRow } from '../delta-table.ts'
import { type Step, sampleSources } from './inputs.ts'
import { type SourceSums, sumSources } from './visible.ts'

/** What ingests of the ledger archive, makers and hotspots take in when they are killed. */

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
  l1_accounts: 'address',
  l1_gateways: 'address',
  makers: 'address',
  hotspots: 'asset_id',
}

/** Whole numbers of a record under the names of their columns; those of the infos come after the name of the network. */
function wholeNumbers(record: ExactRecord, prefix = ''): Record<string, bigint> {
  const numbers: Record<string, bigint> = {}
  for (const [name, value] of Object.entries(record)) {
    if (typeof value === 'bigint' && name !== 'reward_scale') numbers[`${prefix}${name}`] = value
    if (name === 'first_timestamp') numbers[name] = BigInt(Date.parse(String(value))) * 1000n
    if (name.endsWith('_info')) {
      Object.assign(numbers, wholeNumbers(value as ExactRecord, name.replace('info', '')))
    }
  }
  return numbers
}

function toRow({ record, file, ordinal }: Archived): ExactRow {
  return { ...wholeNumbers(record), source_file: file, ordinal: BigInt(ordinal) }
}

/** Of the rows of a state the last of each key counts. */
export function sumsOf(table: string, rows: readonly Archived[]): readonly SourceSums[] {
  const key = keyOf[table]
  const kept = key === undefined ? rows : [...new Map(rows.map((row) => [row.record[key], row])).values()]
  return sumSources(table, kept.map(toRow))
}

type Tables = Readonly<Record<string, readonly Archived[]>>

function sourcesOf(tables: Tables): readonly SourceSums[] {
  return Object.entries(tables).flatMap(([table, rows]) => sumsOf(table, rows))
}

function writePart(path: string, lines: readonly CsvRow['cells'][]): void {
  writeCsvPart(path, lines.map(Object.values), Object.keys(lines[0] ?? {}))
}

/** A part of every `nth` row of a folder, one of whose cells is another number. */
export function craftPart(from: string, to: string, [folder, file, nth, cell]: Crafted): readonly Archived[] {
  const [archived, records] = [readArchiveRows(from, folder), readArchive(from, folder)]
  const chosen = archived.map((_, index) => index).filter((index) => index % nth === 0)
  const changed = (value: Exact | undefined) => BigInt(String(value ?? 0)) + 9_007_199_254_740_993n
  writePart(
    join(to, 'blockchain-etl-export', folder, file),
    chosen.map((index) => {
      const cells = archived[index]?.cells ?? {}
      return { ...cells, [cell]: String(changed(cells[cell])) }
    }),
  )
  return chosen.map((index, ordinal) => {
    const { record = {} } = records[index] ?? {}
    return { record: { ...record, [cell]: changed(record[cell]) }, file, ordinal }
  })
}

type Crafted = readonly [folder: ArchiveFolder, file: string, nth: number, cell: string]

const REFUSED = 3

/** Burns of which the first have no number where one is due. */
function craftFaulty(
  from: string,
  to: string,
  file: string,
): readonly [readonly Archived[], readonly ExactRow[]] {
  const records = readArchive(from, 'dc_burns').slice(0, 40)
  const lines = readArchiveRows(from, 'dc_burns').slice(0, records.length)
  writePart(
    join(to, 'blockchain-etl-export/dc_burns', file),
    lines.map(({ cells }, index) => (index < REFUSED ? { ...cells, amount: 'many' } : cells)),
  )
  const rows = records.map(({ record }, ordinal) => ({ record, file, ordinal }))
  const refused = rows
    .slice(0, REFUSED)
    .map(({ ordinal }) => ({ source_file: file, ordinal: BigInt(ordinal) }))
  return [rows.slice(REFUSED), refused]
}

/** Every other hotspot in other words, in a file of its own. */
function craftHotspots(from: string, path: string, file: string): readonly Archived[] {
  const isChosen = (_: unknown, index: number) => index % 2 === 0
  const lines = readFileSync(join(from, 'l2/hotspots.ndjson'), 'utf8').trimEnd().split('\n').filter(isChosen)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, file), lines.map((line) => `${line}\n`).join(''))
  return readHotspots(join(from, 'l2'))
    .filter(isChosen)
    .map(({ record }, ordinal) => ({ record, file, ordinal }))
}

const ORACLE_HOTSPOTS = 20

/**
 * Three ingests, each on top of the one before: an archive in many parts with makers, hotspots and oracle files; newer states of half
 * the accounts, gateways and hotspots, and burns of which some are refused; other bytes for a part of the rewards.
 */
export async function makeLedgerSteps(folder: string, transactions: number): Promise<readonly Step[]> {
  const [first, second, third] = ['archive', 'newer', 'other-part'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const partRows = Math.ceil(transactions / 2)
  const network = { out: first, seed: 7, hotspots: 300 }
  await writeSampleLedger({ ...network, transactions, partRows })
  await writeHotspots(network)
  const archived = archiveFolders.map((name) => [tableOf[name], readArchive(first, name)] as const)
  const one: Tables = {
    ...Object.fromEntries(archived),
    makers: readMakers(join(first, 'l2')),
    hotspots: readHotspots(join(first, 'l2')),
  }
  const [burns, refused] = craftFaulty(first, second, 'data_yaa.csv.gz')
  const newer: Tables = {
    l1_accounts: craftPart(first, second, ['account_inventory', 'data_yaa.csv.gz', 2, 'balance']),
    l1_gateways: craftPart(first, second, ['gateway_inventory', 'data_yaa.csv.gz', 2, 'nonce']),
    l1_dc_burns: burns,
    hotspots: craftHotspots(first, join(second, 'l2'), 'hotspots-2.ndjson'),
  }
  const two = joined(one, newer)
  const other = 'data_xab.csv.gz'
  const rewards = craftPart(first, third, ['rewards', other, 7, 'amount'])
  const kept = two.l1_rewards?.filter(({ file }) => file !== other) ?? []
  const three = { ...two, l1_rewards: [...kept, ...rewards] }
  const rejected = sumSources('rejects', refused)
  const oracles = await sampleSources(join(first, 'oracles'), '2025-01-30', ORACLE_HOTSPOTS)
  return [
    { name: 'archive', args: [first], sources: [...oracles, ...sourcesOf(one)] },
    { name: 'newer states', args: [second], sources: [...oracles, ...sourcesOf(two), ...rejected] },
    {
      name: 'another part',
      args: [third, '--replace'],
      sources: [...oracles, ...sourcesOf(three), ...rejected],
    },
  ]
}

function joined(before: Tables, more: Tables): Tables {
  return Object.fromEntries(
    Object.entries(before).map(([table, rows]) => [table, [...rows, ...(more[table] ?? [])]]),
  )
}

/** As many rewards and actors as are sorted for filters, and nothing else. */
export interface SortedInputs {
  readonly step: Step
  /** The rewards as a list has them, for a plain reduction. */
  readonly rewards: readonly ExactRecord[]
}

/** The program sorts tables of 100,000 rows and more; the made-up ledger has four rewards for a transaction. */
const TRANSACTIONS_TO_SORT = 25_500

export async function makeSortedInputs(folder: string): Promise<SortedInputs> {
  const sizes = { transactions: TRANSACTIONS_TO_SORT, partRows: 40_000, seed: 8, hotspots: 5000 }
  await writeSampleLedger({ ...sizes, out: folder })
  const folders = ['transaction_actors', 'rewards'] as const
  const args = folders.map((name) => join(folder, 'blockchain-etl-export', name))
  const [actors, rewards] = folders.map((name) => readArchive(folder, name))
  const sources = sourcesOf({ l1_transaction_actors: actors ?? [], l1_rewards: rewards ?? [] })
  return {
    step: { name: 'nothing but sorting', args, sources },
    rewards: (rewards ?? []).map(({ record }) => record),
  }
}
