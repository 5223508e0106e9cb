import { createServer } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { listenAddress } from '../../src/settings/addresses.ts'
import { buildTestServer } from '../support/build-test-server.ts'
import { cleanUp } from '../support/clean-up.ts'
import { gatedServer } from '../support/gated-server.ts'
import { smallLake } from '../support/small-lake.ts'

let lake: string

beforeAll(async () => {
  lake = await smallLake()
})

/** A port that nobody else listens on now. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('metrics on an address of their own', () => {
  it('are there alone, and nowhere else', async () => {
    const port = await freePort()
    const metricsAddress = { host: '127.0.0.1', port }
    const { server, close } = await buildTestServer(lake, 60_000, undefined, { metricsAddress })
    expect((await server.inject({ url: '/metrics' })).statusCode).toBe(404)
    const reply = await fetch(`http://127.0.0.1:${port}/metrics`)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('version=0.0.4'),
    ])
    expect(await reply.text()).toContain(
      'ledgerlake_requests_total{method="GET",route="none",status="404"} 1',
    )
    for (const path of ['/', '/v1/net/l2/makers', '/metricsx', '/metrics/x'])
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(404)
    await close()
    await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow()
  })

  it('say which flag to change where the port is taken', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    cleanUp(async () => void taken.close())
    const { port } = taken.address() as { port: number }
    const metricsAddress = { host: '127.0.0.1', port }
    const { server } = await buildTestServer(lake, 60_000, undefined, { metricsAddress })
    await expect(server.ready()).rejects.toMatchObject({
      code: 'address_in_use',
      message: `Port ${port} of 127.0.0.1 is taken; choose another with --metrics-listen.`,
    })
  })

  it.each([
    ['', null],
    ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
    ['[::1]:9464', { host: '::1', port: 9464 }],
    ['metrics.internal:0', { host: 'metrics.internal', port: 0 }],
    ['9464', undefined],
    [':9464', undefined],
    ['127.0.0.1', undefined],
    ['127.0.0.1:99999', undefined],
    ['::1:9464', undefined],
  ])('--metrics-listen %j is read as %j', (text, address) => {
    expect(listenAddress.read(text)).toEqual(address)
  })
})

describe('locked metrics', () => {
  it('are for keys with the feature Metrics alone, which opens nothing else', async () => {
    const { ask, newKey } = await gatedServer(lake, { options: { areMetricsLocked: true } })
    const reader = await newKey()
    const prometheus = await newKey({ features: ['Metrics'] })
    const statuses = async (url: string) =>
      [await ask(url), await ask(url, reader), await ask(url, prometheus)].map(({ status }) => status)
    expect(await statuses('/metrics')).toEqual([401, 403, 200])
    expect(await statuses('/v1/net/l1/accounts')).toEqual([401, 200, 403])
    expect(await statuses('/healthz')).toEqual([200, 200, 200])
  })

  it('are open to everybody unless they are locked', async () => {
    const { ask } = await gatedServer(lake)
    expect((await ask('/metrics')).status).toBe(200)
  })
})
