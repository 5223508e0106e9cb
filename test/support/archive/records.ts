import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exactNumber, type Fraction, readExact } from '../exact-json.ts'
import { words } from '../words.ts'
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

const kinds: Readonly<Record<string, Column[2]>> = {
  ...{ text, int: integer, 'int?': integerOrNull, 'number?': numberOrNull, object, instant },
}

/** Columns from words such as `owner>owner_address`, `block:int` and `hash>transaction_hash`; those without a kind are texts. */
function columnsOf(written: string): readonly Column[] {
  return words(written).map((word) => {
    const [names = '', kind = 'text'] = word.split(':')
    const [archived = '', name = archived] = names.split('>')
    const read = kinds[kind]
    if (read === undefined) throw new Error(`${word} has no kind of column`)
    return [archived, name, read]
  })
}

const archive = {
  account_inventory: columnsOf(`address balance:int nonce:int dc_balance:int dc_nonce:int security_balance:int
    security_nonce:int first_block:int last_block:int staked_balance:int mobile_balance:int iot_balance:int`),
  gateway_inventory:
    columnsOf(`address owner>owner_address location last_poc_challenge:int? last_poc_onion_key_hash
    witnesses:object first_block:int last_block:int nonce:int name first_timestamp:instant reward_scale:number?
    elevation:int gain:int location_hex mode payer>payer_address`),
  transactions: columnsOf('block:int hash>transaction_hash type fields:object time:int'),
  transaction_actors: columnsOf('actor>actor_address actor_role transaction_hash block:int'),
  packets: columnsOf(
    'block:int transaction_hash time:int gateway>gateway_address num_packets:int num_dcs:int',
  ),
  rewards: columnsOf(
    'block:int transaction_hash time:int account>account_address gateway>gateway_address amount:int type',
  ),
  dc_burns: columnsOf(
    'block:int transaction_hash actor>actor_address type amount:int oracle_price:int time:int',
  ),
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
  return readArchiveRows(network, folder).map(({ cells, file, ordinal }) => {
    const members = archive[folder].map(([archived, name, read]) => [name, read(cells[archived] ?? null)])
    return { record: Object.fromEntries(members), file, ordinal }
  })
}

const makerMembers =
  words(`id address update_authority issuing_authority name bump_seed collection merkle_tree
  collection_bump_seed dao`)
const hotspotMembers = words('id asset_id ecc_key owner networks name')
const iotMembers = words(`location elevation gain is_full_hotspot num_location_asserts is_active
  dc_onboarding_fee_paid`)
const mobileMembers = words(`location is_full_hotspot num_location_asserts is_active dc_onboarding_fee_paid
  device_type antenna azimuth mechanical_down_tilt electrical_down_tilt`)

/** Exactly these members; a record that is not there has them all as null. */
function membersOf(record: Exact | undefined, names: readonly string[]): ExactRecord {
  const members = (record ?? {}) as ExactRecord
  const strange = Object.keys(members).filter((name) => !names.includes(name))
  if (strange.length > 0) throw new Error(`${strange} are no members`)
  return Object.fromEntries(names.map((name) => [name, members[name] ?? null]))
}

function readLines(folder: string, file: string, read: (line: ExactRecord) => ExactRecord) {
  const lines = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n')
  return lines.map(
    (line, ordinal): Archived => ({ record: read(readExact<ExactRecord>(line)), file, ordinal }),
  )
}

export function readMakers(folder: string): readonly Archived[] {
  return readLines(folder, 'makers.ndjson', (line) => membersOf(line, makerMembers))
}

/** Hotspots with the maker that they brought, and both kinds of info. */
export function readHotspots(folder: string): readonly Archived[] {
  return readLines(folder, 'hotspots.ndjson', ({ maker, iot_info, mobile_info, ...own }) => ({
    ...membersOf(own, hotspotMembers),
    maker: maker == null ? null : membersOf(maker, makerMembers),
    iot_info: membersOf(iot_info, iotMembers),
    mobile_info: membersOf(mobile_info, mobileMembers),
  }))
}
