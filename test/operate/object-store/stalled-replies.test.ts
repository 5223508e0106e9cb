import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readUntilStalled } from '../../../src/operate/object-store/read-until-stalled.ts'
import { openWritableS3Store } from '../../../src/operate/object-store/s3/s3-writable-store.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { onLoopback } from '../../support/servers/loopback.ts'
import { awsEnvironment } from '../../support/sync/bucket-server.ts'

beforeEach(() => {
  for (const [name, value] of Object.entries(awsEnvironment)) vi.stubEnv(name, value)
})
afterEach(() => vi.unstubAllEnvs())

/** A store that may be silent for half a second. */
async function storeThat(answer: (request: IncomingMessage, reply: ServerResponse) => void) {
  const { origin: endpoint } = await onLoopback(createServer(answer))
  const store = openWritableS3Store({ bucket: 'b', endpoint, isRequesterPays: false, silentMs: 500 })
  cleanUp(() => store.close())
  return store
}

describe('a body', () => {
  const as = (error: unknown) => error as Error
  const pace = { silentMs: 60_000, leastBytes: 1000, windowMs: 20 }

  async function* inTurns(bytes: number, count: number, waitMs: number) {
    for (let turn = 0; turn < count; turn += 1) {
      await setTimeout(waitMs)
      yield Buffer.alloc(bytes)
    }
  }

  it('that arrives a byte at a time is aborted, although it never stalls', async () => {
    const chunks = readUntilStalled(inTurns(1, 1000, 15), pace, as, undefined)
    await expect(Readable.from(chunks).toArray()).rejects.toThrow(/^only \d bytes came in \d+ s$/)
  })

  it('that arrives fast enough is read to its end, even by a slow reader', async () => {
    expect(
      await Readable.from(readUntilStalled(inTurns(2000, 8, 15), pace, as, undefined)).toArray(),
    ).toHaveLength(8)
    let bytes = 0
    for await (const chunk of readUntilStalled(inTurns(1, 4, 0), { ...pace, windowMs: 500 }, as, undefined)) {
      bytes += chunk.length
      await setTimeout(200)
    }
    expect(bytes).toBe(4)
  })
})

describe('a store', () => {
  it.each([
    ['object', (store: Awaited<ReturnType<typeof storeThat>>) => store.get('k')],
    ['listing', (store: Awaited<ReturnType<typeof storeThat>>) => store.list({ prefix: '' })],
  ])('whose %s stops within its body is disconnected', async (_, ask) => {
    const store = await storeThat((_request, reply) => {
      reply.writeHead(200, { 'content-length': 100, 'content-type': 'application/xml' }).write('<L')
    })
    await expect(ask(store)).rejects.toMatchObject({ kind: 'passing' })
  })

  it('has time for an upload in proportion to its bytes, although it responds after the last one', async () => {
    const store = await storeThat(async (request, reply) => {
      for await (const _ of request);
      // A sign of life, as bytes that are still being sent.
      for (let turn = 0; turn < 8; turn += 1) {
        await setTimeout(150)
        reply.writeProcessing()
      }
      reply.writeHead(200, { etag: '"x"' }).end()
    })
    await expect(store.put('k', Buffer.alloc(10))).rejects.toMatchObject({ kind: 'passing' })
    await expect(store.put('k', Buffer.alloc(20_000))).resolves.toBeUndefined()
  })
})
