import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { openMadeFiles } from '../../../src/doors/files/made-files.ts'
import { plainFormats } from '../../support/export/read-files.ts'
import { type MadeLake, makeLake, thirtyShares } from '../../support/lakes/make-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const days = ['2025-01-10', '2025-02-10']
const address =
  '/v1/net/l2/iot-reward-shares?from=2025-01-01&to=2025-03-01&columns=ordinal,hotspot_key,beacon_amount'

let lake: MadeLake
let server: TestServer
let pinned: string

beforeAll(async () => {
  lake = await makeLake(
    Object.fromEntries(days.map((day, place) => [`iot/iot_reward_share.${place + 1}.gz`, thirtyShares(day)])),
  )
  server = await buildTestServer(lake.folder)
  const page = await server.get('/l2/makers')
  pinned = `${address}&as_of=${page.headers['ledgerlake-snapshot']}`
})

const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  server.server.inject({ method, url, headers })

const folder = () => join(lake.folder, '_state', 'files')

describe('a file of a snapshot that is named by its id', () => {
  it.each(plainFormats)('has its length and parts in %s', async (format) => {
    const whole = await ask(`${address}&format=${format}`)
    const length = whole.rawPayload.length
    const head = await ask(`${pinned}&format=${format}`, {}, 'HEAD')
    expect([
      head.statusCode,
      head.headers['content-length'],
      head.headers['accept-ranges'],
      head.body,
    ]).toEqual([...[200, String(length), 'bytes', '']])
    const parts: Buffer[] = []
    for (let first = 0; first < length; first += 1000) {
      const last = Math.min(first + 999, length - 1)
      const part = await ask(`${pinned}&format=${format}`, { range: `bytes=${first}-${first + 999}` })
      const { statusCode, headers } = part
      expect([statusCode, headers['content-range'], headers['content-length'], headers.etag]).toEqual([
        ...[206, `bytes ${first}-${last}/${length}`, String(last - first + 1), head.headers.etag],
      ])
      parts.push(part.rawPayload)
    }
    expect(parts.length).toBeGreaterThan(1)
    expect(Buffer.concat(parts).equals(whole.rawPayload)).toBe(true)
    const all = await ask(`${pinned}&format=${format}`)
    expect([all.headers['content-length'], all.rawPayload.equals(whole.rawPayload)]).toEqual([
      ...[String(length), true],
    ])
  })

  it('judges conditions before a range, and ignores a range of other bytes', async () => {
    const url = `${pinned}&format=csv`
    const { etag = '', 'content-length': length } = (await ask(url, {}, 'HEAD')).headers
    const range = 'bytes=5-9'
    const statusOf = async (headers: Record<string, string>) => {
      const { statusCode, headers: sent } = await ask(url, { range, ...headers })
      return [statusCode, sent['content-range']]
    }
    expect(await statusOf({ 'if-range': String(etag) })).toEqual([206, `bytes 5-9/${length}`])
    expect(await statusOf({ 'if-range': '"other"' })).toEqual([200, undefined])
    expect(await statusOf({ 'if-none-match': String(etag) })).toEqual([304, undefined])
    expect(await statusOf({ 'if-none-match': '*' })).toEqual([304, undefined])
    expect(await statusOf({ 'if-match': '"other"' })).toEqual([412, undefined])
    const excluded = await ask(`${address}&format=csv`, { 'if-match': '"other"' })
    expect([excluded.statusCode, excluded.headers['content-location']]).toEqual([412, undefined])
    expect(await statusOf({ range: `bytes=${length}-` })).toEqual([416, `bytes */${length}`])
    const beyond = await ask(url, { range: `bytes=${length}-` })
    expect([JSON.parse(beyond.body), beyond.headers['content-disposition']]).toEqual([
      {
        error: `Range is "bytes=${length}-"; the file has ${length} bytes, from 0.`,
        code: 'range_not_satisfiable',
      },
      undefined,
    ])
    expect(await statusOf({ range: 'bytes=-1' })).toEqual([
      206,
      `bytes ${Number(length) - 1}-${Number(length) - 1}/${length}`,
    ])
  })

  it('is sent in gzip without a length, but its parts are not', async () => {
    const gzip = { 'accept-encoding': 'gzip' }
    const { headers } = await ask(`${pinned}&format=csv`, gzip)
    expect([headers['content-encoding'], headers['content-length'], headers['accept-ranges']]).toEqual([
      ...['gzip', undefined, undefined],
    ])
    const part = await ask(`${pinned}&format=csv`, { ...gzip, range: 'bytes=0-6' })
    expect([part.statusCode, part.body, part.headers['content-encoding']]).toEqual([
      206,
      'ordinal',
      undefined,
    ])
  })

  it('is written once, and again if its stored bytes have changed', async () => {
    const url = `${pinned}&format=csv&reward_type=gateway_reward`
    const before = (await ask(url)).body
    const tag = String((await ask(url, {}, 'HEAD')).headers.etag).slice(1, -1)
    const statements = server.engine.work().statements
    expect((await ask(url, { range: 'bytes=0-' })).headers['ledgerlake-rows']).toBe('60')
    expect(server.engine.work().statements).toBe(statements)
    const kept = () => readdirSync(folder()).filter((name) => name.startsWith(tag))
    expect(kept().length).toBe(1)
    const path = join(folder(), kept()[0] ?? '')
    const bytes = readFileSync(path)
    bytes[20] = (bytes[20] ?? 0) ^ 1
    writeFileSync(path, bytes)
    expect((await ask(url, { range: 'bytes=0-' })).body).toBe(before)
    expect(readFileSync(join(folder(), kept()[0] ?? '')).toString()).toBe(before)
  })

  it.each(['before its reading', 'each time'])(
    'is sent whole when another process removes it %s, between its check and its reading',
    async (when) => {
      const { checkedFiles } = server
      const url = `${pinned}&format=ndjson`
      const [whole, { etag }] = [(await ask(url)).rawPayload, (await ask(url, {}, 'HEAD')).headers]
      const removed: string[] = []
      const real = checkedFiles.stream
      const stream = vi.spyOn(checkedFiles, 'stream')
      stream.mockImplementation((files, run, signal) => {
        const [path = ''] = files.map((file) => file.path)
        if (path.includes('/files/') && (when === 'each time' || removed.length === 0)) {
          rmSync(path)
          removed.push(path)
        }
        return real(files, run, signal)
      })
      try {
        const reply = await ask(url)
        expect([reply.statusCode, reply.headers.etag, reply.rawPayload.equals(whole)]).toEqual([
          200,
          etag,
          true,
        ])
        expect(reply.headers['content-length']).toBe(when === 'each time' ? undefined : String(whole.length))
        expect(removed.length).toBe(when === 'each time' ? 2 : 1)
        const part = await ask(url, { range: 'bytes=0-6' })
        expect([part.statusCode, part.rawPayload.equals(whole)]).toEqual(
          when === 'each time' ? [200, true] : [206, false],
        )
      } finally {
        stream.mockRestore()
      }
      expect((await ask(url, { range: 'bytes=0-6' })).rawPayload.equals(whole.subarray(0, 7))).toBe(true)
    },
  )

  it('is named by the same file without a snapshot, which has no ranges', async () => {
    const { statusCode, headers } = await ask(`${address}&format=csv`, { range: 'bytes=0-6' })
    expect([statusCode, headers['accept-ranges']]).toEqual([200, undefined])
    const held = await ask(`${address}&format=csv`, { 'if-none-match': String(headers.etag) })
    expect([held.statusCode, held.headers['content-location']]).toEqual([304, headers['content-location']])
    const byAccept = await ask(address, { accept: 'text/csv' })
    expect(byAccept.headers['content-location']).toContain('format=csv')
    const part = await ask(String(headers['content-location']), { range: 'bytes=0-6' })
    expect([part.statusCode, part.body, part.headers.etag]).toEqual([206, 'ordinal', headers.etag])
  })
})

it('a key with a look-back gets ranges of its own file, and a request without a key gets none', async () => {
  const { ask, newKey } = await gatedServer(lake.folder)
  const sinceFebruary = Math.floor((Date.now() - Date.parse('2025-02-01')) / 86_400_000)
  const headers = { range: 'bytes=0-' }
  const rowsFor = async (key: string) => {
    const { text } = await ask(`${pinned}&format=csv`, undefined, {
      headers: { ...headers, authorization: `Bearer ${key}` },
    })
    return text.split('\n').length - 2
  }
  expect(await rowsFor(await newKey())).toBe(60)
  expect(await rowsFor(await newKey({ lookbackDays: sinceFebruary }))).toBe(30)
  expect((await ask(`${pinned}&format=csv`, undefined, { headers })).status).toBe(401)
})

describe('kept files', () => {
  const checked = { read: async (_: unknown, run: () => unknown) => await run() } as never
  const signal = AbortSignal.timeout(60_000)
  const fileOf = (bytes: AsyncIterable<Uint8Array>) => ({ rows: 1, bytes: () => bytes })
  async function* bytesOf(length: number) {
    yield Buffer.alloc(length)
  }
  const open = async () => {
    const folder = await temporaryFolder()
    const made = openMadeFiles(folder, 100, checked)
    return {
      ...{ folder, made },
      make: (tag: string, length: number) =>
        made.findOrMake(tag, signal, async () => fileOf(bytesOf(length))),
    }
  }

  it('stay below the size limit, and the oldest is evicted first', async () => {
    const { folder, make } = await open()
    for (const tag of ['one', 'two', 'three']) {
      await make(tag, 40)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(
      readdirSync(folder)
        .map((name) => name.split('.')[0])
        .sort(),
    ).toEqual(['three', 'two'])
    expect(await make('long', 101)).toBeUndefined()
    expect(readdirSync(folder).length).toBe(2)
  })

  it('that are written at the same time stay below the size limit together', async () => {
    const { folder, made } = await open()
    const gates = new Map<string, () => void>()
    const make = (tag: string) =>
      made.findOrMake(tag, signal, async () =>
        fileOf(
          (async function* () {
            yield Buffer.alloc(40)
            await new Promise<void>((resolve) => gates.set(tag, resolve))
            yield Buffer.alloc(20)
          })(),
        ),
      )
    const [one, two] = [make('one'), make('two')]
    await expect.poll(() => gates.size).toBe(2)
    expect(await make('three')).toBeUndefined()
    gates.get('one')?.()
    expect(await one).toMatchObject({ bytes: 60 })
    expect(readdirSync(folder).filter((name) => name.startsWith('one')).length).toBe(1)
    gates.get('two')?.()
    expect(await two).toMatchObject({ bytes: 60 })
    expect(readdirSync(folder).map((name) => name.split('.')[0])).toEqual(['two'])
  })

  it('have no trace of a file that could not be completed', async () => {
    const { folder, make } = await open()
    await make('one', 40)
    const made = openMadeFiles(folder, 100, checked)
    async function* broken() {
      yield Buffer.alloc(10)
      throw new Error('no more')
    }
    await expect(made.findOrMake('two', signal, async () => fileOf(broken()))).rejects.toThrow('no more')
    expect(readdirSync(folder).length).toBe(1)
  })

  it('are not stored if the folder is not writable', async () => {
    const file = join(await temporaryFolder(), 'file')
    writeFileSync(file, '')
    const made = openMadeFiles(join(file, 'files'), 100, checked)
    expect(await made.findOrMake('one', signal, async () => fileOf(bytesOf(4)))).toBeUndefined()
  })
})
