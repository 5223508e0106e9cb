import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openS3Store } from '../../../src/operate/object-store/s3/s3-store.ts'
import { CountedStore } from '../../../src/operate/sync/counted-store.ts'
import { readSpent, Spending } from '../../../src/operate/sync/spending.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { onLoopback } from '../../support/servers/loopback.ts'
import { awsEnvironment } from '../../support/sync/bucket-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const etag = 'f'.repeat(32)
const prices = { perThousandLists: 0n, perThousandReads: 0n, perGb: 1n }
const chunk = Buffer.alloc(1 << 16)

beforeEach(() => {
  for (const [name, value] of Object.entries(awsEnvironment)) vi.stubEnv(name, value)
})
afterEach(() => vi.unstubAllEnvs())

/** Reads an object once into a sink that is slow, and gives what arrived and what was counted. */
async function readOnce(bytes: number, answer: RequestListener) {
  const folder = await temporaryFolder()
  const spending = await Spending.open(folder, prices, undefined)
  cleanUp(() => spending.close())
  const { origin: endpoint } = await onLoopback(createServer(answer))
  const store = openS3Store({ bucket: 'network-files', endpoint, isRequesterPays: true })
  const counted = new CountedStore(store, spending, { patience: { attempts: 1, firstWaitMs: 1 } })
  let arrived = 0
  const sink = {
    bytes: () => arrived,
    async write(part: Uint8Array) {
      await setTimeout(2)
      arrived += part.length
    },
  }
  await expect(counted.read({ key: 'a/b', etag, bytes }, sink)).rejects.toThrow('network-files')
  return { arrived, counted: (await readSpent(folder)).bytes }
}

/** Sends so many chunks as fast as they are taken. */
async function send(reply: ServerResponse, chunks: number): Promise<void> {
  for (let sent = 0; sent < chunks; sent += 1) if (!reply.write(chunk)) await once(reply, 'drain')
}

describe('a read', () => {
  it('that breaks off counts all bytes that were sent, even if they did not arrive', async () => {
    const bytes = 512 * chunk.length
    const { arrived, counted } = await readOnce(bytes, async (_, reply) => {
      reply.writeHead(200, { ETag: `"${etag}"`, 'Content-Length': bytes })
      await send(reply, 511)
      reply.socket?.resetAndDestroy()
    })
    expect(arrived).toBeLessThan(511 * chunk.length)
    expect(Number(counted)).toBeGreaterThanOrEqual(511 * chunk.length)
  })

  it('that breaks off early is not charged for bytes that cannot have been sent', async () => {
    const bytes = 2 ** 30
    const { arrived, counted } = await readOnce(bytes, async (_, reply) => {
      reply.writeHead(200, { ETag: `"${etag}"`, 'Content-Length': bytes })
      await send(reply, 16)
      reply.destroy()
    })
    expect(counted).toBe(BigInt(arrived + 2 ** 26))
  })

  it('that is answered with an error counts no bytes', async () => {
    const { arrived, counted } = await readOnce(5_000_000, (_, reply) => {
      reply.writeHead(503, { 'Content-Type': 'application/xml' }).end('<Error><Code>SlowDown</Code></Error>')
    })
    expect([arrived, counted]).toEqual([0, 0n])
  })
})
