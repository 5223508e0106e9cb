import { join } from 'node:path'
import { compareBytes } from '../compare-bytes.ts'
import { words } from '../words.ts'
import { isInside } from './cells.ts'
import {
  type Archived,
  type ArchiveFolder,
  type Exact,
  type ExactRecord,
  readArchive,
  readHotspots,
  readMakers,
} from './records.ts'

/** Whether a record is found by the text of a parameter. */
type Filter = (record: ExactRecord, value: string) => boolean

/** A list of the interface, with the records that it is expected to have. */
export interface ListOperation {
  /** Name of the table in `expected.json`. */
  readonly table: string
  /** Below `/v1/net`. */
  readonly path: string
  readonly envelope: 'objects' | 'records'
  /** In the order of the list. */
  readonly records: readonly ExactRecord[]
  readonly filters: Readonly<Record<string, Filter>>
  /** How a single record is found besides its id, and what a 404 calls it. */
  readonly lookup?: { readonly keys: readonly string[]; readonly kind: string }
}

/** Filters of the names of columns, each of which compares its column. */
const equal = (columns: string): ListOperation['filters'] =>
  Object.fromEntries(
    words(columns).map((column): [string, Filter] => [column, (record, value) => record[column] === value]),
  )

/** How ledgers write a name that somebody types. */
function typed(name: string): readonly string[] {
  const words = name
    .trim()
    .toLowerCase()
    .split(/[\s_-]+/)
  const capital = words.map((word) => word.charAt(0).toUpperCase() + word.substring(1))
  return [words.join('-'), capital.join(' ')]
}
const isNamed: Filter = ({ name }, value) => [value, ...typed(value)].includes(String(name))

const inCell =
  (info: string): Filter =>
  (record, value) => {
    const { location } = record[info] as { readonly location: bigint | null }
    return location !== null && isInside(location, BigInt(value))
  }

/** Whole seconds up to an instant, and whether there is a fraction beyond them. */
function secondsOf(value: string): { readonly seconds: bigint; readonly hasFraction: boolean } {
  const fraction = /[.,](\d+)/.exec(value)?.[1] ?? ''
  const whole = value.replace(/[.,]\d+/, '')
  const isDate = /^\d{4}-\d\d-\d\d$/.test(whole)
  const zoned = isDate || /(Z|[+-]\d\d:\d\d)$/.test(whole) ? whole : `${whole}Z`
  const milliseconds = Date.parse(zoned)
  if (Number.isNaN(milliseconds)) throw new Error(`${value} is no instant`)
  return { seconds: BigInt(milliseconds) / 1000n, hasFraction: /[1-9]/.test(fraction) }
}

const block: Filter = (record, value) => record.block === BigInt(value)
const from: Filter = ({ time }, value) => {
  const { seconds, hasFraction } = secondsOf(value)
  return hasFraction ? (time as bigint) > seconds : (time as bigint) >= seconds
}
const to: Filter = ({ time }, value) => (time as bigint) <= secondsOf(value).seconds

function compare(a: Exact | undefined, b: Exact | undefined): number {
  if (typeof a === 'string' && typeof b === 'string') return compareBytes(a, b)
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0
  throw new Error(`${a} and ${b} have no order`)
}

/** The records by columns, and where they are the same by file and place in the file. */
function ordered(rows: readonly Archived[], ...columns: readonly string[]): readonly ExactRecord[] {
  const compareRows = (a: Archived, b: Archived) => {
    const differences = columns.map((column) => compare(a.record[column], b.record[column]))
    return (
      [...differences, compareBytes(a.file, b.file), a.ordinal - b.ordinal].find((sign) => sign !== 0) ?? 0
    )
  }
  return [...rows].sort(compareRows).map(({ record }) => record)
}

/** Of the rows with one key the last one counts. */
function latest(rows: readonly Archived[], key: string): readonly Archived[] {
  return [...new Map(rows.map((row) => [row.record[key], row])).values()]
}

/** Where an archive lies, and makers and hotspots. */
export interface Network {
  /** Has `blockchain-etl-export`. */
  readonly archive: string
  /** Has `makers.ndjson` and `hotspots.ndjson`. */
  readonly l2: string
}

/** The small network, as it lies in one folder. */
export function networkIn(folder: string): Network {
  return { archive: join(folder, 'l1-archive'), l2: join(folder, 'l2') }
}

/** All lists over a network. */
export function ledgerOperations({ archive, l2 }: Network): readonly ListOperation[] {
  const read = (folder: ArchiveFolder) => readArchive(archive, folder)
  const state = (folder: ArchiveFolder) => ordered(latest(read(folder), 'address'), 'address')
  const events = (folder: ArchiveFolder) => ordered(read(folder), 'block', 'transaction_hash')
  const ofHotspots: ListOperation['filters'] = {
    ...equal('owner asset_id ecc_key'),
    networks: ({ networks }, value) =>
      value.split(',').some((network) => (networks as readonly string[]).includes(network)),
    maker_id: ({ maker }, value) => (maker as ExactRecord | null)?.id === value,
    ...{ iot_location: inCell('iot_info'), mobile_location: inCell('mobile_info'), name: isNamed },
  }
  const ofTransactions = { ...equal('transaction_hash type'), block, from, to }
  const ofActors = { ...equal('actor_address actor_role transaction_hash'), block }
  const ofBurns = { ...equal('actor_address transaction_hash type'), block, from, to }
  const ofRewards = equal('account_address gateway_address transaction_hash type')
  const ofGateways = equal('address owner_address payer_address mode name location_hex')
  const hotspots = ordered(latest(readHotspots(l2), 'id'), 'name', 'asset_id')
  return [
    list('makers', ordered(latest(readMakers(l2), 'id'), 'name', 'address'), {}, 'address', 'Maker'),
    { ...list('hotspots', hotspots, ofHotspots, 'asset_id ecc_key', 'Hotspot'), envelope: 'records' },
    list('accounts', state('account_inventory'), equal('address'), 'address', 'Account'),
    list('transactions', events('transactions'), ofTransactions, 'transaction_hash', 'Transaction'),
    list('transaction_actors', events('transaction_actors'), ofActors),
    list('dc_burns', events('dc_burns'), ofBurns),
    list('gateways', state('gateway_inventory'), ofGateways, 'address', 'Gateway'),
    list('packets', events('packets'), { ...equal('gateway_address transaction_hash'), block, from, to }),
    list('rewards', events('rewards'), { ...ofRewards, block, from, to }),
  ]
}

const ofLayerTwo = ['makers', 'hotspots']

/** A list of `objects`, below the path of its layer; `keys` and `kind` where single records are found. */
function list(
  table: string,
  records: readonly ExactRecord[],
  filters: ListOperation['filters'],
  keys?: string,
  kind = '',
): ListOperation {
  const path = `/${ofLayerTwo.includes(table) ? 'l2' : 'l1'}/${table.replace('_', '-')}`
  return {
    ...{ table, path, envelope: 'objects', records, filters },
    ...(keys !== undefined && { lookup: { keys: words(keys), kind } }),
  }
}

/** The records that a query finds, in their order; a blank value is no filter. */
export function expectedRecords(
  operation: ListOperation,
  query: Readonly<Record<string, string>>,
): readonly ExactRecord[] {
  const asked = Object.entries(query).filter(([, value]) => value.trim() !== '')
  return operation.records.filter((record) =>
    asked.every(([name, value]) => (operation.filters[name] as Filter)(record, value)),
  )
}
