import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { hotspot } from '../../support/lakes/make-lake.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { makeStatementLake } from '../../support/statement/made-network.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const prices = `day,token,currency,price
# fixed by a bank
2025-01-01,IOT,EUR,0.0025
2025-03-30,hnt,EUR,2.123456789012345678
2025-02-14,MOBILE,EUR,0
`
const asked = ['--owner', 'owner-a', '--year', '2025', '--tz', 'Europe/Berlin']
const [one, two] = [hotspot(1).text, hotspot(2).text]

let cwd: string
let lake: string

beforeAll(async () => {
  cwd = await temporaryFolder()
  lake = (await makeStatementLake()).folder
})

const run = (out: string, ...args: string[]) =>
  runMain(['statement', ...asked, ...args, '--lake', lake, '--out', out], { cwd })
const read = (out: string, name: string) => readFileSync(join(cwd, out, name), 'utf8')

async function write(out: string, text: string) {
  writeFileSync(join(cwd, 'bank.csv'), text)
  const { code, stderr } = await run(out, '--prices', 'bank.csv')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(read(out, 'summary.json'))
}

describe('a statement with own prices', () => {
  it('has an exact value for each reward and sum, next to those in USD', async () => {
    const { tokens, all_tokens: all } = await write('euros', prices)
    const header =
      'date,hotspot_key,hotspot_name,network,reward_type,earned,formatted_earned,oracle_price_usd,usd,epoch,source_file,account_address,block,transaction_hash,currency,price,value'
    // Computed with decimals of Python: 0.00000011 and 1.23456789 times the price, and their sum.
    expect(read('euros', 'rewards-hnt.csv').split('\n')).toEqual([
      header,
      `2025-12-31,${one},Hotspot a1,iot,gateway_reward,20,0.0000002,,,20453,iot_reward_share.5.gz,,,,EUR,,`,
      `2025-03-30,${two},"Two, of ""A""",iot,gateway_reward,11,0.00000011,2.5,0.000000275,20177,iot_reward_share.3.gz,,,,EUR,2.123456789012345678,0.00000023358024679135802458`,
      `2025-03-30,${two},"Two, of ""A""",iot,gateway_reward,123456789,1.23456789,2.5,3.086419725,20177,iot_reward_share.3.gz,,,,EUR,2.123456789012345678,2.62155156751714678763907942`,
      '',
    ])
    expect(
      tokens.map((sum: Record<string, unknown>) => [
        sum.token,
        sum.value,
        sum.value_of_priced,
        sum.earned_without_value,
      ]),
    ).toEqual([
      ['HNT', null, '2.621551801097393578997104', '20'],
      ['IOT', '0.003750045', '0.003750045', '0'],
      ['MOBILE', '0.0', '0.0', '0'],
      ['unknown-iot', null, '0.0', '77'],
    ])
    expect(tokens[0].months).toMatchObject([
      { month: '2025-03', value: '2.621551801097393578997104' },
      { month: '2025-12', value: null, usd: null },
    ])
    expect(all).toEqual({
      ...{ rows: 8, usd: null, usd_of_priced: '3.0901701785' },
      ...{ value: null, value_of_priced: '2.625301846097393578997104' },
    })
  })

  it('names the source of the prices, and the days that it lacks', async () => {
    const { prices: source } = await write('named', prices)
    const sha256 = createHash('sha256').update(prices).digest('hex')
    expect(source).toEqual({
      ...{ currency: 'EUR', source: 'bank.csv', sha256, lines: 3 },
      missing: [
        { token: 'HNT', first: '2025-12-31', last: '2025-12-31' },
        { token: 'unknown-iot', first: '2025-06-01', last: '2025-06-01' },
      ],
    })
    const lines = read('named', 'summary.txt').split('\n')
    expect(lines[1]).toBe(`Prices in EUR: bank.csv, 3 lines, SHA-256 ${sha256}`)
    expect(lines).toEqual(
      expect.arrayContaining([
        '  HNT: no price in EUR for 2025-12-31 in bank.csv',
        '  2025-03  1.234568 HNT (123456800 bones), 3.08642 USD (oracle price), 2.621551801097393578997104 EUR (own prices), 2 rewards',
        'All tokens: 2.625301846097393578997104 EUR (bank.csv)',
        '  EUR unknown: no price for 2025-12-31 (HNT)',
      ]),
    )
  })

  it('without them has no word about them', async () => {
    await run('plain')
    expect(JSON.parse(read('plain', 'summary.json'))).not.toHaveProperty('prices')
    expect(read('plain', 'summary.txt') + read('plain', 'summary.json')).not.toMatch(
      /own prices|value|currency/,
    )
  })

  it.each([
    ['2025-01-01;IOT;EUR;0,0025', 'has 2 parts; write day,token,currency,price, with a decimal point'],
    ['2025-01-01,IOT,EUR,0,0025', 'has 5 parts'],
    ['01.01.2025,IOT,EUR,1', 'has the day "01.01.2025"; write a day as in 2025-07-01'],
    ['2025-01-01,BTC,EUR,1', 'has the token "BTC"; use HNT, IOT or MOBILE'],
    ['2025-01-01,IOT,€,1', 'has the currency "€"; write one such as EUR'],
    ['2025-01-01,IOT,EUR,-1', 'has the price "-1"'],
    ['2025-01-01,IOT,EUR,one', 'has the price "one"'],
    ['2025-01-01,IOT,EUR,', 'has the price ""'],
    [
      '2025-01-01,IOT,EUR,0.0000000000000000001',
      'has the price "0.0000000000000000001"; write a decimal such as 2.4183, with at most 18 digits',
    ],
  ])('refuses the line %s', async (line, sentence) => {
    writeFileSync(join(cwd, 'wrong.csv'), `# a comment\n${line}\n`)
    const { code, stderr } = await run('refused', '--prices', 'wrong.csv')
    expect([code, stderr]).toEqual([2, expect.stringContaining(`Line 2 of wrong.csv ${sentence}`)])
    expect(existsSync(join(cwd, 'refused'))).toBe(false)
  })

  it.each([
    [
      '2025-01-01,HNT,EUR,1\n2025-01-01,hnt,EUR,2',
      'Line 2 of wrong.csv has a price of HNT on 2025-01-01, as line 1 does',
    ],
    [
      '2025-01-01,HNT,EUR,1\n2025-01-02,HNT,CHF,2',
      'Line 2 of wrong.csv is in CHF, and line 1 in EUR; use a file for each currency',
    ],
    ['# nothing', 'wrong.csv has no lines'],
  ])('refuses the lines %j', async (text, sentence) => {
    writeFileSync(join(cwd, 'wrong.csv'), `${text}\n`)
    const { code, stderr } = await run('refused', '--prices', 'wrong.csv')
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)])
  })

  it('is refused if the file of prices cannot be read', async () => {
    const { code, stderr } = await run('refused', '--prices', 'none.csv')
    expect([code, stderr]).toEqual([2, expect.stringContaining('Cannot read --prices none.csv')])
  })
})
