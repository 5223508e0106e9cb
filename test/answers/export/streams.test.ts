import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { ServerOptions } from '../../../src/doors/build-server.ts'
import type { Engine, RowNumberReads } from '../../../src/engine/engine.ts'
import { plainFormats, readers } from '../../support/export/read-files.ts'
import { dayBefore, hotspot, iotShare, type MadeLake, makeLake } from '../../support/lakes/make-lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'

const path = '/v1/net/l2/iot-reward-shares?from=2025-01-01&to=2025-03-01'
/** Two parts of a Parquet file with all columns. */
const ROWS = 40_000

let lake: MadeLake

beforeAll(async () => {
  const shares = Array.from({ length: ROWS }, (_, number) =>
    iotShare({
      ...dayBefore('2025-01-10'),
      reward_type: 'gateway_reward',
      hotspot_key: hotspot(number).raw,
      beacon_amount: BigInt(number),
    }),
  )
  lake = await makeLake({ 'iot/iot_reward_share.1.gz': shares })
})

/** Listens with limits, and with what stands around the reads of the engine. */
async function serve(
  around: (reads: RowNumberReads) => Partial<RowNumberReads> = (reads) => reads,
  exports: Partial<ServerOptions['exports']> = {},
  others: Partial<ServerOptions> = {},
) {
  const aroundEngine = (engine: Engine): Engine => {
    const { byRowNumber } = engine
    if (byRowNumber === undefined) throw new Error('this engine reads no rows by their numbers')
    return { ...engine, byRowNumber: { ...byRowNumber, ...around(byRowNumber) } }
  }
  const limits = { most: 100, timeoutMs: 60_000, stallMs: 30_000, ...exports }
  const { server, close } = await buildTestServer(lake.folder, 60_000, aroundEngine, {
    ...others,
    exports: limits,
  })
  onTestFinished(close)
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}${path}` }
}

/** A read that fails at a call. */
function failAt<Asked extends readonly unknown[], Result>(call: number, read: (...asked: Asked) => Result) {
  let calls = 0
  return (...asked: Asked): Result => {
    calls += 1
    if (calls === call) throw new Error('a planted failure')
    return read(...asked)
  }
}

const failing = ({ columns, copy }: RowNumberReads) => ({
  columns: failAt(3, columns),
  copy: failAt(2, copy),
})

/** Sends a request by hand; its reply is not read yet. */
async function sendRaw(port: number, query: string, header = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  // A reset may arrive before anybody waits for the end.
  socket.on('error', () => {})
  socket.write(`GET ${path}${query} HTTP/1.1\r\nHost: a\r\n${header}\r\n`)
  return socket
}

/** Whether a transfer has the empty chunk that ends one in HTTP/1.1; the socket is read until it is closed. */
async function isWhole(socket: Socket): Promise<boolean> {
  let end = ''
  socket.on('data', (bytes) => {
    end = (end + bytes.toString('latin1')).slice(-5)
  })
  // A reset is an error before it is the end.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
  return end === '0\r\n\r\n'
}

describe('a failure in the middle', () => {
  it.each(plainFormats)('truncates the transfer of %s', async (format) => {
    const { url } = await serve(failing)
    const reply = await fetch(`${url}&format=${format}`)
    expect([reply.status, reply.headers.get('ledgerlake-rows')]).toEqual([200, String(ROWS)])
    await expect(reply.arrayBuffer()).rejects.toThrow('terminated')
  })

  it('truncates a compressed transfer', async () => {
    const { url } = await serve(failing)
    const reply = await fetch(`${url}&format=csv`, { headers: { 'accept-encoding': 'gzip' } })
    expect(reply.headers.get('content-encoding')).toBe('gzip')
    await expect(reply.arrayBuffer()).rejects.toThrow('terminated')
  })

  it('before the first byte returns an error response', async () => {
    const { url } = await serve(({ columns }) => ({ columns: failAt(1, columns) }))
    const reply = await fetch(`${url}&format=csv`)
    expect([reply.status, reply.headers.get('ledgerlake-rows')]).toEqual([500, null])
    expect(await reply.json()).toMatchObject({ code: 'internal' })
  })

  it('truncates the transfer if rows are missing', async () => {
    const { url } = await serve(({ columns }) => ({
      async *columns(...asked) {
        let isFirst = true
        for await (const batch of columns(...asked)) {
          if (!isFirst) yield batch
          isFirst = false
        }
      },
    }))
    const reply = await fetch(`${url}&format=csv`)
    await expect(reply.arrayBuffer()).rejects.toThrow('terminated')
  })
})

it('an export without a failure ends as a complete transfer', async () => {
  const { port } = await serve()
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET ${path}&format=csv HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
  expect(await isWhole(socket)).toBe(true)
})

it('a Parquet file that the engine writes in two parts has every row in order', async () => {
  const { url } = await serve()
  const bytes = Buffer.from(await (await fetch(`${url}&format=parquet`)).arrayBuffer())
  const rows = (await readers.parquet?.(bytes)) ?? []
  const csv = await (await fetch(`${url}&format=csv&columns=id`)).text()
  expect(rows).toHaveLength(ROWS)
  expect(rows.map(({ id }) => id)).toEqual(csv.trim().split('\n').slice(1))
})

describe('a client', () => {
  it.each(['ndjson', 'parquet'])('that disconnects from %s aborts the work', async (format) => {
    const signals: AbortSignal[] = []
    let reads = 0
    const note = (signal: AbortSignal | undefined) => {
      reads += 1
      if (signal !== undefined) signals.push(signal)
    }
    const { port } = await serve(({ columns, copy }) => ({
      columns(plan, at, signal) {
        note(signal)
        return columns(plan, at, signal)
      },
      copy(plan, form, at, signal) {
        note(signal)
        return copy(plan, form, at, signal)
      },
    }))
    const socket = await sendRaw(port, `&format=${format}`)
    await once(socket, 'readable')
    const [signal] = signals
    expect(signal?.aborted).toBe(false)
    socket.destroy()
    await once(signal as AbortSignal, 'abort')
    const sofar = reads
    await new Promise((resolve) => setTimeout(resolve, 20))
    // One more may have been on its way.
    expect(reads).toBeLessThanOrEqual(sofar + 1)
  })

  it('that does not read stops the engine after a small read-ahead, and is disconnected', async () => {
    let read = 0
    const { port } = await serve(
      ({ columns }) => ({
        async *columns(...asked) {
          for await (const batch of columns(...asked)) {
            read += batch.rows
            yield batch
          }
        },
      }),
      { stallMs: 3000, most: 1 },
    )
    const socket = await sendRaw(port, '&format=ndjson')
    await once(socket, 'readable')
    // The only place is taken, which pages do not need.
    const refused = await fetch(`http://127.0.0.1:${port}${path}&format=csv`)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200)
    // What the sockets hold, a batch that is being sent, and one ahead.
    expect(read).toBeLessThan(ROWS / 2)
    while ((await fetch(`http://127.0.0.1:${port}${path}&format=csv&columns=id`)).status === 503)
      await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await isWhole(socket)).toBe(false)
  })

  it('may read an export for longer than the request timeout', async () => {
    const { port } = await serve(undefined, {}, { requestTimeoutMs: 100 })
    const socket = await sendRaw(port, '&format=ndjson', 'Connection: close\r\n')
    await once(socket, 'readable')
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await isWhole(socket)).toBe(true)
  })

  it('gets a truncated transfer after the timeout', async () => {
    const { port } = await serve(undefined, { timeoutMs: 300 })
    const socket = await sendRaw(port, '&format=ndjson')
    await once(socket, 'readable')
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(await isWhole(socket)).toBe(false)
  })
})
