import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makers } from '../../../../src/catalog/l2/makers.ts'
import { checkKey } from '../../../../src/operate/http-client/private-address.ts'
import { serviceAddress } from '../../../../src/operate/sync/records/service-address.ts'
import { syncRecords } from '../../../../src/operate/sync/records/sync-records.ts'
import { makerRecord, versionIn } from '../../../support/messages/record-files.ts'
import { onLoopback } from '../../../support/servers/loopback.ts'
import { hostedPageOf, listing, openListService, pageOf, send } from '../../../support/sync/list-service.ts'
import { recordsRequest, rowsIn } from '../../../support/sync/records-request.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const maker = (address: string, name = `Maker ${address}`) => JSON.stringify(makerRecord(address, { name }))
const three = ['a', 'b', 'c'].map((address) => maker(address))

async function namesIn(lake: string): Promise<readonly string[]> {
  const names: string[] = []
  for await (const rows of rowsIn(lake, 'makers')) names.push(...rows.map(({ name }) => String(name)))
  return names
}

describe('a service that fails now and then', () => {
  it('is retried after 429, 500, 503, a truncated response and a closed connection, and all records arrive', async () => {
    const list = listing(three, 1)
    const times: number[] = []
    // A date has no fractions of a second.
    let until = ''
    const service = await openListService((asked, reply, request) => {
      const count = times.push(Date.now())
      const body = pageOf([maker('a')], 1, 3)
      if (count === 1) reply.writeHead(500).end('<html>')
      else if (count === 2) {
        reply.writeHead(200, { 'content-length': body.length, connection: 'close' }).end(body.slice(0, 50))
      } else if (count === 3) send(reply, body.slice(0, 80))
      else if (count === 4) request.socket.destroy()
      else if (count === 6) reply.writeHead(429, { 'retry-after': '1' }).end()
      else if (count === 7) {
        until = new Date(Date.now() + 1000).toUTCString()
        reply.writeHead(503, { 'retry-after': until }).end()
      } else list(asked, reply, request)
    })
    const request = recordsRequest(service.address, await temporaryFolder())
    expect(await syncRecords(request)).toMatchObject({ records: 3, changed: 3, certainty: 'counted' })
    // Timers may be early by a millisecond.
    expect((times[6] ?? 0) - (times[5] ?? 0)).toBeGreaterThanOrEqual(999)
    expect(times[7]).toBeGreaterThanOrEqual(Date.parse(until) - 1)
    expect(await namesIn(request.lake)).toEqual(['Maker a', 'Maker b', 'Maker c'])
  })

  it.each([
    [401, {}, '', /answers 401: it wants an API key; set LEDGERLAKE_SYNC_KEY/],
    [401, {}, 'hush', /answers 401: it does not take the key in LEDGERLAKE_SYNC_KEY/],
    [402, { 'retry-after': '90' }, 'hush', /402: the key has used up its requests; there are more in 90 s/],
    [403, {}, 'hush', /403: the key in LEDGERLAKE_SYNC_KEY lacks a feature/],
    [404, {}, '', /404: the list is not there; --url is the address up to the network/],
    [429, { 'retry-after': '86400' }, '', /answers 429/],
  ])(
    'with status %i and %o is requested once, and the error names the reason without the key',
    async (status, headers, key, sentence) => {
      const service = await openListService((_, reply) =>
        reply.writeHead(status, headers).end('{"code":"x","message":"no, hush"}'),
      )
      const request = recordsRequest(service.address, await temporaryFolder(), { key })
      const error = await syncRecords(request).catch((thrown: Error) => thrown)
      expect(error).toMatchObject({ message: expect.stringMatching(sentence) })
      expect(String(error)).toContain(key === '' ? 'it says: no, hush' : 'it says: no, ***')
      expect(service.asked).toHaveLength(1)
    },
  )

  it('is continued after the last complete page, also if that page was truncated on disk', async () => {
    const list = listing(three, 1)
    const service = await openListService((asked, reply, request) =>
      asked.page === 3 ? reply.writeHead(403).end() : list(asked, reply, request),
    )
    const request = recordsRequest(service.address, await temporaryFolder())
    await expect(syncRecords(request)).rejects.toThrow(/403/)
    expect(existsSync(join(request.lake, 'makers'))).toBe(false)
    const log = join(request.folder, 'pages.ndjson')
    writeFileSync(log, readFileSync(log).subarray(0, -20))
    Object.assign(service, { answer: list })
    service.asked.length = 0
    expect(await syncRecords(request)).toMatchObject({ records: 3, pages: 3, requests: 2 })
    expect(service.asked.map(({ page }) => page)).toEqual([2, 3])
    expect(await namesIn(request.lake)).toHaveLength(3)
  })

  it('is read from the start once its snapshot is gone', async () => {
    const list = listing(three, 1, { 'ledgerlake-snapshot': 'new' })
    const old = listing(three, 1, { 'ledgerlake-snapshot': 'old' })
    const service = await openListService((asked, reply, request) => {
      if (asked.asOf === 'old') reply.writeHead(410).end('{"error":"gone"}')
      else (service.asked.length === 1 ? old : list)(asked, reply, request)
    })
    const request = recordsRequest(service.address, await temporaryFolder())
    expect(await syncRecords(request)).toMatchObject({ records: 3, snapshot: 'new', walks: 1, pages: 3 })
    expect(service.asked.map(({ page, asOf }) => [page, asOf])).toEqual([
      ...[
        [1, null],
        [2, 'old'],
      ],
      ...[
        [1, null],
        [2, 'new'],
        [3, 'new'],
      ],
    ])
  })
})

describe('a service without an order', () => {
  it('is read until a pass has no new record, and the newest version of a record counts', async () => {
    // The first walk misses c and has a twice.
    const walks = [
      ['a', 'b', 'a'],
      ['a', 'b', 'c'],
      ['c', 'b', 'a'],
    ]
    const service = await openListService(({ page }, reply) => {
      const walk = Math.floor((service.asked.length - 1) / 3)
      const address = walks[walk]?.[page - 1] ?? ''
      send(reply, hostedPageOf([maker(address, `${address} of walk ${walk}`)], page, 3, 3))
    })
    const request = recordsRequest(service.address, await temporaryFolder())
    expect(await syncRecords(request)).toMatchObject({ records: 3, walks: 2, certainty: 'counted' })
    expect(await namesIn(request.lake)).toEqual(['a of walk 1', 'b of walk 1', 'c of walk 1'])
  })

  it('with new records in every pass is reported as unsettled after five passes', async () => {
    const service = await openListService((_, reply) => {
      const count = service.asked.length
      send(reply, hostedPageOf([maker(`m${count}`), maker(`m${count}`)], 1, 1, 2))
    })
    const request = recordsRequest(service.address, await temporaryFolder())
    expect(await syncRecords(request)).toMatchObject({ walks: 5, records: 5, certainty: 'unsettled' })
  })
})

describe('a record', () => {
  it('that changes and changes back is merged each time, and an unchanged one causes no commit', async () => {
    const service = await openListService(listing(three, 2))
    const request = recordsRequest(service.address, await temporaryFolder())
    await syncRecords(request)
    const version = await versionIn(request.lake, makers)
    expect(await syncRecords(request)).toMatchObject({ records: 3, changed: 0 })
    expect(await versionIn(request.lake, makers)).toBe(version)
    service.answer = listing([maker('a', 'other'), ...three.slice(1)], 2)
    expect(await syncRecords(request)).toMatchObject({ changed: 1 })
    expect(await namesIn(request.lake)).toEqual(['Maker b', 'Maker c', 'other'])
    service.answer = listing(three, 2)
    expect(await syncRecords(request)).toMatchObject({ changed: 1 })
    expect(await namesIn(request.lake)).toEqual(['Maker a', 'Maker b', 'Maker c'])
  })

  it('that is not a valid row is reported each time, and the others are merged once', async () => {
    const service = await openListService(listing([...three, '{"address":"d","name":7}'], 4))
    const request = recordsRequest(service.address, await temporaryFolder())
    const left = [{ key: 'd', reason: expect.stringContaining('name is 7') }]
    expect(await syncRecords(request)).toMatchObject({ records: 4, changed: 3, left })
    expect(await syncRecords(request)).toMatchObject({ records: 4, changed: 0, left })
  })

  it('that the service no longer has is removed with isReplacing if the list is complete', async () => {
    const service = await openListService(listing(three, 2))
    const request = recordsRequest(service.address, await temporaryFolder())
    await syncRecords(request)
    service.answer = listing(three.slice(1), 2)
    expect(await syncRecords(request)).toMatchObject({ removed: 0 })
    expect(await namesIn(request.lake)).toHaveLength(3)
    const replacing = { ...request, isReplacing: true }
    expect(await syncRecords(replacing)).toMatchObject({ removed: 1, walks: 2, kept: null })
    expect(await namesIn(request.lake)).toEqual(['Maker b', 'Maker c'])
    service.answer = listing([], 2)
    expect(await syncRecords(replacing)).toMatchObject({ removed: 0, kept: 'the list is empty' })
    service.answer = listing([maker('b'), maker('b')], 2)
    expect(await syncRecords(replacing)).toMatchObject({
      removed: 0,
      kept: expect.stringMatching(/cannot be known whole/),
    })
    expect(await namesIn(request.lake)).toHaveLength(2)
  })
})

describe('a list without an end', () => {
  it.each([
    ['that repeats itself', (page: number) => pageOf([maker('a')], page, page + 1), /repeats itself/],
    [
      'that grows with each page',
      (page: number) => pageOf([maker(`m${page}`)], page, page + 1),
      /has no end/,
    ],
    ['of empty pages', (page: number) => pageOf([], page, page + 1), /behind 0 records/],
    ['that is always its first page', () => pageOf([maker('a')], 1, 3), /it says that it is page 1/],
    [
      'with a next page behind the last',
      () => pageOf([], 1, 1).replace('"next_page":null', '"next_page":2'),
      /next_page is 2, of 1 pages/,
    ],
    [
      'without next_page before its last',
      () => pageOf([maker('a')], 1, 3).replace('"next_page":2', '"next_page":null'),
      /no next_page/,
    ],
    ['that is another thing', () => '[1]', /lacks meta/],
  ])('%s is refused', async (_, answer, sentence) => {
    const service = await openListService(({ page }, reply) => send(reply, answer(page)))
    const request = recordsRequest(service.address, await temporaryFolder())
    await expect(syncRecords(request)).rejects.toThrow(sentence)
    expect(existsSync(join(request.lake, 'makers'))).toBe(false)
  })

  it('in one response ends at the size limit, and a slow one at the timeout', async () => {
    const service = await openListService((_, reply) => {
      reply.writeHead(200)
      const more = () => {
        while (!reply.destroyed && reply.write(' '.repeat(1_000_000)));
        if (!reply.destroyed) reply.once('drain', more)
      }
      more()
    })
    const request = recordsRequest(service.address, await temporaryFolder())
    await expect(syncRecords(request)).rejects.toThrow(/answers more than 32000000 bytes/)
    service.answer = (_, reply) => void reply.writeHead(200).write('{')
    const patience = { attempts: 2, firstWaitMs: 5 }
    await expect(syncRecords({ ...request, patience, timeoutMs: 200 })).rejects.toThrow(
      /no whole reply within 0.2 s/,
    )
  })
})

describe('the key', () => {
  it('is sent only to the service, not to the target of a redirect', async () => {
    const seen: (string | undefined)[] = []
    const other = createServer(({ headers }, reply) => {
      seen.push(headers.authorization)
      reply.writeHead(401).end('{}')
    })
    const { origin } = await onLoopback(other)
    const service = await openListService((_, reply) =>
      reply.writeHead(302, { location: `${origin}/v1/net/l2/makers` }).end(),
    )
    const request = recordsRequest(service.address, await temporaryFolder(), { key: 'hush' })
    await expect(syncRecords(request)).rejects.toThrow(
      /LEDGERLAKE_SYNC_KEY is not sent where a redirect leads/,
    )
    expect(service.asked[0]?.authorization).toBe('Bearer hush')
    expect(seen).toEqual([undefined])
  })

  it('is sent only over HTTPS, or to this machine', () => {
    expect(() => checkKey('hush', 'http://api.example.org/v1/net')).toThrow(/sent over https alone/)
    for (const address of [
      'https://api.example.org/v1/net',
      'http://127.0.0.1:80/v1/net',
      'http://localhost/v1/net',
    ])
      expect(() => checkKey('hush', address)).not.toThrow()
    expect(() => checkKey('', 'http://api.example.org/v1/net')).not.toThrow()
    expect(() => checkKey('a\nb', 'https://api.example.org/v1/net')).toThrow(/printable ASCII/)
  })
})

it('a sync sends no more requests than its rate', async () => {
  const times: number[] = []
  const list = listing(three, 1)
  const service = await openListService((asked, reply, request) => {
    times.push(performance.now())
    list(asked, reply, request)
  })
  await syncRecords(recordsRequest(service.address, await temporaryFolder(), { ratePerMinute: 300 }))
  expect(times).toHaveLength(3)
  expect((times[2] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(380)
})

it.each([
  ['https://api.example.org', 'https://api.example.org/v1/net'],
  ['http://here:8080/v1/', 'http://here:8080/v1/net'],
  ['https://api.example.org/v1/helium', 'https://api.example.org/v1/helium'],
  ['https://api.example.org/base/v1/helium/', 'https://api.example.org/base/v1/helium'],
  ['https://user:secret@api.example.org', undefined],
  ['api.example.org', undefined],
])('the address %s means the service %s', (given, wanted) => {
  expect(serviceAddress(given)).toBe(wanted)
})
