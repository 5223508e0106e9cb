import { once } from 'node:events'
import { readdir, rename } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { februaryDate as date, lackingLake, wholeDays } from '../../support/lakes/lacking-lake.ts'
import type { MadeLake } from '../../support/lakes/make-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { waitFor } from '../../support/wait.ts'

const iot = '/l2/iot-reward-shares/totals'
const mobile = '/l2/mobile-reward-shares/totals'

async function serverOf(lake: MadeLake, ...more: unknown[]): Promise<TestServer> {
  const server = await buildTestServer(lake.folder, ...(more as []))
  onTestFinished(server.close)
  return server
}

const missingOf = async ({ get: ask }: TestServer, path: string) =>
  (await ask(path)).headers['ledgerlake-missing']
const parsed = ({ text: body }: { text: string }) => JSON.parse(body) as Record<string, unknown>

describe('the header Ledgerlake-Missing', () => {
  it('is sent with totals of a range without some days or manifests, and with no other response', async () => {
    const server = await serverOf(await lackingLake())
    const range = (from: number, to: number) => `from=${date(from)}&to=${date(to)}`
    expect(await missingOf(server, `${iot}?${range(2, 4)}`)).toBeUndefined()
    expect(await missingOf(server, `${iot}?${range(2, 6)}`)).toBe('days=1, manifests=0')
    expect(await missingOf(server, `${iot}?${range(2, 7)}`)).toBe('days=1, manifests=1')
    expect(await missingOf(server, `${iot}?${range(6, 7)}`)).toBe('days=0, manifests=1')
    expect(await missingOf(server, `${mobile}?${range(2, 7)}`)).toBe('days=2, manifests=0')
    expect(await missingOf(server, `${iot}?${range(1, 4)}`)).toBe('days=1, manifests=0')
    expect(await missingOf(server, `${iot}?${range(2, 6)}&hotspot_key=none`)).toBe('days=1, manifests=0')
    expect(await missingOf(server, `/l2/makers`)).toBeUndefined()
  })

  it('needs no statement and no file, and neither does coverage=true', async () => {
    const server = await serverOf(await lackingLake())
    const before = server.engine.work()
    const path = `${iot}?from=2025-02-02&to=2025-02-07`
    expect(await missingOf(server, path)).toBe('days=1, manifests=1')
    expect((await server.get(`${path}&coverage=true`)).status).toBe(200)
    expect(server.engine.work()).toEqual(before)
  })

  it('is repeated on cache hits and 304, and disappears with the commit that closes the gap', async () => {
    const lake = await lackingLake()
    const server = await serverOf(lake, 20, undefined, { answerMemoryMb: 8 })
    await server.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.server.server.address() as AddressInfo
    const path = `/v1/net${iot}?from=2025-02-02&to=2025-02-06`
    async function ask(headers: Record<string, string> = {}) {
      const [reply] = (await once(get({ port, path, headers, agent: false }), 'response')) as [
        IncomingMessage,
      ]
      await text(reply)
      return { status: reply.statusCode, headers: reply.headers }
    }
    const first = await ask()
    const held = { 'if-none-match': `${first.headers.etag}` }
    const replies = [first, await ask(), await ask(held)]
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 304])
    expect(replies[1]?.headers['server-timing']).toBe('memory')
    expect(replies.map(({ headers }) => headers['ledgerlake-missing'])).toEqual(
      Array(3).fill('days=1, manifests=0'),
    )
    const routed = await server.server.inject({ url: path, headers: { ...held, 'x-no-compression': '1' } })
    expect([routed.statusCode, routed.headers['ledgerlake-missing']]).toEqual([304, 'days=1, manifests=0'])
    await lake.add(wholeDays(5))
    await waitFor(async () => expect((await ask()).headers['ledgerlake-missing']).toBeUndefined())
  })

  it('has manifests=unknown while manifests are unreadable, and totals still return 200', async () => {
    const lake = await lackingLake()
    const folder = join(lake.folder, 'reward_manifests')
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.parquet'))
    expect(files).toHaveLength(1)
    for (const name of files) await rename(join(folder, name), join(folder, `${name}.away`))
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => errors.mockRestore())
    const server = await serverOf(lake)
    const path = `${iot}?from=2025-02-02&to=2025-02-06`
    expect(await missingOf(server, path)).toBe('days=1, manifests=unknown')
    const asked = await server.get(`${path}&coverage=true`)
    expect([asked.status, parsed(asked).code]).toEqual([503, 'lake_damaged'])
    const ask = () => server.server.inject(`/v1/net${path}`)
    const { headers } = await ask()
    expect([headers['ledgerlake-missing'], headers['cache-control']]).toEqual([
      'days=1, manifests=unknown',
      'public, no-cache',
    ])
    for (const name of files) await rename(join(folder, `${name}.away`), join(folder, name))
    await waitFor(async () => expect((await ask()).headers['ledgerlake-missing']).toBe('days=1, manifests=0'))
  })
})

describe('coverage=true on totals', () => {
  it('adds the member coverage, and changes no other member', async () => {
    const server = await serverOf(await lackingLake())
    const path = `${iot}?from=2025-02-02&to=2025-02-07`
    const { coverage, ...totals } = parsed(await server.get(`${path}&coverage=true`))
    expect(totals).toEqual(parsed(await server.get(path)))
    expect(totals).toEqual(parsed(await server.get(`${path}&coverage=false`)))
    expect(coverage).toEqual({
      ...{ from: '2025-02-02T00:00:00Z', to: '2025-02-07T00:00:00Z' },
      epochs: {
        ...{ expected: 6, present: 5, newest: '2025-02-06', incomplete: [], late: [], unreadable: [] },
        missing: [{ first: '2025-02-04', last: '2025-02-04', days: 1 }],
      },
      manifests: { missing: [{ first: '2025-02-06', last: '2025-02-06', days: 1 }] },
      files: {
        missing: { count: 0, names: [] },
        without_manifest: { count: 1, names: ['iot_reward_share.7.gz'] },
        unreadable: { count: 0, names: [] },
      },
      ...{ tokens: [], mixes_tokens: false },
    })
  })

  it('starts at the look-back of a key, and has another ETag for each look-back', async () => {
    const { ask, newKey } = await gatedServer((await lackingLake()).folder, {
      options: { answerMemoryMb: 8 },
    })
    const [recent, all] = [await newKey({ lookbackDays: 3 }), await newKey()]
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2025-02-07T12:00:00Z') })
    const coverageFor = async (key: string, from: string) => {
      const reply = await ask(`/v1/net${iot}?from=${from}&to=2025-02-07&coverage=true`, key)
      return {
        header: reply.headers['ledgerlake-from'],
        tag: reply.headers.etag,
        ...(parsed(reply).coverage as { from: string; from_served?: string }),
      }
    }
    const cut = {
      header: '2025-02-04T00:00:00Z',
      from: '2025-02-04T00:00:00Z',
      from_served: '2025-02-04T00:00:00Z',
    }
    const [served, asked] = [await coverageFor(recent, '2025-02-02'), await coverageFor(all, '2025-02-04')]
    expect(served).toMatchObject(cut)
    expect(asked).not.toHaveProperty('from_served')
    // The same rows of the same range: a tag that was equal would confirm the other's copy.
    expect(served.tag).toMatch(/^"/)
    expect(served.tag).not.toBe(asked.tag)
    expect(await coverageFor(all, '2025-02-02')).toMatchObject({
      from: '2025-02-02T00:00:00Z',
      header: undefined,
    })
    const reply = await ask('/v1/net/status', recent)
    expect(reply.headers['ledgerlake-from']).toBe(cut.from)
    const status = parsed(reply) as { tables: { coverage: object | null }[] }
    expect(status.tables[0]?.coverage).toMatchObject({ from: cut.from, from_served: cut.from_served })
  })

  it('returns 422 for values other than true and false', async () => {
    const server = await serverOf(await lackingLake())
    const reply = await server.get(`${iot}?from=2025-02-02&to=2025-02-07&coverage=yes`)
    const message = 'coverage is "yes"; use true or false'
    expect([reply.status, parsed(reply).errors]).toEqual([422, [{ param: 'coverage', message }]])
  })
})

describe('the status over HTTP', () => {
  it('has the coverage of each table from its first day to the newest day of all tables', async () => {
    const server = await serverOf(await lackingLake())
    const reply = await server.get('/status')
    const { snapshot, tables } = parsed(reply) as { snapshot: string; tables: Record<string, unknown>[] }
    expect([reply.status, reply.headers['ledgerlake-snapshot']]).toEqual([200, snapshot])
    expect(tables.map(({ table, rows, coverage }) => [table, rows, coverage === null])).toEqual([
      ['iot_reward_shares', 5, false],
      ['mobile_reward_shares', 4, false],
      ['reward_manifests', 8, true],
    ])
    expect(tables[1]).toMatchObject({
      ...{
        sources: 4,
        refused: 0,
        first_period: '2025-02-02T00:00:00Z',
        last_period: '2025-02-06T00:00:00Z',
      },
      coverage: {
        ...{ from: '2025-02-02T00:00:00Z', to: '2025-02-07T00:00:00Z' },
        epochs: {
          ...{ expected: 6, present: 4, newest: '2025-02-05' },
          missing: [
            { first: '2025-02-04', last: '2025-02-04', days: 1 },
            { first: '2025-02-06', last: '2025-02-06', days: 1 },
          ],
        },
      },
    })
  })

  it('writes rows as strings with integers=string', async () => {
    const server = await serverOf(await lackingLake())
    const { text: written } = await server.get('/status?integers=string')
    expect(written).toContain('"table":"iot_reward_shares","rows":"5","sources":5,')
    expect(parsed(await server.get('/status?integers=text')).errors).toEqual([
      { param: 'integers', message: 'integers is "text"; use number or string' },
    ])
  })

  it('accepts a range and a snapshot, and names other parameters as errors', async () => {
    const lake = await lackingLake()
    const server = await serverOf(lake)
    const { snapshot } = parsed(await server.get('/status')) as { snapshot: string }
    const reply = await server.get(`/status?from=2025-02-04&to=2025-02-05&as_of=${snapshot}`)
    const { tables } = parsed(reply) as { tables: { coverage: object | null }[] }
    expect(tables[0]?.coverage).toMatchObject({ epochs: { expected: 2, present: 1 } })
    const refused = parsed(await server.get('/status?from=2025-02-05&to=2025-02-04&tabel=x'))
    expect((refused.errors as { param: string }[]).map(({ param }) => param)).toEqual(['tabel', 'from', 'to'])
  })
})

it('metrics have the newest period of each table, and its missing periods and manifests', async () => {
  const server = await serverOf(await lackingLake())
  const { body } = await server.server.inject('/metrics')
  const lines = body.split('\n').filter((line) => /^ledgerlake_(newest|missing)/.test(line))
  expect(lines).toEqual([
    `ledgerlake_newest_period_seconds{table="iot_reward_shares"} ${Date.parse('2025-02-07') / 1000}`,
    `ledgerlake_newest_period_seconds{table="mobile_reward_shares"} ${Date.parse('2025-02-06') / 1000}`,
    'ledgerlake_missing_periods{table="iot_reward_shares"} 1',
    'ledgerlake_missing_periods{table="mobile_reward_shares"} 2',
    'ledgerlake_missing_manifests{table="iot_reward_shares"} 1',
    'ledgerlake_missing_manifests{table="mobile_reward_shares"} 0',
  ])
})
