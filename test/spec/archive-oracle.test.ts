import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isInside } from '../support/archive/cells.ts'
import { parseCsv } from '../support/archive/csv.ts'
import { expectedRecords, ledgerOperations, networkIn } from '../support/archive/operations.ts'
import { type ExactRecord, readArchiveRows } from '../support/archive/records.ts'
import { Fraction, readExact } from '../support/exact-json.ts'
import { smallNetwork } from '../support/fixtures.ts'

interface Expected {
  readonly counts: Readonly<Record<string, bigint>>
  readonly samples: Readonly<Record<string, readonly ExactRecord[]>>
}

const expected = readExact<Expected>(readFileSync(join(smallNetwork, 'expected.json'), 'utf8'))
const operations = ledgerOperations(networkIn(smallNetwork))
const operationOf = (table: string) => {
  const operation = operations.find((candidate) => candidate.table === table)
  if (operation === undefined) throw new Error(`no list of ${table}`)
  return operation
}

describe('the CSV reader of the tests', () => {
  it('tells an empty cell from an empty text', () => {
    expect(parseCsv('a,,""\n')).toEqual([['a', null, '']])
  })

  it('reads quotes, commas and line breaks inside of quotes, and both kinds of line break', () => {
    expect(parseCsv('"{""a"": 1,\r\n 2}",b\r\n"""",\n')).toEqual([
      ['{"a": 1,\r\n 2}', 'b'],
      ['"', null],
    ])
  })

  it.each([
    ['a quote inside of a cell', 'a"b\n'],
    ['a quote that is not closed', '"ab\n'],
    ['text after a closing quote', '"a"b\n'],
    ['a carriage return by itself', 'a\rb\n'],
    ['a last line without a break', 'a,b'],
    ['an end after a comma', 'a,'],
  ])('refuses %s', (_, text) => {
    expect(() => parseCsv(text)).toThrow()
  })
})

it('cells of the tests hold what lies in them, at their own resolution and below it', () => {
  const children = [632_393_293_822_782_975n, 632_393_293_822_779_903n]
  const stranger = 631_608_639_383_981_055n
  const ancestor = 623_386_094_568_046_591n

  expect([...children, stranger].map((cell) => isInside(cell, ancestor))).toEqual([true, true, false])
  expect(children.map((cell) => isInside(cell, children[0] as bigint))).toEqual([true, false])
  expect(isInside(632_393_293_822_782_463n, 636_896_893_450_152_703n)).toBe(true)
})

describe('the expected lists', () => {
  it.each(operations.map(({ table, records }) => [table, records.length] as const))(
    'have as many %s as were written',
    (table, count) => {
      expect(BigInt(count)).toBe(expected.counts[table])
    },
  )

  it.each([
    ['accounts', 'account_inventory'],
    ['gateways', 'gateway_inventory'],
    ['transactions', 'transactions'],
    ['transaction_actors', 'transaction_actors'],
    ['packets', 'packets'],
    ['rewards', 'rewards'],
    ['dc_burns', 'dc_burns'],
  ] as const)('begin with the sampled %s, cell by cell', (table, folder) => {
    const samples = expected.samples[table] as readonly ExactRecord[]
    const rows = readArchiveRows(join(smallNetwork, 'l1-archive'), folder)
    const asText = (sample: ExactRecord) =>
      Object.fromEntries(
        Object.entries(sample).map(([name, value]) => [
          name,
          value === null ? null : value instanceof Fraction ? value.digits : String(value),
        ]),
      )
    expect(samples).toHaveLength(3)
    expect(rows.slice(0, 3).map(({ cells }) => cells)).toEqual(samples.map(asText))
  })

  it('have every value in the form of the interface', () => {
    const byAddress = (table: string, address: string) =>
      operationOf(table).records.find((record) => record.address === address)
    expect(byAddress('accounts', '14Ei6vpwe3XzNbrfYNrezqFpUavLTuANgqinDCTo2YUXjHzW27j')).toMatchObject({
      balance: 9_007_199_254_740_993n,
      security_balance: 0n,
    })
    expect(byAddress('gateways', '144k13PXBVc7sRUkC3T6pb2pB9x974rs1CuLXdRzDqieGpY7nnY')).toEqual({
      address: '144k13PXBVc7sRUkC3T6pb2pB9x974rs1CuLXdRzDqieGpY7nnY',
      owner_address: '14s4Bjbma5X7Z5FwT5H4UWST6ur6DrdS2UixcGKgC5Ed2BHLA2e',
      payer_address: '1473tKWRrPmTtW57PkWVQUW1bDQbJGjn2XVYED9VxEKtnqMTAXg',
      location: '8c12b14039967ff',
      location_hex: '8812b14039fffff',
      last_poc_challenge: null,
      last_poc_onion_key_hash: 'Ugak3LZDj6A6-OnX6S3JvXT1kQ4HEs9awtT14_ZJqo0',
      witnesses: {},
      first_block: 742_888n,
      last_block: 1_060_708n,
      nonce: 3n,
      name: 'word-1-hotspot',
      first_timestamp: '2021-02-11T10:00:00Z',
      reward_scale: new Fraction('0.85'),
      elevation: 19n,
      gain: 40n,
      mode: 'full',
    })
    const fields = { type: 'payment_v2', fee: 54_578n, note: 'quotes "and", commas' }
    const [transaction] = expectedRecords(operationOf('transactions'), {
      transaction_hash: 'uFGsD7A6VTXVKOZxTBdP7lyDwp4za75063A9SsbK7fA',
    })
    expect(transaction).toMatchObject({ block: 500_000n, type: 'payment_v2', time: 1_600_000_207n, fields })
  })

  it('have hotspots with all members of both kinds of info, null where the network is not theirs', () => {
    const [hotspot] = expectedRecords(operationOf('hotspots'), {
      ecc_key: '11HuoVDBLzywFC2mV6iuBBNxeja2e56hqnvh41PyqMnzomYdeeP',
    })
    expect(hotspot).toMatchObject({ maker: null, networks: ['iot'], iot_info: { elevation: 7n } })
    expect(Object.values(hotspot?.mobile_info ?? {})).toEqual(Array(10).fill(null))
  })

  it('are ordered by bytes, and ties by their place in the file', () => {
    const packets = operationOf('packets').records.map(({ block, transaction_hash }) => [
      block,
      transaction_hash,
    ])
    const hashes = packets.filter(([block]) => block === 500_006n).map(([, hash]) => hash)
    expect(hashes).toEqual(
      [...hashes].sort((a, b) => Buffer.compare(Buffer.from(`${a}`), Buffer.from(`${b}`))),
    )
    expect(hashes.length).toBeGreaterThan(1)
    const rewards = operationOf('rewards').records
    const hash = 'TZQANGn-r6tA5FjX1-NUC2TQF-2o2rFMg_7_MbGBPzk'
    const amounts = rewards
      .filter(({ transaction_hash }) => transaction_hash === hash)
      .map(({ amount }) => amount)
    expect(amounts.slice(0, 3)).toEqual([94_404_696n, 918_032_350n, 438_304_826n])
  })

  it('hold times from both ends of a range, and compare fractions exactly', () => {
    const transactions = operationOf('transactions')
    const count = (query: Readonly<Record<string, string>>) => expectedRecords(transactions, query).length
    // 1600000030 is the time of the first transaction, and 1600000094 that of the second.
    expect(count({ to: '2020-09-13T12:27:10Z' })).toBe(1)
    expect(count({ to: '2020-09-13T12:27:09.999Z' })).toBe(0)
    expect(count({ from: '2020-09-13T12:27:10' })).toBe(360)
    expect(count({ from: '2020-09-13T14:27:10.000000000001+02:00' })).toBe(359)
    expect(count({ from: '2020-09-13T12:27:11Z', to: '2020-09-13T12:28:14Z' })).toBe(1)
    expect(count({ from: '2020-09-13', to: '2020-09-14' })).toBe(
      360 - count({ from: '2020-09-14T00:00:01Z' }),
    )
  })

  it('find any of several networks, and ignore blank values', () => {
    const hotspots = operationOf('hotspots')
    const count = (query: Readonly<Record<string, string>>) => expectedRecords(hotspots, query).length
    expect(count({ networks: 'iot' })).toBe(80)
    expect(count({ networks: 'iot,mobile' })).toBe(120)
    expect(count({ networks: ' ', owner: '' })).toBe(120)
    expect(count({ networks: 'nobody' })).toBe(0)
  })
})
