import { join } from 'node:path'
import Fastify from 'fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Lake, LakeOptions } from '../../src/services/library/api.ts'
import { ledgerlake } from '../../src/services/library/fastify.ts'
import { LedgerlakeError, openLake } from '../../src/services/library/library.ts'
import { smallNetwork } from '../support/fixtures.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const range = { from: '2025-01-28', to: '2025-02-01' }

async function opened(folder: string, options?: LakeOptions): Promise<Lake> {
  const lake = await openLake(folder, options)
  onTestFinished(() => lake.close())
  return lake
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

describe('an empty folder', () => {
  it('is a lake that takes files and shows them at once, and a snapshot of before stays as it was', async () => {
    const lake = await opened(join(await temporaryFolder(), 'new'))
    await expect(lake.makers.page()).rejects.toMatchObject({ code: 'not_ready' })
    const first = await lake.ingest([join(smallNetwork, 'l2')])
    expect([first.failed, first.rows > 0]).toEqual([[], true])
    const { totalPages } = await lake.makers.page({ perPage: 1 })
    expect(totalPages).toBeGreaterThan(1)
    const { snapshot } = await lake.coverage()
    const second = await lake.ingest([join(smallNetwork, 'oracle')])
    expect(second.rows).toBeGreaterThan(1000)
    expect((await lake.iotRewardShares.totals(range)).totalAmount).toBe(36403378988914885n)
    const before = await lake.at(snapshot)
    expect(before.snapshot).toBe(snapshot)
    expect((await before.iotRewardShares.totals(range)).totalAmount).toBe(0n)
    expect((await lake.ingest([join(smallNetwork, 'oracle')])).skipped).toBe(second.stored)
    expect(await lake.compact()).toBeGreaterThanOrEqual(0)
    expect(await lake.verify()).toMatchObject({ isSound: true })
  })
})

it('a lake that cannot be opened leaves nothing open, and a bucket is refused with advice', async () => {
  await expect(openLake('s3://bucket/lake')).rejects.toMatchObject({
    code: 'malformed_request',
    message: expect.stringContaining('use a local folder'),
  })
  await expect(openLake(await temporaryFolder(), { memoryMb: 1 })).rejects.toMatchObject({
    code: 'malformed_request',
    message: expect.stringContaining('64'),
  })
  const lake = await openLake(await temporaryFolder())
  await Promise.all([lake.close(), lake.close()])
})

describe('two lakes of one process', () => {
  it('answer apart, print nothing and change no environment', async () => {
    const printed = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')]
    const listeners = process.eventNames().map((name) => [name, process.listenerCount(name)])
    const environment = { ...process.env }
    const [one, two] = [await opened(await smallLake()), await opened(await temporaryFolder())]
    await two.ingest([join(smallNetwork, 'l2')])
    expect((await one.iotRewardShares.totals(range)).totalAmount).toBe(36403378988914885n)
    expect((await two.iotRewardShares.totals(range)).totalAmount).toBe(0n)
    await one.close()
    expect((await two.makers.page({ perPage: 1 })).count).toBe(1)
    expect(printed.map((spy) => spy.mock.calls)).toEqual([[], []])
    expect(process.eventNames().map((name) => [name, process.listenerCount(name)])).toEqual(listeners)
    expect({ ...process.env }).toEqual(environment)
    vi.restoreAllMocks()
  })
})

describe('a call', () => {
  it('refuses every wrong parameter by its name, with a code', async () => {
    const lake = await opened(await smallLake())
    const wrong = lake.iotRewardShares.page({ from: 'yesterday', hotspotKye: 'x', perPage: 0 } as object)
    await expect(wrong).rejects.toThrow(LedgerlakeError)
    await expect(wrong).rejects.toMatchObject({
      code: 'malformed_request',
      message: expect.stringMatching(/hotspot_kye.*hotspot_key/),
    })
    await expect(lake.at('nothing')).rejects.toMatchObject({ code: 'malformed_request' })
  })

  it('ends with the reason of its signal', async () => {
    const lake = await opened(await smallLake())
    const stop = new AbortController()
    const rows = lake.mobileRewardShares.rows(range, { signal: stop.signal })
    await rows.next()
    stop.abort(new Error('enough'))
    await expect(all(rows)).rejects.toThrow('enough')
    await expect(lake.makers.page({}, { signal: stop.signal })).rejects.toThrow('enough')
    await expect(all(lake.sql('select 1', { signal: stop.signal }))).rejects.toThrow('enough')
  })

  it('of SQL gives exact values by their types', async () => {
    const lake = await opened(await smallLake())
    const statement = `select 18446744073709551615::ubigint as big, 7::integer as small, 1.50::decimal(4, 2) as price,
      null as nothing, true as yes, 0.5::double as half, sum(beacon_amount) as total from iot_reward_shares`
    expect(await all(lake.sql(statement))).toEqual([
      {
        ...{ big: 18446744073709551615n, small: 7, price: '1.50', nothing: null, yes: true, half: 0.5 },
        total: 9101116n,
      },
    ])
    const values = ['18446744073709551615', "' or 1 = 1 --", null]
    expect(await all(lake.sql('select $1::ubigint as big, $2 as text, $3 as none', { values }))).toEqual([
      { big: 18446744073709551615n, text: "' or 1 = 1 --", none: null },
    ])
    await expect(all(lake.sql('delete from makers'))).rejects.toMatchObject({ code: 'malformed_request' })
  })

  it('of a statement has the files of its summary', async () => {
    const lake = await opened(await smallLake())
    const [{ owner = '' } = {}] = (await lake.hotspots.page({ perPage: 1 })).records
    const { summary, files } = await lake.statement({ owner, year: 2025 })
    expect(Object.keys(files).sort()).toEqual(summary.files.map(({ name }) => name).sort())
    for (const { name, bytes } of summary.files) expect(files[name]).toHaveLength(Number(bytes))
  })
})

describe('a lake in an app of Fastify', () => {
  it('is served below its prefix, beside the routes of the app and after its hooks', async () => {
    const lake = await opened(await smallLake())
    const app = Fastify()
    onTestFinished(() => app.close())
    app.addHook('onRequest', async (request, reply) => {
      if (request.headers['x-secret'] !== 'open') await reply.code(401).send('closed')
    })
    app.get('/mine', () => 'mine')
    await app.register(ledgerlake, { prefix: '/data', lake })
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    const headers = { 'x-secret': 'open' }
    const get = async (path: string) => await (await fetch(origin + path, { headers })).text()
    expect((await fetch(`${origin}/data/v1/net/l2/makers`)).status).toBe(401)
    expect(await get('/mine')).toBe('mine')
    const { totalAmount } = await lake.iotRewardShares.totals(range)
    expect(await get(`/data/v1/net/l2/iot-reward-shares/totals?${new URLSearchParams(range)}`)).toContain(
      `"total_amount":${totalAmount}`,
    )
    const query = JSON.stringify({ query: '{ makers(first: 1) { nodes { id } } }' })
    const graphql = await fetch(`${origin}/data/graphql`, {
      ...{ method: 'POST', body: query },
      headers: { ...headers, 'content-type': 'application/json' },
    })
    expect(await graphql.text()).toMatch(/^\{"data":\{"makers":\{"nodes":\[\{"id":"/)
  })
})
