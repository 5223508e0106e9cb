import { join } from 'node:path'
import { cellToParent, getResolution, isValidCell } from 'h3-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LedgerSummary, writeSampleLedger } from '../../../src/write/sample/ledger/write-ledger.ts'
import { writeHotspots } from '../../../src/write/sample/write-hotspots.ts'
import type { CsvRow } from '../../support/archive/csv.ts'
import {
  type ArchiveFolder,
  archiveFolders,
  type Exact,
  type ExactRecord,
  readArchive,
  readArchiveRows,
  readHotspots,
  readMakers,
} from '../../support/archive/records.ts'
import { base58checkOf, rawOf } from '../../support/messages/wire-by-hand.ts'
import { some } from '../../support/some.ts'
import { makeFolder } from '../../support/temporary-folder.ts'

/** Every row of a small archive, read by the readers of the tests. */

const TRANSACTIONS = 6000
const HOTSPOTS = 1500
const rolesOf: Readonly<Record<string, readonly string[]>> = {
  poc_receipts_v1: ['challengee', 'challenger', 'witness'],
  poc_receipts_v2: ['challengee', 'challenger', 'validator', 'witness'],
  rewards_v1: ['payee', 'reward_gateway'],
  rewards_v2: ['payee', 'reward_gateway'],
  state_channel_close_v1: ['owner', 'packet_receiver', 'payee', 'sc_closer'],
  state_channel_open_v1: ['owner', 'payer', 'sc_opener'],
  payment_v1: ['payee', 'payer'],
  payment_v2: ['payee', 'payer'],
  price_oracle_v1: ['oracle'],
  add_gateway_v1: ['gateway', 'owner', 'payer'],
  assert_location_v1: ['gateway', 'owner', 'payer'],
  assert_location_v2: ['gateway', 'owner', 'payer'],
  transfer_hotspot_v1: ['gateway', 'owner', 'payee', 'payer'],
  transfer_hotspot_v2: ['gateway', 'owner', 'payer'],
  consensus_group_v1: ['consensus_member'],
  poc_request_v1: ['challenger'],
  validator_heartbeat_v1: ['validator'],
  stake_validator_v1: ['owner', 'validator'],
  token_burn_v1: ['payee', 'payer'],
  create_htlc_v1: ['escrow', 'payee', 'payer'],
  oui_v1: ['owner', 'payer', 'router'],
  routing_v1: ['owner', 'router'],
  vars_v1: [],
}

let made: { folder: string; remove: () => Promise<void> }
let summary: LedgerSummary
let tables: Readonly<Record<ArchiveFolder, readonly ExactRecord[]>>
let transactions: ReadonlyMap<Exact | undefined, ExactRecord>

beforeAll(async () => {
  made = await makeFolder()
  summary = await writeSampleLedger({
    transactions: TRANSACTIONS,
    hotspots: HOTSPOTS,
    seed: 11,
    out: made.folder,
    partRows: 7001,
  })
  await writeHotspots({ hotspots: HOTSPOTS, seed: 11, out: made.folder })
  const read = archiveFolders.map((folder) => [folder, recordsOf(folder)])
  tables = Object.fromEntries(read)
  transactions = new Map(tables.transactions.map((record) => [record.transaction_hash, record]))
})
afterAll(() => made.remove())

const recordsOf = (folder: ArchiveFolder) => readArchive(made.folder, folder).map(({ record }) => record)
const rowsOf = (folder: ArchiveFolder): readonly CsvRow[] => readArchiveRows(made.folder, folder)
const sumOf = (records: readonly ExactRecord[], column: string) =>
  records.reduce((sum, record) => sum + (record[column] as bigint), 0n)
const valuesOf = (records: readonly ExactRecord[], column: string) =>
  new Set(records.map((record) => record[column]))
const shareOf = (records: readonly ExactRecord[], isOne: (record: ExactRecord) => boolean) =>
  records.filter(isOne).length / records.length
const dayOf = (seconds: Exact | undefined) => new Date(Number(seconds) * 1000).toISOString().slice(0, 10)

describe('the tables', () => {
  it('have the rows and the sums of the summary', () => {
    for (const folder of archiveFolders) expect(tables[folder]).toHaveLength(summary.rows[folder])
    expect(summary.sums).toEqual({
      rewards: { amount: sumOf(tables.rewards, 'amount') },
      packets: {
        num_packets: sumOf(tables.packets, 'num_packets'),
        num_dcs: sumOf(tables.packets, 'num_dcs'),
      },
      dc_burns: { amount: sumOf(tables.dc_burns, 'amount') },
    })
  })

  it('have only addresses with a valid checksum', () => {
    const columns = {
      account_inventory: ['address'],
      gateway_inventory: ['address', 'owner_address', 'payer_address'],
      transaction_actors: ['actor_address'],
      packets: ['gateway_address'],
      rewards: ['account_address', 'gateway_address'],
      dc_burns: ['actor_address'],
    } as const
    const named = Object.entries(columns).flatMap(([folder, own]) =>
      own.flatMap((column) => [...valuesOf(tables[folder as ArchiveFolder], column)]),
    )
    const addresses = new Set(named.filter((value) => value !== null) as string[])
    const wrong = [...addresses].filter((address) => base58checkOf(rawOf(address)) !== address)
    expect(wrong).toEqual([])
    const lengths = [...addresses].map((address) => rawOf(address).length)
    expect(lengths.filter((length) => length !== 33)).toEqual([0])
    expect(addresses.size).toBeGreaterThan(2000)
  })

  it('refer to existing transactions, with their block and time', () => {
    for (const folder of ['transaction_actors', 'packets', 'rewards', 'dc_burns'] as const) {
      const lost = tables[folder].filter(({ transaction_hash, block, time }) => {
        const transaction = transactions.get(transaction_hash)
        return transaction?.block !== block || (time !== undefined && transaction?.time !== time)
      })
      expect(lost).toEqual([])
    }
  })
})

describe('transactions', () => {
  it('have unique hashes of 32 bytes, in the order of the blocks', () => {
    expect(transactions.size).toBe(TRANSACTIONS)
    const hashes = tables.transactions.map(({ transaction_hash }) => transaction_hash as string)
    const strange = hashes.filter((hash) => Buffer.from(hash, 'base64url').toString('base64url') !== hash)
    expect(strange).toEqual([])
    expect(new Set(hashes.map((hash) => hash.length))).toEqual(new Set([43]))
    const blocks = tables.transactions.map(({ block }) => block as bigint)
    expect(blocks.filter((block, at) => at > 0 && block < (blocks[at - 1] as bigint))).toEqual([])
    const first = hashes.filter((_, at) => blocks[at] === blocks[0])
    expect(first.length).toBeGreaterThan(1)
    expect(first).not.toEqual([...first].sort())
  })

  it('cover every month of the life of the chain, and every hundred thousand blocks', () => {
    const months = new Set(tables.transactions.map(({ time }) => dayOf(time).slice(0, 7)))
    expect(months.size).toBe(46)
    const days = tables.transactions.map(({ time }) => dayOf(time))
    expect([days[0], days.at(-1)]).toEqual(['2019-07-29', '2023-04-17'])
    expect(new Set(tables.transactions.map(({ block }) => (block as bigint) / 100_000n)).size).toBe(19)
  })

  it('have blocks about a minute apart', () => {
    const times = new Map(tables.transactions.map(({ block, time }) => [block as bigint, time as bigint]))
    const gaps = [...times].flatMap(([block, time]) => {
      const next = times.get(block + 1n)
      return next === undefined ? [] : [Number(next - time)]
    })
    expect(gaps.length).toBeGreaterThan(1000)
    expect([Math.min(...gaps), Math.max(...gaps)].map((gap) => gap > 40 && gap < 90)).toEqual([true, true])
  })

  it('are challenge receipts in about 85 of 100 cases, and have every other type', () => {
    expect(valuesOf(tables.transactions, 'type')).toEqual(new Set(Object.keys(rolesOf)))
    const receipts = shareOf(tables.transactions, ({ type }) => `${type}`.startsWith('poc_receipts'))
    expect(Math.abs(receipts - 0.85)).toBeLessThan(0.05)
  })

  it('have fields that are an object with their own type and hash, nested members and integers beyond 2^53', () => {
    const rows = rowsOf('transactions').map(({ cells }) => `${cells.fields}`)
    const lengths = rows.map((row) => row.length).sort((a, b) => a - b)
    expect(lengths[0]).toBeGreaterThanOrEqual(150)
    expect(lengths[Math.floor(lengths.length * 0.75)]).toBeLessThanOrEqual(600)
    expect(rows.filter((row) => row.includes('\n')).length).toBe(
      tables.transactions.filter(({ type }) => type === 'vars_v1').length,
    )
    const alike = tables.transactions.filter(({ fields, type, transaction_hash }) => {
      const members = fields as ExactRecord
      return members.type === type && members.hash === transaction_hash
    })
    expect(alike).toHaveLength(TRANSACTIONS)
    const path = (record: ExactRecord) =>
      (record.fields as { path: readonly { receipt: ExactRecord }[] }).path
    const receipts = tables.transactions.filter(({ type }) => `${type}`.startsWith('poc_receipts'))
    const late = receipts.filter((record) => (path(record)[0]?.receipt.timestamp as bigint) > 2n ** 53n)
    expect(late).toHaveLength(receipts.length)
  })

  it('have no actor twice in one role, and some in several roles', () => {
    const keys = tables.transaction_actors.map(
      ({ transaction_hash, actor_address, actor_role }) =>
        `${transaction_hash} ${actor_address} ${actor_role}`,
    )
    expect(new Set(keys).size).toBe(keys.length)
    const pairs = keys.map((key) => key.slice(0, key.lastIndexOf(' ')))
    expect(new Set(pairs).size).toBeLessThan(pairs.length - 100)
    const roles = new Map<string, Set<string>>(Object.keys(rolesOf).map((type) => [type, new Set()]))
    for (const { transaction_hash, actor_role } of tables.transaction_actors) {
      roles.get(transactions.get(transaction_hash)?.type as string)?.add(actor_role as string)
    }
    const sorted = [...roles].map(([type, own]) => [type, [...own].sort()])
    expect(Object.fromEntries(sorted)).toEqual(rolesOf)
  })
})

describe('rewards, packets and burns', () => {
  it('reward once for each epoch of 30 blocks, with every type, and the placeholder for securities', () => {
    const paying = new Set(tables.rewards.map(({ transaction_hash }) => transaction_hash))
    const types = [...paying].map((hash) => transactions.get(hash)?.type as string)
    expect(new Set(types)).toEqual(new Set(['rewards_v1', 'rewards_v2']))
    const epochs = new Set(tables.transactions.map(({ block }) => ((block as bigint) - 1n) / 30n))
    expect(paying.size).toBe(epochs.size)
    expect(valuesOf(tables.rewards, 'type')).toEqual(
      new Set([
        'poc_challenger',
        'poc_challengee',
        'poc_witness',
        'dc_rewards',
        'consensus_rewards',
        'securities_reward',
      ]),
    )
    const placeless = tables.rewards.filter(({ gateway_address }) => gateway_address === '1Wh4bh')
    expect(valuesOf(placeless, 'type')).toEqual(new Set(['securities_reward']))
    expect(placeless).toHaveLength(tables.rewards.filter(({ type }) => type === 'securities_reward').length)
  })

  it('pay a few accounts often and most of them rarely', () => {
    const counts = new Map<Exact | undefined, number>()
    for (const { account_address } of tables.rewards) {
      counts.set(account_address, (counts.get(account_address) ?? 0) + 1)
    }
    const sorted = [...counts.values()].sort((a, b) => b - a)
    const largest = (sorted[0] as number) / tables.rewards.length
    expect([largest > 0.1, largest < 0.3]).toEqual([true, true])
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(tables.rewards.length / 400)
  })

  it('have packets of closed state channels only, at least a credit each', () => {
    const types = new Set(
      tables.packets.map(({ transaction_hash }) => transactions.get(transaction_hash)?.type),
    )
    expect(types).toEqual(new Set(['state_channel_close_v1']))
    expect(
      tables.packets.filter(({ num_packets, num_dcs }) => Number(num_packets) > Number(num_dcs)),
    ).toEqual([])
  })

  it('include burns for every purpose, at a price that is unknown at first', () => {
    expect(valuesOf(tables.dc_burns, 'type')).toEqual(
      new Set(['fee', 'state_channel', 'assert_location', 'add_gateway', 'oui', 'routing']),
    )
    const unknown = rowsOf('dc_burns').map(({ cells }) => cells.oracle_price === null)
    expect(unknown).toEqual(unknown.map((_, at) => at < unknown.indexOf(false)))
    expect(unknown.indexOf(false)).toBeGreaterThan(0)
  })
})

describe('accounts and gateways', () => {
  it('have balances up to 6e14, some beyond 2^53, and empty cells among the later columns', () => {
    const balances = tables.account_inventory.map(({ balance }) => balance as bigint)
    expect(balances[0]).toBe(600_000_000_000_000n)
    expect(balances.filter((balance) => balance > 2n ** 53n)).not.toEqual([])
    const empty = rowsOf('account_inventory').map(({ cells }) => cells.mobile_balance === null)
    expect(new Set(empty)).toEqual(new Set([true, false]))
  })

  it('have unique addresses, and accounts own the gateways', () => {
    const accounts = valuesOf(tables.account_inventory, 'address')
    expect(accounts.size).toBe(TRANSACTIONS / 5)
    expect(valuesOf(tables.gateway_inventory, 'address').size).toBe(TRANSACTIONS / 5)
    const strangers = tables.gateway_inventory.filter(
      ({ owner_address }) => !accounts.has(owner_address as string),
    )
    expect(strangers).toEqual([])
  })

  it('have cells of resolution 12 with their ancestor of resolution 8, or neither', () => {
    const { gateway_inventory } = tables
    const placed = gateway_inventory.filter(({ location }) => location !== null)
    const unplaced = gateway_inventory.filter(({ location }) => location === null)
    expect(placed.filter(({ location }) => !isLocation(`${location}`))).toEqual([])
    const parents = placed.map(({ location }) => cellToParent(`${location}`, 8))
    expect(placed.map(({ location_hex }) => location_hex)).toEqual(parents)
    expect(unplaced.filter(({ location_hex }) => location_hex !== null)).toEqual([])
    expect(unplaced.length).toBeGreaterThan(10)
    expect(new Set(parents).size).toBeLessThan(placed.length / 2)
  })

  it('have every mode, and some empty cells where that is allowed', () => {
    const { gateway_inventory } = tables
    expect(valuesOf(gateway_inventory, 'mode')).toEqual(new Set(['full', 'light', 'dataonly']))
    const optional = ['payer_address', 'reward_scale', 'last_poc_challenge', 'last_poc_onion_key_hash']
    for (const column of optional) {
      const share = shareOf(gateway_inventory, (record) => record[column] === null)
      expect([column, share > 0.1, share < 0.6]).toEqual([column, true, true])
    }
    const scales = rowsOf('gateway_inventory').map(({ cells }) => cells.reward_scale ?? '')
    const decimals = scales.map((scale) => scale.length - '0.'.length)
    expect(Math.max(...decimals)).toBe(15)
    const witnessed = shareOf(
      gateway_inventory,
      ({ witnesses }) => Object.keys(witnesses as object).length > 0,
    )
    expect([witnessed > 0, witnessed < 0.1]).toEqual([true, true])
  })
})

describe('makers and hotspots', () => {
  it('have every device, and a location on each of their networks', () => {
    const hotspots = readHotspots(join(made.folder, 'l2')).map(({ record }) => record)
    expect(hotspots).toHaveLength(HOTSPOTS)
    const info = (hotspot: ExactRecord, name: string) => hotspot[name] as ExactRecord
    expect(new Set(hotspots.map((hotspot) => info(hotspot, 'mobile_info').device_type))).toEqual(
      new Set([null, 'cbrs', 'wifi_indoor', 'wifi_outdoor', 'wifi_data_only']),
    )
    const locations = hotspots.flatMap((hotspot) =>
      [info(hotspot, 'iot_info').location, info(hotspot, 'mobile_info').location].filter(
        (cell) => cell !== null,
      ),
    ) as bigint[]
    for (const cell of some(locations)) expect(isLocation(cell.toString(16)), String(cell)).toBe(true)
  })

  it('have unique ids and keys, and seventy makers', () => {
    const hotspots = readHotspots(join(made.folder, 'l2')).map(({ record }) => record)
    for (const column of ['id', 'asset_id', 'ecc_key']) {
      expect(valuesOf(hotspots, column).size).toBe(hotspots.length)
    }
    const makers = readMakers(join(made.folder, 'l2')).map(({ record }) => record)
    expect(valuesOf(makers, 'id').size).toBe(70)
  })
})

function isLocation(cell: string): boolean {
  return isValidCell(cell) && getResolution(cell) === 12
}
