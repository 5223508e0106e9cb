import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeCsvPart } from '../../support/archive/csv.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { hotspot, iotReward, makeLake } from '../../support/lakes/make-lake.ts'
import { hotspotRecord, writeRecords } from '../../support/messages/record-files.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Two wallets as L1 and as L2 spell them. Source: computed with Python's integers and hashlib. */
const anna = {
  l1: '14XmxQRNJi1aKAfhuEHrct7HoncRgc5HifL42HY5NFyViJyC8WV',
  l2: 'F4iiNGyxbeLaxwKYXoY9ZWD5FAFmMN8p5zHVCGwGMxX5',
}
const bert = {
  l1: '13GLaMr3HaKH9kHxY5WoXB61w3CgxEcvNS1vDco1ZFnQQEbmm9k',
  l2: '3qoT7431mpkzYhTWuonDz6SxGyezCkfH1YrF3gnVdUQg',
}
/** Paid on L1 before it sold its only hotspot. */
const clara = {
  l1: '14M7XiPsXqxHnBX7aAxCYPfrW3YPgz24YJnZwRsPLbzfg4p4cWL',
  l2: 'DSDG9Qk7RiB5Mi76NaV5VmD5GXPvYE86DmsAnBC2yfQ1',
}
const NOBODY = 'HrKpsAniHzWxpHcNtXdCmtsZCgam3Bkx6UEERZWKd71A'

/** Anna has the first now and sold the second to Bert; nobody knows the third but the archive. */
const [first, second, third] = [1, 2, 3].map((number) => hotspot(number).text) as [string, string, string]
/** 2022-04-15T05:20:00Z. */
const april = '1650000000'
const rewards = [
  ['1000', '-hash', april, anna.l1, second, '123456789', 'poc_witness'],
  ['1000', '-hash', april, bert.l1, first, '5', 'poc_challenger'],
  ['1000', '-hash', april, bert.l1, second, '11', 'poc_challenger'],
  ['1001', 'hash-b', april, anna.l1, '1Wh4bh', '7', 'securities_reward'],
  ['1001', 'hash-b', april, clara.l1, third, '40', 'poc_witness'],
  ['1002', '_hash', april, anna.l1, first, '99', 'dc_rewards'],
  // A second before the month, and one after it.
  ['900', 'hash-c', '1648771199', anna.l1, first, '1000000', 'dc_rewards'],
  ['2000', 'hash-d', '1651363200', anna.l1, first, '2000000', 'dc_rewards'],
]

let cwd: string
let lake: string

beforeAll(async () => {
  cwd = await temporaryFolder()
  const made = await makeLake({
    'iot/iot_reward_share.1.gz': [
      iotReward('2025-01-02', 1, { beacon_amount: 5n }),
      iotReward('2025-01-02', 2, { beacon_amount: 600n }),
    ],
    'iot/iot_reward_share.2.gz': [iotReward('2025-01-03', 2, { beacon_amount: 7000n })],
  })
  lake = made.folder
  const hotspots = join(made.input, 'hotspots.ndjson')
  writeRecords(hotspots, [
    hotspotRecord('a', { ecc_key: first, owner: anna.l2, name: 'First' }),
    hotspotRecord('b', { ecc_key: second, owner: bert.l2, name: 'Second' }),
  ])
  const [paid, gateways] = [join(made.input, 'rewards'), join(made.input, 'gateway_inventory')]
  writeCsvPart(join(paid, 'data_0.csv.gz'), rewards)
  const nulls = [null, null, null]
  writeCsvPart(join(gateways, 'data_0.csv.gz'), [
    [third, bert.l1, ...nulls, '{}', '1', '2', '0', 'calm-old-fox', ...nulls.slice(1), '0', '12', ...nulls],
  ])
  const { failed, refusedRows } = await ingestInto(lake, [hotspots, paid, gateways])
  expect([failed, refusedRows]).toEqual([[], 0])
})

const month = ['--from', '2022-04-01', '--to', '2022-04-30']
const run = (out: string, ...args: string[]) =>
  runMain(['statement', ...args, '--lake', lake, '--out', out], { cwd })
const read = (out: string, name: string) => readFileSync(join(cwd, out, name), 'utf8')
const lines = (out: string, name = 'rewards-hnt.csv') => read(out, name).trimEnd().split('\n').slice(1)

async function write(out: string, ...args: string[]) {
  const { code, stderr } = await run(out, ...args)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(read(out, 'summary.json'))
}

const line = (key: string, name: string, type: string, bones: string, hnt: string, end: string) =>
  `2022-04-15,${key},${name},l1,${type},${bones},${hnt},,,,data_0.csv.gz,${end}`
const paid = (rows: number, earned: string, formatted: string) => ({
  rows,
  earned,
  formatted_earned: formatted,
})

describe('rewards of L1 in a statement of an owner', () => {
  it('are those paid to the account, even without a gateway or if the gateway has another owner now', async () => {
    const { owners, tokens, l1, totals, hotspots } = await write('anna', '--owner', anna.l2, ...month)
    expect(lines('anna')).toEqual([
      line(second, 'Second', 'poc_witness', '123456789', '1.23456789', `${anna.l1},1000,'-hash`),
      line('1Wh4bh', '', 'securities_reward', '7', '0.00000007', `${anna.l1},1001,hash-b`),
      line(first, 'First', 'dc_rewards', '99', '0.00000099', `${anna.l1},1002,_hash`),
    ])
    // 123456789 + 7 + 99, by hand.
    expect(tokens).toMatchObject([{ token: 'HNT', rows: 3, earned: '123456895' }])
    expect(totals).toContainEqual(
      expect.objectContaining({
        ...{ network: 'l1', account_address: anna.l1, earned: '123456895', hotspots: 3 },
        ...{ from: '2022-04-01T00:00:00Z', to: '2022-04-30T23:59:59Z' },
      }),
    )
    expect(hotspots).toMatchObject([{ hotspot_key: first, rows: 1, earned_on_l1: '99' }])
    expect(owners).toEqual([{ owner: anna.l2, account_address: anna.l1 }])
    expect(l1).toEqual({
      ...paid(3, '123456895', '1.23456895'),
      accounts: [
        { account_address: anna.l1, is_stated: true, hotspots: 3, ...paid(3, '123456895', '1.23456895') },
        { account_address: bert.l1, is_stated: false, hotspots: 1, ...paid(1, '5', '0.00000005') },
      ],
      other_gateways: [
        { gateway_address: second, hotspot_name: 'Second', ...paid(1, '123456789', '1.23456789') },
        { gateway_address: '1Wh4bh', hotspot_name: null, ...paid(1, '7', '0.00000007') },
      ].sort((a, b) => (a.gateway_address < b.gateway_address ? -1 : 1)),
    })
    expect(read('anna', 'summary.txt').split('\n')).toEqual(
      expect.arrayContaining([
        `Statement of owner ${anna.l2} (L1: ${anna.l1}), 2022-04-01 to 2022-04-30 (UTC)`,
        `  l1: not stated, since paid to account ${bert.l1} for its hotspots: 0.00000005 HNT (5 bones), 1 reward`,
        'Earned in HNT (rewards-hnt.csv)',
        '  in all   1.23456895 HNT (123456895 bones), USD unknown: no price, 3 rewards',
        `  to account ${anna.l1}: 1.23456895 HNT (123456895 bones), 3 rewards`,
      ]),
    )
  })

  it('are the same, byte for byte, in both spellings of the owner', async () => {
    await write('l2', '--owner', anna.l2, ...month)
    await write('l1', '--owner', anna.l1, ...month)
    for (const name of readdirSync(join(cwd, 'l2'))) expect(read('l1', name)).toBe(read('l2', name))
    const server = await buildTestServer(lake)
    const ask = (owner: string, file = '') =>
      server.get(`/statement${file}?owner=${owner}&from=2022-04-01&to=2022-04-30`)
    expect((await ask(anna.l1)).text).toBe((await ask(anna.l2)).text)
    expect((await ask(anna.l1, '/rewards-hnt.csv')).text).toBe(read('l2', 'rewards-hnt.csv'))
  })

  it('are all rewards of an owner without hotspots, and the notes say how to add sold ones', async () => {
    const { tokens, hotspots, notes } = await write('clara', '--owner', clara.l2, ...month)
    expect([tokens.length, hotspots]).toEqual([1, []])
    expect(lines('clara')).toEqual([
      line(third, 'calm-old-fox', 'poc_witness', '40', '0.0000004', `${clara.l1},1001,hash-b`),
    ])
    expect(notes.join(' ')).toMatch(/No hotspot belongs to the owner in this snapshot.*--keys-file/)
    const { code, stderr } = await run('nobody', '--owner', NOBODY, ...month)
    expect([code, stderr]).toEqual([1, expect.stringContaining(`has the address ${NOBODY}`)])
  })
})

describe('a statement of several owners', () => {
  it('has the hotspots and the accounts of all, each account once, in any order and spelling', async () => {
    const args = ['--owner', bert.l1, '--owner', anna.l2, '--owner', bert.l2]
    const { owners, l1, totals, hotspots } = await write('both owners', ...args, ...month)
    expect(owners).toEqual(
      [
        { owner: anna.l2, account_address: anna.l1 },
        { owner: bert.l2, account_address: bert.l1 },
      ].sort((a, b) => (a.owner < b.owner ? -1 : 1)),
    )
    // What Anna was paid, by hand as above, and 5 + 11 of Bert; nothing was paid to others.
    expect(l1).toMatchObject({ rows: 5, earned: String(123_456_895 + 16) })
    expect(
      l1.accounts.map((one: Record<string, unknown>) => [one.account_address, one.is_stated, one.earned]),
    ).toEqual([
      [bert.l1, true, '16'],
      [anna.l1, true, '123456895'],
    ])
    const ties = totals.filter(({ network }: { network: string }) => network === 'l1')
    expect(ties.map((tie: Record<string, unknown>) => [tie.account_address, tie.earned]).sort()).toEqual([
      [bert.l1, '16'],
      [anna.l1, '123456895'],
    ])
    expect(hotspots.map((one: Record<string, unknown>) => one.hotspot_key)).toEqual([first, second])
    expect(read('both owners', 'summary.txt')).toMatch(
      /^Statement of owners \S+ \(L1: \S+\) and \S+ \(L1: \S+\), 2022-04-01/,
    )
    await write('other order', '--owner', anna.l1, '--owner', bert.l2, ...month)
    for (const name of readdirSync(join(cwd, 'both owners')))
      expect(read('other order', name)).toBe(read('both owners', name))
  })

  it('is refused if one of them is unknown', async () => {
    const { code, stderr } = await run('unknown', '--owner', anna.l2, '--owner', NOBODY, ...month)
    expect([code, stderr]).toEqual([1, expect.stringContaining(`has the address ${NOBODY}. `)])
  })
})

describe('keys next to an owner', () => {
  it('may say when a hotspot was sold or bought', async () => {
    const days = ['--from', '2025-01-01', '--to', '2025-01-31']
    writeFileSync(join(cwd, 'words'), `${second}, sold 2025-01-01\n${first}, Bought 2025-01-02\n`)
    const { hotspots } = await write('by words', '--owner', anna.l2, '--keys-file', 'words', ...days)
    expect(hotspots).toMatchObject([
      { hotspot_key: first, from: '2025-01-02', to: '2025-01-31', rows: 0 },
      { hotspot_key: second, from: '2025-01-01', to: '2025-01-01', rows: 1 },
    ])
    writeFileSync(join(cwd, 'words'), `${second},sold 2025-01-31,bought 2025-01-02\n`)
    const bought = await write('both words', '--owner', anna.l2, '--keys-file', 'words', ...days)
    expect(bought.hotspots).toMatchObject([{ rows: 1 }, { from: '2025-01-02', to: '2025-01-31', rows: 1 }])
  })

  it.each([
    ['sold yesterday', 'has "yesterday"; write a day as in 2025-07-01'],
    ['2025-01-01,sold 2025-01-02', 'mixes days with and without a word'],
    ['sold 2025-01-01,sold 2025-01-02', 'mixes days with and without a word'],
    ['bought 2025-02-01,sold 2025-01-01', 'ends on 2025-01-01, before it begins on 2025-02-01'],
  ])('are refused with %s', async (cells, sentence) => {
    writeFileSync(join(cwd, 'wrong'), `${second},${cells}\n`)
    const { code, stderr } = await run('wrong words', '--owner', anna.l2, '--keys-file', 'wrong', ...month)
    expect([code, stderr]).toEqual([2, expect.stringContaining(`Line 1 of wrong ${sentence}`)])
  })

  it('limit the days of the named hotspots, and other hotspots of the owner count on all days', async () => {
    writeFileSync(join(cwd, 'sold'), `${second},,2025-01-01\n`)
    const days = ['--from', '2025-01-01', '--to', '2025-01-31']
    const { hotspots } = await write('sold-one', '--owner', anna.l2, '--keys-file', 'sold', ...days)
    expect(hotspots).toMatchObject([
      { hotspot_key: first, from: '2025-01-01', to: '2025-01-31', rows: 1 },
      { hotspot_key: second, from: '2025-01-01', to: '2025-01-01', rows: 1 },
    ])
    // What it earned on 1 January; the 7000 of 2 January are those of the next owner.
    expect(lines('sold-one', 'rewards-unknown-iot.csv').map((one) => one.split(',')[5])).toEqual(['5', '600'])
    writeFileSync(join(cwd, 'bought'), `${first},2025-02-01\n`)
    const later = await write('bought-later', '--owner', anna.l2, '--keys-file', 'bought', ...days)
    expect([later.hotspots, later.tokens]).toEqual([[], []])
  })

  it('leave rewards of L1 to the account', async () => {
    writeFileSync(join(cwd, 'all'), `${second},,2022-04-01\n${second},2022-04-20\n`)
    const { hotspots, tokens, l1 } = await write('both', '--owner', anna.l2, '--keys-file', 'all', ...month)
    expect(tokens).toMatchObject([{ earned: '123456895' }])
    expect(hotspots.map((one: Record<string, unknown>) => one.earned_on_l1)).toEqual(['99', '123456789', '0'])
    // On 15 April the second was not held.
    expect(l1.accounts).toMatchObject([{ is_stated: true }, { account_address: bert.l1, earned: '5' }])
  })
})

describe('rewards of L1 in a statement of keys', () => {
  it('count the rewards of the gateways and list the paid accounts', async () => {
    writeFileSync(join(cwd, 'keys'), `${second}\n`)
    const { l1, tokens, totals } = await write('keyed', '--keys-file', 'keys', ...month)
    expect(tokens).toMatchObject([{ rows: 2, earned: '123456800' }])
    expect(l1).toEqual({
      ...paid(2, '123456800', '1.234568'),
      accounts: [
        { account_address: bert.l1, is_stated: true, hotspots: 1, ...paid(1, '11', '0.00000011') },
        { account_address: anna.l1, is_stated: true, hotspots: 1, ...paid(1, '123456789', '1.23456789') },
      ],
      other_gateways: [],
    })
    expect(totals).toContainEqual(
      expect.objectContaining({ network: 'l1', account_address: null, earned: '123456800' }),
    )
  })
})
