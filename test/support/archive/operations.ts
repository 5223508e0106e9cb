import { join } from 'node:path'
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

const equals =
  (column: string): Filter =>
  (record, value) =>
    record[column] === value
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

const integerEquals =
  (column: string): Filter =>
  (record, value) =>
    record[column] === BigInt(value)
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

const block = integerEquals('block')
const from: Filter = ({ time }, value) => {
  const { seconds, hasFraction } = secondsOf(value)
  return hasFraction ? (time as bigint) > seconds : (time as bigint) >= seconds
}
const to: Filter = ({ time }, value) => (time as bigint) <= secondsOf(value).seconds

const compareBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

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
  return [
    {
      table: 'makers',
      path: '/l2/makers',
      envelope: 'objects',
      records: ordered(latest(readMakers(l2), 'id'), 'name', 'address'),
      filters: {},
      lookup: { keys: ['address'], kind: 'Maker' },
    },
    {
      table: 'hotspots',
      path: '/l2/hotspots',
      envelope: 'records',
      records: ordered(latest(readHotspots(l2), 'id'), 'name', 'asset_id'),
      filters: {
        owner: equals('owner'),
        asset_id: equals('asset_id'),
        ecc_key: equals('ecc_key'),
        networks: ({ networks }, value) =>
          value.split(',').some((network) => (networks as readonly string[]).includes(network)),
        maker_id: ({ maker }, value) => (maker as ExactRecord | null)?.id === value,
        iot_location: inCell('iot_info'),
        mobile_location: inCell('mobile_info'),
        name: isNamed,
      },
      lookup: { keys: ['asset_id', 'ecc_key'], kind: 'Hotspot' },
    },
    {
      table: 'accounts',
      path: '/l1/accounts',
      envelope: 'objects',
      records: state('account_inventory'),
      filters: { address: equals('address') },
      lookup: { keys: ['address'], kind: 'Account' },
    },
    {
      table: 'transactions',
      path: '/l1/transactions',
      envelope: 'objects',
      records: events('transactions'),
      filters: { transaction_hash: equals('transaction_hash'), type: equals('type'), block, from, to },
      lookup: { keys: ['transaction_hash'], kind: 'Transaction' },
    },
    {
      table: 'transaction_actors',
      path: '/l1/transaction-actors',
      envelope: 'objects',
      records: events('transaction_actors'),
      filters: {
        actor_address: equals('actor_address'),
        actor_role: equals('actor_role'),
        transaction_hash: equals('transaction_hash'),
        block,
      },
    },
    {
      table: 'dc_burns',
      path: '/l1/dc-burns',
      envelope: 'objects',
      records: events('dc_burns'),
      filters: {
        actor_address: equals('actor_address'),
        transaction_hash: equals('transaction_hash'),
        type: equals('type'),
        block,
        from,
        to,
      },
    },
    {
      table: 'gateways',
      path: '/l1/gateways',
      envelope: 'objects',
      records: state('gateway_inventory'),
      filters: {
        address: equals('address'),
        owner_address: equals('owner_address'),
        payer_address: equals('payer_address'),
        mode: equals('mode'),
        name: equals('name'),
        location_hex: equals('location_hex'),
      },
      lookup: { keys: ['address'], kind: 'Gateway' },
    },
    {
      table: 'packets',
      path: '/l1/packets',
      envelope: 'objects',
      records: events('packets'),
      filters: {
        gateway_address: equals('gateway_address'),
        transaction_hash: equals('transaction_hash'),
        block,
        from,
        to,
      },
    },
    {
      table: 'rewards',
      path: '/l1/rewards',
      envelope: 'objects',
      records: events('rewards'),
      filters: {
        account_address: equals('account_address'),
        gateway_address: equals('gateway_address'),
        transaction_hash: equals('transaction_hash'),
        type: equals('type'),
        block,
        from,
        to,
      },
    },
  ]
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
