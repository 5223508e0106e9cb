import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ServiceError } from '../../../src/base/errors.ts'
import { openServices } from '../../../src/services/services.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { aroundRows } from '../../support/around-rows.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { askGraphql } from '../../support/servers/ask-graphql.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait.ts'

let lake: string
beforeAll(async () => {
  lake = await smallLake()
})

async function readinessOf({ server }: Pick<TestServer, 'server'>) {
  const { statusCode, headers, body } = await server.inject({ url: '/readyz' })
  const { status, error, code } = JSON.parse(body)
  const alive = (await server.inject({ url: '/healthz' })).statusCode
  const gauge = /^ledgerlake_ready (\d)$/m.exec((await server.inject({ url: '/metrics' })).body)?.[1]
  return { readyz: statusCode, said: status ?? error, code, again: headers['retry-after'], alive, gauge }
}

const ready = { readyz: 200, said: 'ready', code: undefined, again: undefined, alive: 200, gauge: '1' }
const notReady = (said: string) => ({
  readyz: 503,
  said,
  code: 'not_ready',
  again: '5',
  alive: 200,
  gauge: '0',
})

describe('/readyz', () => {
  it('GET /readyz returns 200 once lake, engine and key file are loaded', async () => {
    const test = await buildTestServer(lake)
    expect(await readinessOf(test)).toEqual(ready)
    const { body } = await test.server.inject({ url: '/readyz' })
    expect(JSON.parse(body).snapshot).toBe((await test.get('/l2/makers')).headers['ledgerlake-snapshot'])
    expect(await readinessOf((await gatedServer(lake)).test)).toEqual(ready)
  })

  it('is not ready before the first ingest', async () => {
    const test = await buildTestServer(await temporaryFolder())
    expect(await readinessOf(test)).toEqual(notReady('Nothing has been ingested yet.'))
  })

  it('is not ready while the server stops', async () => {
    let isStopping = false
    const test = await buildTestServer(lake, 60_000, undefined, { isDraining: () => isStopping })
    expect(await readinessOf(test)).toEqual(ready)
    isStopping = true
    expect(await readinessOf(test)).toEqual(notReady('The server is about to stop.'))
  })

  it('is not ready while the lake is unreadable, and ready again afterwards', async () => {
    const own = await smallLake()
    const test = await buildTestServer(own, 100)
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    const log = join(own, 'makers', '_delta_log')
    renameSync(log, `${log}.away`)
    writeFileSync(log, '')
    const unreadable = notReady('The lake cannot be read; the log of the server says why.')
    await waitFor(async () => expect(await readinessOf(test)).toEqual(unreadable))
    renameSync(log, `${log}.broken`)
    renameSync(`${log}.away`, log)
    await waitFor(async () => expect(await readinessOf(test)).toEqual(ready))
  })

  it('is not ready while the key file is damaged', async () => {
    const { test, keyFile } = await gatedServer(lake)
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    writeFileSync(keyFile, 'nonsense\n')
    const damaged = notReady('The key file is missing or damaged; the log of the server says why.')
    await waitFor(async () => expect(await readinessOf(test)).toEqual(damaged))
  })

  const noAnswer = notReady('The engine does not answer.')

  it('is not ready when the engine refuses every statement', async () => {
    const ping = () => Promise.reject(new Error('FATAL Error: database has been invalidated'))
    const test = await buildTestServer(lake, 60_000, undefined, { engine: { ping } })
    expect(await readinessOf(test)).toEqual(noAnswer)
  })

  it('is not ready while the engine reopens, and ready once it is open', async () => {
    let isOpening = true
    const engine = { ping: async () => {}, isOpening: () => isOpening }
    const test = await buildTestServer(lake, 60_000, undefined, { engine })
    expect(await readinessOf(test)).toEqual(notReady('The engine has failed and is being opened anew.'))
    isOpening = false
    expect(await readinessOf(test)).toEqual(ready)
  })

  it('is not ready when the engine hangs', async () => {
    const test = await buildTestServer(lake, 60_000, undefined, {
      engine: { ping: () => new Promise(() => {}) },
    })
    await test.server.ready()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const asked = readinessOf(test)
    await vi.advanceTimersByTimeAsync(5000)
    vi.useRealTimers()
    expect(await asked).toEqual(noAnswer)
  })

  it('pings the engine once a second for any number of clients', async () => {
    let pings = 0
    const ping = async () => {
      pings += 1
    }
    const test = await buildTestServer(lake, 60_000, undefined, { engine: { ping } })
    await Promise.all([readinessOf(test), readinessOf(test), readinessOf(test)])
    expect(pings).toBe(1)
  })
})

describe('a server that listens', () => {
  it('pings its engine each second without requests, but not while a ping is open', async () => {
    let pings = 0
    let isHanging = false
    const ping = () => {
      pings += 1
      return isHanging ? new Promise<never>(() => {}) : Promise.resolve()
    }
    const test = await buildTestServer(lake, 60_000, undefined, { engine: { ping } })
    await test.server.ready()
    vi.useFakeTimers({
      toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'],
    })
    onTestFinished(() => void vi.useRealTimers())
    const inSeconds = async (seconds: number) => {
      await vi.advanceTimersByTimeAsync(seconds * 1000)
      return pings
    }
    expect(await inSeconds(2)).toBe(0)
    await test.server.listen({ host: '127.0.0.1', port: 0 })
    expect([await inSeconds(1), await inSeconds(1), await inSeconds(1)]).toEqual([1, 2, 3])
    isHanging = true
    // It hangs from the fourth second on, and is given up in the ninth.
    expect([await inSeconds(1), await inSeconds(4), await inSeconds(2)]).toEqual([4, 4, 5])
    await test.server.close()
    expect(await inSeconds(10)).toBe(5)
  })
})

it('every door returns not_ready while the engine reopens', async () => {
  const fault = new ServiceError('not_ready', 'The engine has failed and is being opened anew.')
  const test = await buildTestServer(lake, 60_000, (engine) =>
    aroundRows(engine, () => Promise.reject(fault)),
  )
  const page = await test.get('/l2/makers')
  expect([page.status, page.headers['retry-after'], JSON.parse(page.text)]).toEqual([
    503,
    '5',
    { error: fault.message, code: 'not_ready' },
  ])
  const { errors } = await askGraphql(test.server, '{ iotRewardShares { nodes { amount } } }')
  expect(errors).toMatchObject([{ message: fault.message, extensions: { code: 'not_ready' } }])
})

it('a closed engine answers the running ping, and no other', async () => {
  const { engine, close } = await openServices(readSettings({}, { lake, engine_memory_mb: '256' }))
  await expect(engine.ping?.()).resolves.toBeUndefined()
  expect(engine.load?.()).toMatchObject({
    name: expect.stringMatching(/^duckdb v\d/),
    running: 0,
    waiting: 0,
  })
  const last = engine.ping?.()
  await close()
  await expect(last).resolves.toBeUndefined()
  await expect(engine.ping?.()).rejects.toThrow()
})
