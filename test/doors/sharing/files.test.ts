import { createHash, createHmac } from 'node:crypto'
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readByteRange } from '../../../src/doors/files/file-body.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { pathOf, query, sharingOf } from '../../support/servers/sharing.ts'
import { some } from '../../support/some.ts'
import { addedFiles, locationOf } from '../../support/tables/delta-table.ts'

const table = 'iot_reward_shares'
let lake: string
let server: TestServer['server']
let url: string
let place: string
let bytes: Buffer

beforeAll(async () => {
  lake = await smallLake()
  server = (await buildTestServer(lake, 60_000, undefined, sharingOf(lake))).server
  const [first] = some((await query(server, table)).files)
  url = pathOf(first.url)
  const [added] = some(addedFiles(join(lake, table)))
  place = locationOf(join(lake, table), added)
  bytes = readFileSync(place)
})

const get = (range?: string, more: Record<string, string> = {}) =>
  server.inject({ url, headers: { ...(range !== undefined && { range }), ...more } })

const refused = async (address: string) => {
  const reply = await server.inject(address)
  return [reply.statusCode, reply.json().message]
}

const changed =
  'The signature of this address is not one of this server: the address was changed, or another server signed it. Query the table again.'

describe('a shared file', () => {
  it('is sent whole, with its length, its tag, and its type', async () => {
    const reply = await get()
    expect(reply.statusCode).toBe(200)
    expect(reply.rawPayload.equals(bytes)).toBe(true)
    expect(reply.headers).toMatchObject({
      'accept-ranges': 'bytes',
      'content-length': String(bytes.length),
      'content-type': 'application/vnd.apache.parquet',
      etag: `"${createHash('sha256').update(bytes).digest('hex')}"`,
    })
  })

  it('returns the same headers to HEAD, without a body', async () => {
    const { statusCode, headers, rawPayload } = await server.inject({ method: 'HEAD', url })
    expect([statusCode, headers['content-length'], headers['accept-ranges'], rawPayload.length]).toEqual([
      200,
      String(bytes.length),
      'bytes',
      0,
    ])
  })

  it('returns 304 for a matching If-None-Match, and 412 for a failing If-Match', async () => {
    const { etag } = (await get()).headers
    for (const known of [String(etag), `"other", W/${etag}`, '*'])
      for (const range of [undefined, 'bytes=0-3']) {
        const reply = await get(range, { 'if-none-match': known })
        expect([reply.statusCode, reply.headers.etag, reply.body]).toEqual([304, etag, ''])
      }
    expect((await get(undefined, { 'if-match': '"other"' })).statusCode).toBe(412)
    expect((await get('bytes=0-3', { 'if-match': String(etag) })).statusCode).toBe(206)
  })

  it.each([
    ['bytes=0-3', 0, 3],
    ['bytes=4-', 4, -1],
    ['bytes=-8', -8, -1],
    ['bytes=100-999999999', 100, -1],
  ])('is sent in part for %s', async (range, from, to) => {
    const at = (bound: number) => (bound < 0 ? bytes.length + bound : bound)
    const [first, last] = [at(from), at(to)]
    const reply = await get(range)
    expect([reply.statusCode, reply.headers['content-range'], reply.headers['content-length']]).toEqual([
      206,
      `bytes ${first}-${last}/${bytes.length}`,
      String(last - first + 1),
    ])
    expect(reply.rawPayload.equals(bytes.subarray(first, last + 1))).toBe(true)
  })

  it('returns 416 with its length for a range outside of it', async () => {
    for (const range of [`bytes=${bytes.length}-`, 'bytes=-0']) {
      const { statusCode, headers, body } = await get(range)
      expect([statusCode, headers['content-range']]).toEqual([416, `bytes */${bytes.length}`])
      expect(JSON.parse(body)).toEqual({
        errorCode: 'RANGE_NOT_SATISFIABLE',
        message: `Range is "${range}"; the file has ${bytes.length} bytes, from 0.`,
      })
    }
  })

  it('is sent whole for malformed and multiple ranges, and if If-Range does not match', async () => {
    for (const range of ['bytes=5-2', 'rows=0-3', 'bytes=0-1,4-5', 'bytes=-'])
      expect([range, (await get(range)).statusCode]).toEqual([range, 200])
    expect((await get('bytes=0-3', { 'if-range': '"other"' })).statusCode).toBe(200)
    const tag = String((await get()).headers.etag)
    expect((await get('bytes=0-3', { 'if-range': tag })).statusCode).toBe(206)
  })

  it('accepts ranges with positions of 400 digits', () => {
    expect(readByteRange(`bytes=${'9'.repeat(400)}-`, 10)).toBe('none')
    expect(readByteRange(`bytes=-${'9'.repeat(400)}`, 10)).toEqual({ first: 0, last: 9 })
  })
})

describe('the address of a shared file', () => {
  it('is signed with all of its parts', async () => {
    const signed = new URL(url, 'http://lake')
    const of = (change: (own: URL) => void) => {
      const own = new URL(signed)
      change(own)
      return own.pathname + own.search
    }
    const later = String(Number(signed.searchParams.get('expires')) + 1)
    const other = 'A'.repeat(43)
    const changes: Record<string, (own: URL) => void> = {
      expires: ({ searchParams }) => searchParams.set('expires', later),
      bytes: ({ searchParams }) => searchParams.set('bytes', '4'),
      sha256: ({ searchParams }) => searchParams.set('sha256', '0'.repeat(64)),
      recipient: ({ searchParams }) => searchParams.set('recipient', '0123456789ab'),
      signature: ({ searchParams }) => searchParams.set('signature', other),
      short: ({ searchParams }) => searchParams.set('signature', 'AA'),
      none: ({ searchParams }) => searchParams.delete('signature'),
      twice: ({ searchParams }) => searchParams.append('signature', other),
      month: (own) => {
        own.pathname = own.pathname.replace('2025-01', '2025-02')
      },
      table: (own) => {
        own.pathname = own.pathname.replace(table, 'makers')
      },
    }
    for (const [name, change] of Object.entries(changes))
      expect([name, ...(await refused(of(change)))]).toEqual([name, 403, changed])
    expect((await get()).statusCode).toBe(200)
  })

  it('of another server, or of a secret that was changed, is refused', async () => {
    const other = await buildTestServer(lake, 60_000, undefined, sharingOf(lake, { secret: 8 }))
    const reply = await other.server.inject(url)
    expect([reply.statusCode, reply.json()]).toEqual([
      403,
      { errorCode: 'FEATURE_NOT_AVAILABLE', message: changed },
    ])
  })

  it('is refused once it has expired', async () => {
    const short = await buildTestServer(lake, 60_000, undefined, sharingOf(lake, { linkMs: -1 }))
    const [file] = some((await query(short.server, table)).files)
    const until = new Date(file.expirationTimestamp).toISOString()
    const reply = await short.server.inject(pathOf(file.url))
    expect([reply.statusCode, reply.json().message]).toEqual([
      403,
      `This address was valid until ${until}. Query the table again.`,
    ])
  })

  it.each([
    ['rejects', '../_keys/keys.ndjson'],
    [table, '_delta_log/00000000000000000000.json'],
    [table, '../makers/part-1.parquet'],
    [table, 'month=2025-01/../../_keys/part-1.parquet'],
    ['../lake', 'part-1.parquet'],
    ['no_table', 'part-1.parquet'],
    [table, '_facts/../_delta_log/00000000000000000000.json'],
    [table, `_facts/${'0'.repeat(64)}.json`],
  ])('that names %s and %s is refused, even with a valid signature', async (name, path) => {
    const [sha256, size, expires] = ['0'.repeat(64), 4, Date.now() + 60_000]
    const signed = JSON.stringify(['file', name, path, sha256, size, '', expires])
    const signature = createHmac('sha256', Buffer.alloc(32, 7)).update(signed).digest('base64url')
    const asked = `?sha256=${sha256}&bytes=${size}&expires=${expires}&signature=${signature}`
    const place = [name, path].map(encodeURIComponent).join('/')
    expect(await refused(`/delta-sharing/files/${place}${asked}`)).toEqual([404, 'There is no such file.'])
  })

  it('has the outside address and base path of the server, and works below them', async () => {
    const outside = { origin: 'https://api.example.org', basePath: '/base' }
    const below = await buildTestServer(lake, 60_000, undefined, { ...sharingOf(lake), outside })
    const [file] = some((await query(below.server, table)).files)
    expect(file.url).toMatch(
      /^https:\/\/api\.example\.org\/base\/delta-sharing\/files\/iot_reward_shares\/month=/,
    )
    for (const asked of [pathOf(file.url), pathOf(file.url).replace('/base', '')])
      expect((await below.server.inject(asked)).rawPayload.equals(bytes)).toBe(true)
  })

  it('has no signature in the log of requests', async () => {
    const lines: string[] = []
    const log = { access: true, write: (line: string) => lines.push(line) }
    const logged = await buildTestServer(lake, 60_000, undefined, { ...sharingOf(lake), log })
    await logged.server.inject(url)
    const signature = new URL(url, 'http://lake').searchParams.get('signature') ?? 'none'
    expect(lines.join('')).toContain('/delta-sharing/files/')
    expect(lines.join('')).not.toContain(signature)
  })
})

describe('a file that is damaged', () => {
  it('returns an error with its name until it is repaired, and other files are sent', async () => {
    const { atime, mtime } = statSync(place)
    const flipped = Buffer.from(bytes)
    flipped.writeUInt8(flipped.readUInt8(5000) ^ 4, 5000)
    writeFileSync(place, flipped)
    utimesSync(place, atime, mtime)
    const name = /month=[^?]*/.exec(url)?.[0]
    for (const range of [undefined, 'bytes=0-3']) {
      const reply = await get(range)
      expect([reply.statusCode, reply.json()]).toEqual([
        503,
        {
          errorCode: 'LAKE_DAMAGED',
          message:
            `${table}/${name} of the lake is damaged: its SHA-256 is another one. Answers that need it are refused ` +
            'until it is repaired: ledgerlake verify --lake DIR --repair',
        },
      ])
      expect(reply.headers).not.toHaveProperty('content-range')
      expect(reply.headers).not.toHaveProperty('etag')
    }
    const [, second] = (await query(server, table)).files
    expect((await server.inject(pathOf(String(second?.url)))).statusCode).toBe(200)
    writeFileSync(place, bytes)
    expect((await get()).rawPayload.equals(bytes)).toBe(true)
  })
})
