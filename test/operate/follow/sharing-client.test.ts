import { describe, expect, it } from 'vitest'
import { writeSnapshotId } from '../../../src/lake/snapshot/snapshot-id.ts'
import { sharingEndpoint } from '../../../src/operate/follow/sharing-endpoint.ts'
import { openSharingOrigin } from '../../../src/operate/follow/sharing-origin.ts'
import { openListService, send } from '../../support/sync/list-service.ts'

const { signal } = new AbortController()
const lake = '{"snapshot":"","tables":{}}'

/** The reply of a lake with tables at these versions. */
function servedTables(tables: Readonly<Record<string, number>>): string {
  const named = Object.entries(tables).map(([name, version]) => ({
    ...{ resource: { name }, version, digest: name },
  }))
  return JSON.stringify({ snapshot: writeSnapshotId(named), tables })
}

/** An origin with a key, at a service that answers as it is told; it may be silent for as long as a busy machine is. */
async function asking(answer: Parameters<typeof openListService>[0], silentMs = 60_000) {
  const service = await openListService(answer)
  const endpoint = service.address.replace('/v1/net', '/delta-sharing')
  return { service, endpoint, origin: openSharingOrigin({ endpoint, key: 'hush', silentMs }) }
}

describe('another ledgerlake', () => {
  it('is requested again only after its Retry-After', async () => {
    const { service, origin } = await asking((_, reply) => reply.writeHead(429, { 'retry-after': '1' }).end())
    const began = performance.now()
    await expect(origin.versions(signal)).rejects.toMatchObject({ kind: 'passing', status: 429 })
    service.answer = (_, reply) => send(reply, lake)
    expect(await origin.versions(signal)).toEqual(new Map())
    expect(performance.now() - began).toBeGreaterThan(990)
  })

  it('with a Retry-After above 900 s ends the run', async () => {
    const { origin } = await asking((_, reply) => reply.writeHead(503, { 'retry-after': '901' }).end())
    await expect(origin.versions(signal)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(/answers 503; it wants to be asked again in 901 s$/),
    })
  })

  it.each([
    [
      401,
      'it does not take the key in LEDGERLAKE_SYNC_KEY, or the key lacks a feature; it says: no *** here',
    ],
    [402, 'the key has used up its requests, and what was fetched is kept until then; it says: no *** here'],
    [403, 'set LEDGERLAKE_SYNC_KEY to a key with the feature Share; it says: no *** here'],
    [404, 'it has no lake to copy; --url is the address of a ledgerlake'],
    [204, 'it is not the reply of a server that shares its lake'],
  ])('that answers %i is refused with an error that does not contain the key', async (status, words) => {
    const body = JSON.stringify({ message: 'no hush here' })
    const { origin } = await asking((_, reply) => reply.writeHead(status).end(status === 204 ? '' : body))
    const refused = { kind: 'refused', message: expect.stringContaining(words) }
    await expect(origin.versions(signal)).rejects.toMatchObject(refused)
  })

  it.each([
    ['[]', 'which is cut or no reply'],
    ['{"snapshot":"a","tables":{"makers":-1}}', 'which is cut or no reply'],
    ['{"snapshot":"a","tables":{"mak', 'which is cut or no reply'],
    [servedTables({ makers: 3 }).replace('3-', '7-'), 'which is cut or no reply'],
    [servedTables({ makers: 3 }).replace(':3}', ':7}'), 'which is cut or no reply'],
    [servedTables({ later: 1 }), 'has the table later, which this version does not know'],
  ])('that sends %s is refused', async (body, words) => {
    const { origin } = await asking((_, reply) => send(reply, body))
    await expect(origin.versions(signal)).rejects.toThrow(words)
  })

  it('that sends an endless entry is disconnected at 64 MiB, and lines are read in pieces of any size', async () => {
    const entry = (version: number) => JSON.stringify({ version, text: `entry ä ${version}`, files: {} })
    const lines = Buffer.from(`${entry(0)}\n\n${entry(1)}\n${entry(2)}`)
    const { service, origin } = await asking(async (_, reply) => {
      reply.writeHead(200)
      for (const byte of lines) reply.write(Buffer.of(byte))
      reply.end()
    })
    const read = async () => {
      const texts: string[] = []
      for await (const text of origin.entries('makers', -1, 2, signal)) texts.push(text)
      return texts
    }
    expect(await read()).toEqual(['entry ä 0', 'entry ä 1', 'entry ä 2'])
    const piece = Buffer.alloc(1 << 20, '{')
    service.answer = (_, reply) => {
      const send = () => {
        if (!reply.destroyed && reply.write(piece)) setImmediate(send)
      }
      reply.on('drain', send)
      send()
    }
    await expect(read()).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(/sends a log entry of more than 67108864 bytes$/),
    })
  })

  it('that stalls before or within a response ends by the timeout', async () => {
    const { service, origin } = await asking(() => {}, 300)
    const silent = { kind: 'passing', message: expect.stringContaining('nothing came for 0.3 s') }
    await expect(origin.versions(signal)).rejects.toMatchObject(silent)
    service.answer = (_, reply) => void reply.writeHead(200).write('{')
    await expect(origin.versions(signal)).rejects.toMatchObject(silent)
  })

  it('gets the key, and the target of a redirect does not', async () => {
    const other = await openListService((_, reply) => send(reply, lake))
    const { service, origin } = await asking((_, reply) =>
      reply.writeHead(307, { location: other.address }).end(),
    )
    await origin.versions(signal)
    expect([service, other].map(({ asked }) => asked.map(({ authorization }) => authorization))).toEqual([
      ['Bearer hush'],
      [undefined],
    ])
  })

  it('is disconnected when the signal aborts', async () => {
    const { origin } = await asking(() => {})
    const stop = new AbortController()
    const asked = origin.versions(stop.signal)
    stop.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
  })
})

describe('the sharing endpoint', () => {
  it.each([
    ['https://lake.example.org', 'https://lake.example.org/delta-sharing'],
    ['https://lake.example.org/base/', 'https://lake.example.org/base/delta-sharing'],
    ['https://lake.example.org/base/delta-sharing/', 'https://lake.example.org/base/delta-sharing'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/delta-sharing'],
    ['https://user:key@lake.example.org', undefined],
    ['https://lake.example.org?a=1', undefined],
    ['s3://bucket', undefined],
  ])('is derived from the address %s', (given, endpoint) => expect(sharingEndpoint(given)).toBe(endpoint))
})
