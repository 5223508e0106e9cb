import { readdirSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../bench/support/free-port.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { listenAddress } from '../../../src/services/settings/addresses.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { some } from '../../support/some.ts'

let lake: string

beforeAll(async () => {
  lake = await smallLake()
})

describe('metrics on a separate address', () => {
  it('are served only there', async () => {
    const port = await freePort()
    const metricsAddress = { host: '127.0.0.1', port }
    const { server, close } = await buildTestServer(lake, 60_000, undefined, { metricsAddress })
    expect((await server.inject({ url: '/metrics' })).statusCode).toBe(404)
    const documents = await Promise.all(
      ['/openapi.json', '/docs', '/llms.txt'].map((url) => server.inject({ url })),
    )
    for (const { body } of documents) {
      expect(body).toContain('/readyz')
      expect(body).not.toContain('/metrics')
    }
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
    for (const [request, sentence] of [
      [
        'GET /metrics HTTP/1.1\r\n\r\n',
        'The request must have one Host header, with a name or an address and perhaps a port.',
      ],
      ['nonsense\r\n\r\n', 'The request is not valid HTTP.'],
    ] as const) {
      const socket = connect(port, '127.0.0.1').setEncoding('utf8')
      socket.write(request)
      const refused = (await socket.toArray()).join('')
      expect(refused).toContain(`"error":"${sentence}","code":"malformed_request"`)
    }
    await close()
    await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow()
  })

  it('name the flag to change if the port is in use', async () => {
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
  it('need a key with the feature Metrics, which allows nothing else', async () => {
    const { ask, newKey } = await gatedServer(lake, { options: { areMetricsLocked: true } })
    const reader = await newKey()
    const prometheus = await newKey({ features: ['Metrics'] })
    const statuses = async (url: string) =>
      [await ask(url), await ask(url, reader), await ask(url, prometheus)].map(({ status }) => status)
    expect(await statuses('/metrics')).toEqual([401, 403, 200])
    expect(await statuses('/v1/net/l1/accounts')).toEqual([401, 200, 403])
    expect(await statuses('/healthz')).toEqual([200, 200, 200])
  })

  it('are documented with their feature and refusals, which open metrics do not have', async () => {
    const operationOf = async (areMetricsLocked: boolean) => {
      const { ask, newKey } = await gatedServer(lake, { options: { areMetricsLocked } })
      const { text } = await ask('/openapi.json', await newKey())
      const { security, responses } = JSON.parse(text).paths['/metrics'].get
      return [security, Object.keys(responses)]
    }
    expect(await operationOf(true)).toEqual([[{ key: ['Metrics'] }], ['200', '401', '402', '403', '429']])
    expect(await operationOf(false)).toEqual([[], ['200']])
  })

  it('need no key unless they are locked', async () => {
    const { ask } = await gatedServer(lake)
    expect((await ask('/metrics')).status).toBe(200)
  })
})

describe('the metrics', () => {
  /** Samples by name and labels, as a scrape reads them. */
  async function scrape({ server }: TestServer): Promise<ReadonlyMap<string, string>> {
    const { body } = await server.inject({ url: '/metrics' })
    const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    return new Map(lines.map((line) => line.split(/ (?=[^ ]*$)/) as [string, string]))
  }

  it('have the rows, files and gaps of each table', async () => {
    const test = await buildTestServer(lake)
    await test.get('/status')
    const { tables } = JSON.parse((await test.get('/status')).text)
    const found = await scrape(test)
    const shares = some<{ table: string; rows: number; sources: number; refused: number }>(tables).find(
      ({ table }) => table === 'iot_reward_shares',
    )
    const of = (name: string, table = 'iot_reward_shares') =>
      found.get(`ledgerlake_${name}{table="${table}"}`)
    expect([of('rows'), of('sources'), of('rejected_messages')]).toEqual(
      [457, shares?.sources, shares?.refused].map(String),
    )
    // The last period of the fixture ends on 1 February 2025.
    expect(of('newest_period_seconds')).toBe(String(Date.UTC(2025, 1, 1) / 1000))
    expect([of('missing_periods'), of('missing_manifests')]).toEqual(['0', '0'])
    const data = readdirSync(join(lake, 'iot_reward_shares'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.parquet') && !name.includes('_delta_log'),
    )
    const bytes = data.map((name) => statSync(join(lake, 'iot_reward_shares', name)).size)
    expect(of('table_files')).toBe(String(data.length))
    expect(of('table_bytes')).toBe(String(some(bytes).reduce((sum, size) => sum + size, 0)))
    const committed = Number(of('commit_timestamp_seconds'))
    expect(Math.abs(Date.now() / 1000 - committed)).toBeLessThan(3600)
    for (const name of ['index by hotspot', 'row indexes', 'offloaded bytes'])
      expect(found.get(`ledgerlake_derived_complete{structure="${name}"}`)).toMatch(/^[01]$/)
  })

  it('have the work of the engine, for a page and for a response without work', async () => {
    const test = await buildTestServer(lake)
    const load = async () => {
      const found = await scrape(test)
      return ['statements_total', 'rows_total', 'files_total', 'running', 'waiting'].map((name) =>
        Number(found.get(`ledgerlake_engine_${name}`)),
      )
    }
    const [before, again] = [await load(), await load()]
    expect(again).toEqual(before)
    const { statements, files } = test.engine.work()
    const { text } = await test.get('/l2/iot-reward-shares?from=2025-01-28&to=2025-02-01&per_page=7')
    expect(JSON.parse(text).records).toHaveLength(7)
    const work = test.engine.work()
    const [statementsNow = 0, rowsNow = 0, filesNow = 0, ...now] = await load()
    const [statementsThen = 0, rowsThen = 0, filesThen = 0] = before
    expect(statementsNow - statementsThen).toBe(work.statements - statements)
    expect(filesNow - filesThen).toBe(work.files - files)
    expect(rowsNow - rowsThen).toBeGreaterThanOrEqual(7)
    expect(now).toEqual([0, 0])
  })

  it('count hits and misses of the reply cache, and sent bytes', async () => {
    const test = await buildTestServer(lake, 60_000, undefined, { answerMemoryMb: 1 })
    const address = await test.server.listen({ port: 0, host: '127.0.0.1' })
    const page = `${address}/v1/net/l2/makers?per_page=2`
    const bodies = [await (await fetch(page)).text(), await (await fetch(page)).text()]
    const found = await scrape(test)
    const cache = (name: string) => Number(found.get(`ledgerlake_reply_cache_${name}`))
    expect([cache('hits_total'), cache('misses_total'), cache('limit_bytes')]).toEqual([1, 1, 2 ** 20])
    expect(cache('entries')).toBeGreaterThan(0)
    const length = Buffer.byteLength(some(bodies)[0] ?? '')
    expect(cache('bytes')).toBeGreaterThan(length)
    const labels = '{method="GET",route="/v1/net/l2/makers"}'
    const sent = Number(found.get(`ledgerlake_reply_bytes_total${labels}`))
    // The same body twice, and headers of less than 2 kB each.
    expect(sent).toBeGreaterThan(2 * length)
    expect(sent).toBeLessThan(2 * (length + 2000))
  })

  it('count the requests that a limit refuses', async () => {
    const test = await buildTestServer(lake, 60_000, undefined, { mostRequests: 0 })
    expect((await test.get('/status')).status).toBe(503)
    const found = await scrape(test)
    const of = (name: string, kind: string) => found.get(`ledgerlake_requests_${name}{kind="${kind}"}`)
    expect([of('limit', 'request'), of('running', 'request'), of('refused_total', 'request')]).toEqual([
      '0',
      '0',
      '1',
    ])
    expect([of('limit', 'export'), of('running', 'export'), of('refused_total', 'export')]).toEqual([
      '100',
      '0',
      '0',
    ])
  })

  it('name version and engine, and follow the conventions of Prometheus', async () => {
    const test = await buildTestServer(lake)
    const { body } = await test.server.inject({ url: '/metrics' })
    const info =
      /^ledgerlake_build_info\{version="([^"]+)",node="([^"]+)",engine="(duckdb v[^"]+)"\} 1$/m.exec(body)
    expect(info?.slice(1, 3)).toEqual([manifest.version, process.version])
    const types = [...body.matchAll(/^# TYPE (\w+) (\w+)$/gm)]
    expect(types.filter(([, name]) => name?.startsWith('nodejs_')).length).toBeGreaterThan(10)
    for (const [, name = '', type] of some(types)) {
      expect(name).toMatch(/^(?:ledgerlake|process|nodejs)_[a-z0-9]+(_[a-z0-9]+)*$/)
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter'])
    }
    expect(body).toMatch(/^nodejs_eventloop_lag_p99_seconds \S+$/m)
    expect(body).toMatch(/^process_resident_memory_bytes \d+$/m)
  })
})
