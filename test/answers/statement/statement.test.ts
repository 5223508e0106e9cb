import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { hotspot, iotReward, type MadeLake } from '../../support/lakes/make-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { networks, withoutRewards } from '../../support/specified.ts'
import { makeStatementLake } from '../../support/statement/made-network.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

// Keys sort in the order of their numbers.
const [one, two, three] = [1, 2, 3].map((number) => hotspot(number).text)
const header =
  'date,hotspot_key,hotspot_name,network,reward_type,earned,formatted_earned,oracle_price_usd,usd,epoch,source_file,account_address,block,transaction_hash'

let cwd: string
let made: MadeLake
let server: TestServer

beforeAll(async () => {
  cwd = await temporaryFolder()
  made = await makeStatementLake()
  const { folder } = made
  server = await buildTestServer(folder)
  run = (...args) => runMain(['statement', ...args, '--lake', folder], { cwd })
})

let run: (...args: string[]) => ReturnType<typeof runMain>

const read = (out: string, name: string) => readFileSync(join(cwd, out, name), 'utf8')
const lines = (out: string, name: string) => read(out, name).trimEnd().split('\n')

async function write(out: string, ...args: string[]) {
  const { code, stderr } = await run(...args, '--out', out)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(read(out, 'summary.json'))
}

const ofA = ['--owner', 'owner-a', '--year', '2025', '--tz', 'Europe/Berlin']

describe('a statement of an owner', () => {
  it('has a line for each reward of the days of its zone, in a file for each token', async () => {
    await write('year', ...ofA)
    expect(readdirSync(cwd).filter((name) => name.startsWith('year'))).toEqual(['year'])
    expect(readdirSync(join(cwd, 'year')).sort()).toEqual([
      'rewards-hnt.csv',
      'rewards-iot.csv',
      'rewards-mobile.csv',
      'rewards-unknown-iot.csv',
      'summary.html',
      'summary.json',
      'summary.txt',
    ])
    expect(lines('year', 'rewards-iot.csv')).toEqual([
      header,
      `2025-01-01,${one},Hotspot a1,iot,gateway_reward,7,0.000007,0.004,0.000000028,20088,iot_reward_share.1.gz,,,`,
      `2025-01-01,${one},Hotspot a1,iot,gateway_reward,1500011,1.500011,0.0025,0.0037500275,20089,iot_reward_share.2.gz,,,`,
    ])
    expect(lines('year', 'rewards-hnt.csv')).toEqual([
      header,
      `2025-12-31,${one},Hotspot a1,iot,gateway_reward,20,0.0000002,,,20453,iot_reward_share.5.gz,,,`,
      `2025-03-30,${two},"Two, of ""A""",iot,gateway_reward,11,0.00000011,2.5,0.000000275,20177,iot_reward_share.3.gz,,,`,
      `2025-03-30,${two},"Two, of ""A""",iot,gateway_reward,123456789,1.23456789,2.5,3.086419725,20177,iot_reward_share.3.gz,,,`,
    ])
    expect(lines('year', 'rewards-mobile.csv')).toEqual([
      header,
      `2025-02-14,${one},Hotspot a1,mobile,gateway_reward,3,0.000003,0.001,0.000000003,20133,mobile_reward_share.6.gz,,,`,
      `2025-02-14,${one},Hotspot a1,mobile,radio_reward_v2,120,0.00012,0.001,0.00000012,20133,mobile_reward_share.6.gz,,,`,
    ])
    expect(lines('year', 'rewards-unknown-iot.csv')).toEqual([
      header,
      `2025-06-01,${two},"Two, of ""A""",iot,gateway_reward,77,,,,,iot_reward_share.4.gz,,,`,
    ])
  })

  it.each([
    [['--month', '2025-03'], ['--from', '2025-03-01', '--to', '2025-03-31'], 2],
    [['--first-day', '2025-03', '--last-day', '2025-12'], ['--from', '2025-03-01', '--to', '2025-12-31'], 4],
  ] as const)('of %j has the rewards of the same days as that of %j', async (asMonth, asDays, rewards) => {
    const of = async (out: string, days: readonly string[]) => {
      await write(out, '--owner', 'owner-a', '--tz', 'Europe/Berlin', ...days)
      return Object.fromEntries(readdirSync(join(cwd, out)).map((name) => [name, read(out, name)]))
    }
    const byMonth = await of(`by month ${rewards}`, asMonth)
    expect(byMonth).toEqual(await of(`by days ${rewards}`, asDays))
    const files = Object.entries(byMonth).filter(([name]) => name.endsWith('.csv'))
    const rows = files.reduce((sum, [, text]) => sum + text.trimEnd().split('\n').length - 1, 0)
    expect(rows).toBe(rewards)
  })

  it('refuses a month next to a year or days, and names both flags', async () => {
    const { code, stderr } = await run(
      '--owner',
      'owner-a',
      '--month',
      '2025-03',
      '--year',
      '2025',
      '--out',
      'two',
    )
    expect(code).toBe(2)
    expect(stderr).toMatch(/'--month <MONTH>' cannot be used with option '--year/)
  })

  it('adds the dollars of all tokens, and names the days without a price', async () => {
    const { all_tokens: all } = await write('dollars', ...ofA)
    // 0.0037500555 + 3.08642 + 0.000000123, by hand.
    expect(all).toEqual({ rows: 8, usd: null, usd_of_priced: '3.0901701785' })
    const text = read('dollars', 'summary.txt')
    expect(text).toContain(
      [
        '',
        'All tokens: 3.0901701785 USD',
        '  USD unknown: no price for 2025-12-31 (HNT)',
        '  USD unknown: no price for 2025-06-01 (an unknown token of the IoT network)',
        '',
      ].join('\n'),
    )
    expect(text).toContain(
      '  2025-12  0.0000002 HNT (20 bones), USD unknown: no price, 1 reward\n' +
        '  in all   1.2345682 HNT (123456820 bones), 3.08642 USD, and USD unknown for 0.0000002 HNT without a price, 3 rewards\n',
    )
    const priced = await write('all priced', '--owner', 'owner-a', '--month', '2025-03')
    expect(priced.all_tokens).toEqual({ rows: 2, usd: '3.08642', usd_of_priced: '3.08642' })
    expect(read('all priced', 'summary.txt')).toContain('\nAll tokens: 3.08642 USD\n\n')
  })

  it('names bytes apart from pay, and no line of the text is as long as a long key', async () => {
    await write('bytes', ...ofA)
    const text = read('bytes', 'summary.txt')
    expect(text).toContain('  = earned 123\n  not pay: total_offloaded_bytes 6442451 bytes\n')
    const long = `1${'aZ9'.repeat(126)}`
    writeFileSync(join(cwd, 'keys'), `${one}\n${long}\n`)
    const { hotspots } = await write('long key', '--keys-file', 'keys', '--year', '2025')
    expect(hotspots.map((stated: Record<string, unknown>) => stated.hotspot_key)).toContain(long)
    const short = '1aZ9aZ9aZ9aZ9aZ9aZ9a…Z9aZ9aZ9aZ9aZ9aZ9aZ9'
    expect(lines('long key', 'summary.txt').filter((line) => line.includes('aZ9'))).toEqual([
      `  ${short}: no table has this key or name`,
      `  ${short} (no name): 0 rewards, 2025-01-01 to 2025-12-31`,
    ])
  })

  it('sums by token and month, and has no sum over rewards without a price', async () => {
    const { tokens } = await write('months', ...ofA)
    const sum = (
      rows: number,
      earned: string,
      formatted: string | null,
      usd: string | null,
      priced: string,
      without: string,
    ) => ({
      ...{
        rows,
        earned,
        formatted_earned: formatted,
        usd,
        usd_of_priced: priced,
        earned_without_price: without,
      },
    })
    expect(tokens).toEqual([
      {
        ...{ token: 'HNT', decimals: 8, ...sum(3, '123456820', '1.2345682', null, '3.08642', '20') },
        months: [
          { month: '2025-03', ...sum(2, '123456800', '1.234568', '3.08642', '3.08642', '0') },
          { month: '2025-12', ...sum(1, '20', '0.0000002', null, '0.0', '20') },
        ],
      },
      {
        ...{
          token: 'IOT',
          decimals: 6,
          ...sum(2, '1500018', '1.500018', '0.0037500555', '0.0037500555', '0'),
        },
        months: [{ month: '2025-01', ...sum(2, '1500018', '1.500018', '0.0037500555', '0.0037500555', '0') }],
      },
      {
        ...{ token: 'MOBILE', decimals: 6, ...sum(2, '123', '0.000123', '0.000000123', '0.000000123', '0') },
        months: [{ month: '2025-02', ...sum(2, '123', '0.000123', '0.000000123', '0.000000123', '0') }],
      },
      {
        ...{ token: 'unknown-iot', decimals: null, ...sum(1, '77', null, null, '0.0', '77') },
        months: [{ month: '2025-06', ...sum(1, '77', null, null, '0.0', '77') }],
      },
    ])
  })

  it('adds up to the totals endpoint, with the excluded rewards and the rewards of other days', async () => {
    const { totals, hotspots } = await write('ties', ...ofA)
    const range = { from: '2025-01-01T11:00:00Z', to: '2026-01-01T10:59:59.999999Z' }
    const paid = totals.filter((tie: { network: string }) => !withoutRewards.includes(tie.network))
    expect(paid).toEqual([
      {
        ...{
          network: 'iot',
          path: '/l2/iot-reward-shares/totals',
          account_address: null,
          ...range,
          hotspots: 2,
        },
        totals: {
          total_beacon_amount: '1500597',
          total_witness_amount: '123456801',
          total_dc_transfer_amount: '10',
          total_amount: '0',
        },
        ...{ left_out: {}, only_in_totals: '500', only_here: '7', earned: '124956915' },
      },
      {
        ...{
          network: 'mobile',
          path: '/l2/mobile-reward-shares/totals',
          account_address: null,
          ...range,
          hotspots: 2,
        },
        totals: {
          ...{ total_dc_transfer_reward: '3', total_poc_reward: '0', total_subscriber_reward: '0' },
          ...{ total_discovery_location_amount: '0', total_service_provider_amount: '0' },
          // 3 * 2^31 / 1000, rounded half up.
          ...{ total_matched_amount: '0', total_offloaded_bytes: '6442451' },
        },
        left_out: { base_poc_reward: '100', boosted_poc_reward: '20' },
        ...{ only_in_totals: '0', only_here: '0', earned: '123' },
      },
    ])
    expect(1_500_597n + 123_456_801n + 10n - 500n + 7n).toBe(124_956_915n)
    let compared = 0
    for (const { hotspot_key: key, totals: own } of hotspots)
      for (const tie of own) {
        const { status, text } = await server.get(
          `${tie.path}?from=${tie.from}&to=${tie.to}&hotspot_key=${key}&integers=string`,
        )
        expect([status, JSON.parse(text)]).toEqual([200, tie.totals])
        compared += 1
      }
    expect(compared).toBe(2 * networks.length)
  })

  it('begins with the missing days, manifests and prices', async () => {
    const { missing } = await write(
      'lacks',
      '--owner',
      'owner-a',
      '--from',
      '2025-05-31',
      '--to',
      '2025-06-02',
    )
    expect(missing).toEqual({
      days: [
        { network: 'iot', first: '2025-05-31', last: '2025-05-31' },
        { network: 'iot', first: '2025-06-02', last: '2025-06-02' },
        ...['mobile', ...withoutRewards].map((network) => ({
          network,
          first: '2025-05-31',
          last: '2025-06-02',
        })),
      ],
      manifests: [{ network: 'iot', first: '2025-06-01', last: '2025-06-01' }],
      files: [],
      prices: [{ token: 'unknown-iot', first: '2025-06-01', last: '2025-06-01' }],
      ...{ unknown_keys: [], l1_rewards: false },
    })
    expect(lines('lacks', 'summary.txt').slice(0, 7 + withoutRewards.length)).toEqual([
      'Statement of owner owner-a, 2025-05-31 to 2025-06-02 (UTC)',
      '',
      'MISSING',
      '  iot: no rewards of anybody are in for 2025-05-31',
      '  iot: no rewards of anybody are in for 2025-06-02',
      ...['mobile', ...withoutRewards].map(
        (network) => `  ${network}: no rewards of anybody are in for 2025-05-31 to 2025-06-02`,
      ),
      '  iot: no manifest for files of 2025-06-01, so their token and price are unknown',
    ])
  })

  it('has rewards of L1, with the price of burns in the same block', async () => {
    await write('l1', '--owner', 'owner-a', '--year', '2021')
    expect(lines('l1', 'rewards-hnt.csv').slice(1)).toEqual([
      `2021-06-01,${one},Hotspot a1,l1,poc_witness,150000000,1.5,14.5,21.75,,data_0.csv.gz,owner-a,100,hash-a`,
      `2021-06-02,${one},Hotspot a1,l1,data_credits,250000000,2.5,,,,data_0.csv.gz,owner-a,101,hash-b`,
    ])
  })

  it('has L1 rewards equal to those of /l1/rewards/series over the same seconds', async () => {
    const { totals, hotspots } = await write('l1-ties', '--owner', 'owner-a', '--year', '2021')
    const range = { from: '2021-01-01T00:00:00Z', to: '2021-12-31T23:59:59Z' }
    const tie = {
      ...{ network: 'l1', path: '/l1/rewards/series', account_address: 'owner-a', ...range },
      ...{
        totals: { total_amount: '400000000' },
        left_out: {},
        only_in_totals: '0',
        only_here: '0',
        earned: '400000000',
      },
    }
    const ofLedger = (ties: readonly { network: string }[]) => ties.filter(({ network }) => network === 'l1')
    expect(ofLedger(totals)).toEqual([{ ...tie, hotspots: 1 }])
    expect(hotspots.map((one: { totals: [] }) => ofLedger(one.totals))).toEqual([[], []])
    expect(hotspots.map((one: Record<string, unknown>) => one.earned_on_l1)).toEqual(['400000000', '0'])
    const query = `interval=all&from=${range.from}&to=${range.to}&account_address=owner-a`
    const { text } = await server.get(`${tie.path}?${query}&integers=string`)
    expect(JSON.parse(text).records).toMatchObject([tie.totals])
    expect(lines('l1-ties', 'summary.txt')).toEqual(
      expect.arrayContaining([
        `Ties out with GET ${tie.path}?${query}`,
        '    total_amount 400000000',
        '  = earned 400000000',
      ]),
    )
  })

  it('of an older snapshot is the same, byte for byte, after another ingest', async () => {
    const { snapshot, digest } = await write('first', ...ofA)
    await made.add({ 'iot/iot_reward_share.8.gz': [iotReward('2025-09-02', 1, { beacon_amount: 9n })] })
    expect((await write('newest', ...ofA)).digest).not.toBe(digest)
    const again = await write('again', ...ofA, '--as-of', snapshot)
    expect(again.digest).toBe(digest)
    const names = readdirSync(join(cwd, 'first'))
    expect(names).toHaveLength(7)
    for (const name of names) expect(read('again', name)).toBe(read('first', name))
  })
})

describe('a statement of keys', () => {
  it('counts each hotspot only on the days given with its key', async () => {
    writeFileSync(
      join(cwd, 'keys'),
      `# bought in July\n${three},2025-07-01\n\n${one},2025-02-01,2025-02-28\n`,
    )
    const { tokens } = await write('bought', '--keys-file', 'keys', '--year', '2025')
    expect(lines('bought', 'rewards-hnt.csv').slice(1)).toEqual([
      `2025-07-01,${three},Hotspot b1,mobile,gateway_reward,2000000,0.02,3.0,0.06,20270,mobile_reward_share.7.gz,,,`,
    ])
    expect(tokens.map(({ token, earned }: Record<string, string>) => [token, earned])).toEqual([
      ['HNT', '2000000'],
      ['MOBILE', '123'],
    ])
    writeFileSync(join(cwd, 'keys'), `${three},,2025-06-30\n`)
    await write('sold', '--keys-file', 'keys', '--year', '2025')
    expect(lines('sold', 'rewards-hnt.csv').slice(1)).toEqual([
      `2025-06-30,${three},Hotspot b1,mobile,gateway_reward,1000000,0.01,3.0,0.03,20270,mobile_reward_share.7.gz,,,`,
    ])
  })

  it('lists unknown keys and names', async () => {
    const { text: stranger } = hotspot(9)
    writeFileSync(join(cwd, 'keys'), `${stranger}\n${one}\nNo Such Name\n`)
    const { missing } = await write('stranger', '--keys-file', 'keys', '--year', '2025')
    expect(missing.unknown_keys).toEqual([stranger, 'No Such Name'])
    expect(read('stranger', 'summary.txt')).toContain('  No Such Name: no table has this key or name\n')
  })

  it('takes keys of RSA, which mobile hotspots have, and lists a few of many wrong lines', async () => {
    const long = `1${'aZ9'.repeat(126)}`
    writeFileSync(join(cwd, 'keys'), `${one}\n${long}\n`)
    expect((await write('long', '--keys-file', 'keys', '--year', '2025')).missing.unknown_keys).toEqual([
      long,
    ])
    writeFileSync(join(cwd, 'keys'), 'x\n'.repeat(3000))
    const { code, stderr } = await run('--keys-file', 'keys', '--year', '2025', '--out', 'refused')
    expect([code, stderr]).toEqual([2, expect.stringContaining('Line 10 of keys begins with "x"')])
    expect(stderr).not.toContain('Line 11 of')
    expect(stderr).toContain('2990 more lines are wrong.')
  })

  it('takes the name of a hotspot for its key, spelled either way', async () => {
    writeFileSync(join(cwd, 'keys'), 'brave-blue-heron,,2025-06-01\nBRAVE blue Heron,2025-06-02\n')
    const { hotspots } = await write('named', '--keys-file', 'keys', '--year', '2025')
    const { text: key } = hotspot(7)
    expect(hotspots.map((given: Record<string, unknown>) => [given.hotspot_key, given.rows])).toEqual([
      [key, 1],
      [key, 0],
    ])
    expect(lines('named', 'rewards-unknown-iot.csv').slice(1)).toEqual([
      `2025-06-01,${key},Brave Blue Heron,iot,gateway_reward,8,,,,,iot_reward_share.4.gz,,,`,
    ])
  })

  it('adds a sold hotspot to those of an owner by its name, up to the day of the sale', async () => {
    writeFileSync(join(cwd, 'keys'), 'Brave Blue Heron, sold 2025-06-01\n')
    const { hotspots } = await write('sold by name', ...ofA, '--keys-file', 'keys')
    expect(hotspots.map((stated: Record<string, unknown>) => [stated.hotspot_key, stated.to])).toEqual([
      [hotspot(7).text, '2025-06-01'],
      [one, '2025-12-31'],
      [two, '2025-12-31'],
    ])
    expect(lines('sold by name', 'rewards-unknown-iot.csv')[1]).toContain(`2025-06-01,${hotspot(7).text},`)
  })

  it('does not list a key as unknown that was paid on other days', async () => {
    const paidAlone = hotspot(6).text
    writeFileSync(join(cwd, 'keys'), `${paidAlone},2025-12-01,2025-12-01\n`)
    const { missing, files } = await write('idle', '--keys-file', 'keys', '--year', '2025')
    expect([missing.unknown_keys, files]).toEqual([[], []])
  })

  it.each([
    ['that nothing has', `${hotspot(9).text}\nNo Such Name`, 1, 'Hotspots not found: snapshot'],
    [
      'of a name that two hotspots have',
      'twin-red-name',
      2,
      '"twin-red-name" is the name of 2 hotspots; use the key of one:',
    ],
    [
      'of one hotspot on the same days',
      `${three}\nHotspot b1`,
      2,
      `Two lines have the same days of ${three}, one as "Hotspot b1".`,
    ],
  ])('refuses a list of keys %s', async (_, text, exitCode, sentence) => {
    writeFileSync(join(cwd, 'keys'), text)
    const { code, stderr } = await run('--keys-file', 'keys', '--year', '2025', '--out', 'refused')
    expect([code, stderr]).toEqual([exitCode, expect.stringContaining(sentence)])
    expect(readdirSync(cwd).filter((name) => name.startsWith('refused'))).toEqual([])
  })

  it.each([
    [
      'three parts too many',
      `${one},2025-01-01,2025-02-01,x`,
      'Line 2 of keys has 4 parts; write key[,from[,to]].',
    ],
    [
      'no key',
      'heron',
      'Line 2 of keys begins with "heron", which is no key or name of a hotspot; write key[,from[,to]].',
    ],
    ['no day', `${one},2025-02-30`, 'Line 2 of keys has "2025-02-30"; write a day as in 2025-07-01.'],
    [
      'days the wrong way',
      `${one},2025-02-02,2025-02-01`,
      'Line 2 of keys ends on 2025-02-01, before it begins on 2025-02-02.',
    ],
    [
      'days that another line has',
      `${two},2025-01-01`,
      `Line 2 of keys has days of ${two} that line 1 has too.`,
    ],
  ])('refuses %s, by the number of the line', async (_, line, sentence) => {
    writeFileSync(join(cwd, 'keys'), `${two}\n${line}\n`)
    const { code, stderr } = await run('--keys-file', 'keys', '--year', '2025', '--out', 'refused')
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)])
    expect(readdirSync(cwd)).not.toContain('refused')
  })
})

describe('an impossible statement', () => {
  it.each([
    [['--owner', 'nobody', '--year', '2025'], 1, 'Owner not found'],
    [['--year', '2025'], 2, 'owner is missing'],
    [['--owner', 'owner-a'], 2, 'year is missing'],
    [
      ['--owner', 'owner-a', '--year', '2025', '--from', '2025-01-01'],
      2,
      'year cannot be combined with from or to',
    ],
    [['--owner', 'owner-a', '--year', '25'], 2, 'year is "25"; write a year as in 2025'],
    [
      ['--owner', 'owner-a', '--from', '2025-02-01', '--to', '2025-01-01'],
      2,
      'to is 2025-01-01, before from, which is 2025-02-01',
    ],
    [
      ['--owner', 'owner-a', '--year', '2025', '--tz', 'Europe/Belrin'],
      2,
      'tz is "Europe/Belrin"; use a time zone of the IANA database, such as UTC or Europe/Berlin; did you mean Europe/Berlin?',
    ],
    [['--owner', 'owner-a', '--keys-file', 'none', '--year', '2025'], 2, 'Cannot read --keys-file none'],
  ])('is refused before a byte is written: %j', async (args, exit, sentence) => {
    const { code, stderr } = await run(...args, '--out', 'refused')
    expect([code, stderr]).toEqual([exit, expect.stringContaining(sentence)])
    expect(readdirSync(cwd).filter((name) => name.startsWith('refused'))).toEqual([])
  })

  it('does not touch a folder that has something in it', async () => {
    writeFileSync(join(await temporaryFolder(), 'x'), '')
    const { code, stderr } = await run(...ofA, '--out', '.')
    expect([code, stderr]).toEqual([2, expect.stringContaining('--out . is there already')])
  })
})
