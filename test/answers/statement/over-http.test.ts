import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { iotReward, type MadeLake } from '../../support/lakes/make-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { csvNames } from '../../support/specified.ts'
import { makeStatementLake } from '../../support/statement/made-network.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const asked = 'owner=owner-a&year=2025&tz=Europe/Berlin'

let made: MadeLake
let server: TestServer

beforeAll(async () => {
  made = await makeStatementLake()
  server = await buildTestServer(made.folder, 100)
})

describe('a statement over HTTP', () => {
  it('is the summary that the command writes, with a link to each CSV of it', async () => {
    const { status, text, headers } = await server.get(`/statement?${asked}`)
    expect(status).toBe(200)
    const { from_served: served, files, ...summary } = JSON.parse(text)
    expect([served, headers['ledgerlake-snapshot']]).toEqual([null, summary.snapshot])
    const cwd = await temporaryFolder()
    const args = ['--owner', 'owner-a', '--year', '2025', '--tz', 'Europe/Berlin', '--lake', made.folder]
    await runMain(['statement', ...args, '--out', 'year'], { cwd })
    const written = JSON.parse(readFileSync(join(cwd, 'year', 'summary.json'), 'utf8'))
    expect({ ...summary, files: files.map(({ href, ...file }: { href: string }) => file) }).toEqual(written)

    // The links stay good while more is ingested.
    await made.add({ 'iot/iot_reward_share.9.gz': [iotReward('2025-09-02', 1, { beacon_amount: 9n })] })
    await expect
      .poll(async () => JSON.parse((await server.get(`/statement?${asked}`)).text).digest)
      .not.toBe(summary.digest)
    expect(files).toHaveLength(4)
    for (const { name, href, sha256 } of files) {
      const file = await server.server.inject({ url: href })
      expect([file.statusCode, file.headers['content-type']]).toEqual([
        200,
        'text/csv; charset=utf-8; header=present',
      ])
      expect(file.headers['content-disposition']).toBe(`attachment; filename="${name}"`)
      expect(file.body).toBe(readFileSync(join(cwd, 'year', name), 'utf8'))
      expect(createHash('sha256').update(file.body).digest('hex')).toBe(sha256)
    }
  })

  it.each([
    ['/statement?year=2025', 422, 'owner is missing; name the address of an owner.'],
    ['/statement?owner=owner-a&year=2025&zone=UTC', 422, 'zone is not a parameter here'],
    ['/statement?owner=owner-a&year=2025&tz=Europe/Berlln', 422, 'did you mean Europe/Berlin?'],
    ['/statement?owner=nobody&year=2025', 404, 'Owner not found'],
    [`/statement/rewards-x.csv?${asked}`, 404, `File not found; use ${csvNames.join(', ')}.`],
  ])('refuses %s', async (path, status, sentence) => {
    const reply = await server.get(path)
    expect([reply.status, JSON.parse(reply.text).error]).toEqual([status, expect.stringContaining(sentence)])
  })

  it('has a file with only a header for a token without rewards', async () => {
    const { status, text } = await server.get(`/statement/rewards-mobile.csv?owner=owner-a&year=2024`)
    expect([status, text]).toEqual([
      200,
      'date,hotspot_key,hotspot_name,network,reward_type,earned,formatted_earned,oracle_price_usd,usd,epoch,source_file,account_address,block,transaction_hash\n',
    ])
  })

  it('computes each file without the work that only other files need', async () => {
    const { engine, server: app } = await buildTestServer(made.folder, 60_000)
    const work = async (path: string) => {
      const before = engine.work()
      const { statements, files } = { ...before }
      expect((await app.inject({ url: `/v1/net${path}?${asked}` })).statusCode).toBe(200)
      const after = engine.work()
      return { statements: after.statements - statements, files: after.files - files }
    }
    await work('/statement')
    const all = await work('/statement')
    const [iot, main] = [await work('/statement/rewards-iot.csv'), await work('/statement/rewards-hnt.csv')]
    expect([all, iot, main].map(({ statements }) => statements)).toEqual([8, 4, 6])
  })

  it('needs the features of totals and of L1', async () => {
    const { newKey, ask } = await gatedServer(made.folder)
    const address = `/v1/net/statement?${asked}`
    expect((await ask(address, await newKey())).status).toBe(200)
    for (const lacking of ['HotspotData', 'OracleData', 'Aggregates'] as const) {
      const features = (['HotspotData', 'OracleData', 'Aggregates'] as const).filter((one) => one !== lacking)
      expect((await ask(address, await newKey({ features }))).code).toBe('feature_not_available')
    }
  })

  it('has from_served for a key with a look-back', async () => {
    const { newKey, ask } = await gatedServer(made.folder)
    const key = await newKey({ lookbackDays: 3 })
    const first = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
    const { text, headers } = await ask('/v1/net/statement?owner=owner-a&from=2025-01-01&to=2099-12-31', key)
    const { from_served: served, from, tokens } = JSON.parse(text)
    expect([served, from, tokens]).toEqual([first, first, []])
    expect(headers['ledgerlake-from']).toBe(`${first}T00:00:00Z`)
    const all = await ask('/v1/net/statement?owner=owner-a&year=2025', key)
    expect([all.status, all.text]).toEqual([
      422,
      expect.stringContaining(`The key may look back to ${first}`),
    ])
  })
})
