import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { hotspot } from '../../support/lakes/make-lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { makeStatementLake } from '../../support/statement/made-network.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const asked = ['--owner', 'owner-a', '--year', '2025', '--tz', 'Europe/Berlin']
const url = 'owner=owner-a&year=2025&tz=Europe/Berlin'
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

const columns = [
  ...['date', 'hotspot_key', 'hotspot_name', 'network', 'reward_type', 'earned', 'formatted_earned'],
  ...['oracle_price_usd', 'usd', 'epoch', 'source_file', 'account_address', 'block', 'transaction_hash'],
]

/** The file of HNT as German spreadsheets read it. */
const german = (values: readonly [string, string, string] = ['', '', ''], header: readonly string[] = []) =>
  [
    `\uFEFF${[...columns, ...header].join(';')}`,
    `2025-12-31;${one};Hotspot a1;iot;gateway_reward;20;0,0000002;;;20453;iot_reward_share.5.gz;;;${values[0]}`,
    `2025-03-30;${two};"Two, of ""A""";iot;gateway_reward;11;0,00000011;2,5;0,000000275;20177;iot_reward_share.3.gz;;;${values[1]}`,
    `2025-03-30;${two};"Two, of ""A""";iot;gateway_reward;123456789;1,23456789;2,5;3,086419725;20177;iot_reward_share.3.gz;;;${values[2]}`,
    '',
  ].join('\n')

describe('a statement for German spreadsheets', () => {
  it('has semicolons, decimal commas and a byte order mark', async () => {
    expect(await run('de', '--spreadsheet', 'de')).toMatchObject({ code: 0, stderr: '' })
    expect(read('de', 'rewards-hnt.csv')).toBe(german())
  })

  it('has commas in own prices and their values', async () => {
    writeFileSync(
      join(cwd, 'bank.csv'),
      '2025-03-30,HNT,EUR,2.123456789012345678\n2025-12-31,HNT,EUR,2\n2025-01-01,IOT,EUR,0\n',
    )
    expect(await run('euros', '--spreadsheet', 'de', '--prices', 'bank.csv')).toMatchObject({ code: 0 })
    // Computed with decimals of Python.
    const values = [
      ';EUR;2,0;0,0000004',
      ';EUR;2,123456789012345678;0,00000023358024679135802458',
      ';EUR;2,123456789012345678;2,62155156751714678763907942',
    ] as const
    expect(read('euros', 'rewards-hnt.csv')).toBe(german(values, ['currency', 'price', 'value']))
  })

  it('has the sums of any other, names its language, and the SHA-256 of its own files', async () => {
    await run('plain')
    await run('sums', '--spreadsheet', 'de')
    const { locale, digest, files, ...summary } = JSON.parse(read('sums', 'summary.json'))
    const { digest: plainDigest, files: plainFiles, ...plain } = JSON.parse(read('plain', 'summary.json'))
    expect(summary).toEqual(plain)
    expect([locale, plain.locale]).toEqual(['de', undefined])
    expect(digest).not.toBe(plainDigest)
    expect(files.map(({ name }: { name: string }) => name)).toEqual(
      plainFiles.map(({ name }: { name: string }) => name),
    )
    for (const { name, bytes, sha256 } of files) {
      const text = read('sums', name)
      expect([Buffer.byteLength(text), createHash('sha256').update(text).digest('hex')]).toEqual([
        bytes,
        sha256,
      ])
    }
  })

  it('is the same over HTTP, and its links keep the language', async () => {
    await run('command', '--spreadsheet', 'de')
    const { server, get } = await buildTestServer(lake)
    const { status, text } = await get(`/statement?${url}&format=spreadsheet&locale=de`)
    const { from_served: _, files, ...summary } = JSON.parse(text)
    const written = JSON.parse(read('command', 'summary.json'))
    expect([status, { ...summary, files: [] }]).toEqual([200, { ...written, files: [] }])
    expect(files).toHaveLength(4)
    for (const { name, href } of files) {
      const file = await server.inject({ url: href })
      expect([name, file.rawPayload.toString()]).toEqual([name, read('command', name)])
    }
    const empty = await get(
      `/statement/rewards-mobile.csv?owner=owner-a&year=2024&format=spreadsheet&locale=de`,
    )
    expect(empty.text).toBe(`\uFEFF${columns.join(';')}\n`)
  })

  it('of English has points and commas behind the mark', async () => {
    await run('en', '--spreadsheet', 'en')
    await run('unmarked')
    expect(read('en', 'rewards-hnt.csv')).toBe(`\uFEFF${read('unmarked', 'rewards-hnt.csv')}`)
  })

  it.each([
    ['locale=xx&format=spreadsheet', 'locale is "xx"'],
    ['locale=de', 'locale is of format=spreadsheet; add that, or leave locale out'],
    ['format=parquet', 'format is "parquet"; use one of csv, spreadsheet'],
  ])('is refused with %s', async (query, sentence) => {
    const { get } = await buildTestServer(lake)
    const { status, text } = await get(`/statement?${url}&${query}`)
    expect([status, JSON.parse(text).error]).toEqual([422, expect.stringContaining(sentence)])
  })
})
