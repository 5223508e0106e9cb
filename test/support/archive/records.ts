import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exactNumber, type Fraction, readExact } from '../exact-json.ts'
import { type Cell, type CsvRow, readCsvFolder } from './csv.ts'

/**
 * The records that an archive, makers and hotspots stand for, read by hand from the specification and the public
 * description of the archive: no part of the project takes part in it.
 */

export type Exact =
  | bigint
  | string
  | boolean
  | null
  | Fraction
  | readonly Exact[]
  | { readonly [member: string]: Exact }
export type ExactRecord = Readonly<Record<string, Exact>>

/** A record without its id, and where it comes from. */
export interface Archived {
  readonly record: ExactRecord
  readonly file: string
  readonly ordinal: number
}

/** Name in the archive, name in the interface, and how the cell is read. */
type Column = readonly [archived: string, name: string, read: (cell: Cell) => Exact]

const integer = (cell: Cell): bigint => {
  if (cell !== null && !/^-?\d+$/.test(cell)) throw new Error(`${cell} is no integer`)
  return BigInt(cell ?? 0)
}
const integerOrNull = (cell: Cell) => (cell === null ? null : integer(cell))
const numberOrNull = (cell: Cell) => (cell === null ? null : exactNumber(cell))
const text = (cell: Cell) => cell
const json = (cell: Cell) => (cell === null ? null : readExact<Exact>(`[${cell}]`))
const object = (cell: Cell) => (json(cell) as readonly Exact[] | null)?.[0] ?? null

/** `2021-01-11 10:00:00+00`, as PostgreSQL writes it in UTC. */
function instant(cell: Cell): string {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d*[1-9])?\+00$/.exec(cell ?? '')
  if (match === null) throw new Error(`${cell} is no instant`)
  return `${match[1]}T${match[2]}${match[3] ?? ''}Z`
}

const accounts: readonly Column[] = [
  ['address', 'address', text],
  ['balance', 'balance', integer],
  ['nonce', 'nonce', integer],
  ['dc_balance', 'dc_balance', integer],
  ['dc_nonce', 'dc_nonce', integer],
  ['security_balance', 'security_balance', integer],
  ['security_nonce', 'security_nonce', integer],
  ['first_block', 'first_block', integer],
  ['last_block', 'last_block', integer],
  ['staked_balance', 'staked_balance', integer],
  ['mobile_balance', 'mobile_balance', integer],
  ['iot_balance', 'iot_balance', integer],
]

const gateways: readonly Column[] = [
  ['address', 'address', text],
  ['owner', 'owner_address', text],
  ['location', 'location', text],
  ['last_poc_challenge', 'last_poc_challenge', integerOrNull],
  ['last_poc_onion_key_hash', 'last_poc_onion_key_hash', text],
  ['witnesses', 'witnesses', object],
  ['first_block', 'first_block', integer],
  ['last_block', 'last_block', integer],
  ['nonce', 'nonce', integer],
  ['name', 'name', text],
  ['first_timestamp', 'first_timestamp', instant],
  ['reward_scale', 'reward_scale', numberOrNull],
  ['elevation', 'elevation', integer],
  ['gain', 'gain', integer],
  ['location_hex', 'location_hex', text],
  ['mode', 'mode', text],
  ['payer', 'payer_address', text],
]

const transactions: readonly Column[] = [
  ['block', 'block', integer],
  ['hash', 'transaction_hash', text],
  ['type', 'type', text],
  ['fields', 'fields', object],
  ['time', 'time', integer],
]

const actors: readonly Column[] = [
  ['actor', 'actor_address', text],
  ['actor_role', 'actor_role', text],
  ['transaction_hash', 'transaction_hash', text],
  ['block', 'block', integer],
]

const packets: readonly Column[] = [
  ['block', 'block', integer],
  ['transaction_hash', 'transaction_hash', text],
  ['time', 'time', integer],
  ['gateway', 'gateway_address', text],
  ['num_packets', 'num_packets', integer],
  ['num_dcs', 'num_dcs', integer],
]

const rewards: readonly Column[] = [
  ['block', 'block', integer],
  ['transaction_hash', 'transaction_hash', text],
  ['time', 'time', integer],
  ['account', 'account_address', text],
  ['gateway', 'gateway_address', text],
  ['amount', 'amount', integer],
  ['type', 'type', text],
]

const burns: readonly Column[] = [
  ['block', 'block', integer],
  ['transaction_hash', 'transaction_hash', text],
  ['actor', 'actor_address', text],
  ['type', 'type', text],
  ['amount', 'amount', integer],
  ['oracle_price', 'oracle_price', integer],
  ['time', 'time', integer],
]

const archive = {
  account_inventory: accounts,
  gateway_inventory: gateways,
  transactions,
  transaction_actors: actors,
  packets,
  rewards,
  dc_burns: burns,
} as const

export type ArchiveFolder = keyof typeof archive
export const archiveFolders = Object.keys(archive) as readonly ArchiveFolder[]

/** The rows of a table below `network/blockchain-etl-export`, in the order of the files, with every cell as text. */
export function readArchiveRows(network: string, folder: ArchiveFolder): readonly CsvRow[] {
  const columns = archive[folder].map(([archived]) => archived)
  return readCsvFolder(join(network, 'blockchain-etl-export', folder), columns)
}

/** The records of a table, in the order of the files. */
export function readArchive(network: string, folder: ArchiveFolder): readonly Archived[] {
  const columns: readonly Column[] = archive[folder]
  return readArchiveRows(network, folder).map(({ cells, file, ordinal }) => {
    const members = columns.map(([archived, name, read]) => [name, read(cells[archived] ?? null)])
    return { record: Object.fromEntries(members), file, ordinal }
  })
}

const makerMembers = [
  'id',
  'address',
  'update_authority',
  'issuing_authority',
  'name',
  'bump_seed',
  'collection',
  'merkle_tree',
  'collection_bump_seed',
  'dao',
] as const
const hotspotMembers = ['id', 'asset_id', 'ecc_key', 'owner', 'networks', 'name'] as const
const iotMembers = [
  'location',
  'elevation',
  'gain',
  'is_full_hotspot',
  'num_location_asserts',
  'is_active',
  'dc_onboarding_fee_paid',
] as const
const mobileMembers = [
  'location',
  'is_full_hotspot',
  'num_location_asserts',
  'is_active',
  'dc_onboarding_fee_paid',
  'device_type',
  'antenna',
  'azimuth',
  'mechanical_down_tilt',
  'electrical_down_tilt',
] as const

/** Exactly these members; a record that is not there has them all as null. */
function membersOf(record: Exact | undefined, names: readonly string[]): ExactRecord {
  const members = (record ?? {}) as ExactRecord
  const strange = Object.keys(members).filter((name) => !names.includes(name))
  if (strange.length > 0) throw new Error(`${strange} are no members`)
  return Object.fromEntries(names.map((name) => [name, members[name] ?? null]))
}

function readLines(network: string, file: string, read: (line: ExactRecord) => ExactRecord) {
  const lines = readFileSync(join(network, 'l2', file), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map(
    (line, ordinal): Archived => ({ record: read(readExact<ExactRecord>(line)), file, ordinal }),
  )
}

export function readMakers(network: string): readonly Archived[] {
  return readLines(network, 'makers.ndjson', (line) => membersOf(line, makerMembers))
}

/** Hotspots with the maker that they brought, and both kinds of info. */
export function readHotspots(network: string): readonly Archived[] {
  return readLines(network, 'hotspots.ndjson', ({ maker, iot_info, mobile_info, ...own }) => ({
    ...membersOf(own, hotspotMembers),
    maker: maker == null ? null : membersOf(maker, makerMembers),
    iot_info: membersOf(iot_info, iotMembers),
    mobile_info: membersOf(mobile_info, mobileMembers),
  }))
}
