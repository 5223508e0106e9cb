import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listAllPages, nameLimit } from '../../../src/operate/object-store/list-all-pages.ts'
import { openWritableS3Store } from '../../../src/operate/object-store/s3/s3-writable-store.ts'
import { readSpent } from '../../../src/operate/sync/spending.ts'
import { syncBucket } from '../../../src/operate/sync/sync-bucket.ts'
import { onLoopback } from '../../support/servers/loopback.ts'
import { awsEnvironment } from '../../support/sync/bucket-server.ts'
import { syncRequest } from '../../support/sync/synced.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const bucket = 'network-files'
const chunk = Buffer.from('<Contents><Key>a/iot_reward_share.1738369800559.gz</Key></Contents>'.repeat(2000))

beforeEach(() => {
  for (const [name, value] of Object.entries(awsEnvironment)) vi.stubEnv(name, value)
})
afterEach(() => vi.unstubAllEnvs())

/** A store that answers every request by `answer`, and how many there were. */
async function storeThat(answer: (reply: ServerResponse, count: number) => void) {
  let requests = 0
  const { origin: endpoint } = await onLoopback(createServer((_, reply) => answer(reply, ++requests)))
  return { bucket, endpoint, requests: () => requests }
}

const page = (reply: ServerResponse, token: string, contents = '') =>
  reply
    .writeHead(200, { 'Content-Type': 'application/xml' })
    .end(
      `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>${token}</NextContinuationToken>${contents}</ListBucketResult>`,
    )

/** Sends as fast as it is taken, and gives how many bytes that were. */
async function sendForEver(reply: ServerResponse): Promise<number> {
  let sent = 0
  reply.setMaxListeners(0)
  while (!reply.destroyed) {
    sent += chunk.length
    if (!reply.write(chunk)) await Promise.race([once(reply, 'drain'), once(reply, 'close')])
  }
  return sent
}

describe('a store', () => {
  it.each([200, 400])('whose response of %i never ends is disconnected after 16 MB', async (status) => {
    const sent: Promise<number>[] = []
    const place = await storeThat((reply) => {
      reply.writeHead(status, { 'Content-Type': 'application/xml' }).write('<ListBucketResult>')
      sent.push(sendForEver(reply))
    })
    const request = syncRequest(place, await temporaryFolder())
    await expect(syncBucket(request)).rejects.toThrow(/sends more than 16000000 bytes where a listing/)
    const [bytes = 0, ...others] = await Promise.all(sent)
    // With what the buffers of both ends hold.
    expect([bytes > 16_000_000, bytes < 64_000_000, others]).toEqual([true, true, []])
    expect(await readSpent(request.folder)).toMatchObject({ lists: 1 })
  })

  it.each(['<html><body>Please sign in</body></html>', ''])(
    'that answers a listing with %j is not read as an empty bucket',
    async (body) => {
      const place = await storeThat((reply) =>
        reply.writeHead(200, { 'Content-Type': 'text/html' }).end(body),
      )
      const patience = { attempts: 2, firstWaitMs: 1 }
      const request = syncRequest(place, await temporaryFolder(), { patience })
      await expect(syncBucket(request)).rejects.toThrow(
        /other than a listing; check --endpoint, and for a proxy/,
      )
      expect(place.requests()).toBe(2)
    },
  )

  it.each([
    ['<IsTruncated>true</IsTruncated>', /goes on, and does not say where/],
    ['<IsTruncated>false</IsTruncated><Contents><Key>k</Key></Contents>', /gives no number as the size of k/],
    [
      '<IsTruncated>false</IsTruncated><Contents><Key>k</Key><Size>-9</Size></Contents>',
      /gives -9 as the size of k/,
    ],
  ])('that answers a listing with %j causes an error', async (content, sentence) => {
    const place = await storeThat((reply) =>
      reply
        .writeHead(200, { 'Content-Type': 'application/xml' })
        .end(`<ListBucketResult><Name>n</Name>${content}</ListBucketResult>`),
    )
    const patience = { attempts: 1, firstWaitMs: 1 }
    await expect(syncBucket(syncRequest(place, await temporaryFolder(), { patience }))).rejects.toThrow(
      sentence,
    )
  })

  it('whose listing never ends causes an error that names the limit of names', async () => {
    const names = Array.from(
      { length: 500 },
      (_, place) => `<Contents><Key>x/${place}</Key><Size>1</Size></Contents>`,
    )
    const place = await storeThat((reply, count) => page(reply, String(count), names.join('')))
    const request = syncRequest(place, await temporaryFolder(), { mostNames: 5000 })
    await expect(syncBucket(request)).rejects.toThrow(
      /more than the 5000 names of --most-names; name a longer/,
    )
    expect(place.requests()).toBe(11)
    expect(await readSpent(request.folder)).toMatchObject({ lists: 11 })
  })

  it('whose pages are empty causes an error, and a repeated page at once', async () => {
    const empty = await storeThat((reply, count) => page(reply, String(count)))
    const { bucket: name, endpoint } = empty
    const request = syncRequest({ bucket: name, endpoint }, await temporaryFolder(), { mostNames: 1000 })
    await expect(syncBucket(request)).rejects.toThrow(/--most-names/)
    expect(empty.requests()).toBeLessThanOrEqual(11)
    const again = await storeThat((reply) => page(reply, 'same'))
    const { list } = openWritableS3Store({ bucket, endpoint: again.endpoint, isRequesterPays: false })
    const pages = listAllPages((next) => list({ prefix: '', next }), nameLimit(1000))
    const read = async () => {
      for await (const _ of pages);
    }
    await expect(read()).rejects.toThrow(/sends pages of its listing again/)
    expect(again.requests()).toBe(2)
  })

  it('that sends an endless log entry is disconnected after 64 MiB', async () => {
    const place = await storeThat((reply) => void sendForEver(reply.writeHead(200)))
    const store = openWritableS3Store({ ...place, isRequesterPays: false })
    await expect(store.get('lake/_delta_log/0.json')).rejects.toThrow(/more than 67108864 bytes of lake/)
  })
})
