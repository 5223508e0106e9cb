import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../../src/catalog/feature.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { vacuum } from '../../../src/lake/vacuum/vacuum.ts'
import { compact } from '../../../src/write/compact/compact.ts'
import { entriesOf } from '../../support/folder-origin.ts'
import { type RefusingLake, refusingLake } from '../../support/lakes/refusing-lake.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { share, sharingOf } from '../../support/servers/sharing.ts'
import { some } from '../../support/some.ts'
import { writeLongLog } from '../../support/tables/long-log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const table = 'iot_reward_shares'
interface Line {
  readonly version: number
  readonly text: string
  readonly files: Readonly<Record<string, string>>
}

let made: RefusingLake
let server: TestServer['server']

beforeAll(async () => {
  made = await refusingLake(2)
  server = (await buildTestServer(made.folder, 100, undefined, sharingOf(made.folder))).server
})

const get = (path: string, headers: Record<string, string> = {}, from = server) =>
  from.inject({ url: path, headers })
const linesOf = async (name: string, query: string, from = server): Promise<readonly Line[]> => {
  const { statusCode, body } = await get(`${share}/log/${name}?${query}`, {}, from)
  return statusCode === 200
    ? body
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []
}
const refusalOf = async (path: string) => {
  const reply = await get(share + path)
  return [reply.statusCode, reply.json().message]
}
const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('the snapshot that a copy follows', () => {
  it('names the version of every table, rejects too, and is 304 until the next commit', async () => {
    const reply = await get(`${share}/snapshot`)
    const { id } = await new Lake(made.folder).latest()
    expect(reply.json()).toEqual({ snapshot: id, tables: { [table]: 1, rejects: 1 } })
    const tag = String(reply.headers.etag)
    const again = await get(`${share}/snapshot`, { 'if-none-match': tag })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    await made.addDays(1)
    // The two commits may be seen one after the other.
    await expect
      .poll(async () => (await get(`${share}/snapshot`)).json().tables)
      .toEqual({ [table]: 2, rejects: 2 })
    expect((await get(`${share}/snapshot`, { 'if-none-match': tag })).statusCode).toBe(200)
  })

  it('has no tables before the first ingest', async () => {
    const lake = await temporaryFolder()
    const empty = await buildTestServer(lake, 60_000, undefined, sharingOf(lake))
    expect((await get(`${share}/snapshot`, {}, empty.server)).json()).toEqual({ snapshot: '', tables: {} })
  })
})

describe('the log of a table', () => {
  it('has its entries byte for byte, and the address of every file that they add', async () => {
    const lake = await smallLake('a commit for each file')
    const whole = await buildTestServer(lake, 60_000, undefined, sharingOf(lake))
    const { tables } = (await get(`${share}/snapshot`, {}, whole.server)).json()
    const came: Record<string, string> = {}
    let fetched = 0
    for (const [name, version] of some(Object.entries<number>(tables)))
      for (const line of await linesOf(name, `after=-1&to=${version}`, whole.server)) {
        came[`${name}/_delta_log/${String(line.version).padStart(20, '0')}.json`] = line.text
        for (const [path, address] of Object.entries(line.files)) {
          const { rawPayload, statusCode } = await get(`/delta-sharing/files/${address}`, {}, whole.server)
          const asked = new URL(address, 'http://lake').searchParams
          expect([path, statusCode, rawPayload.length, digestOf(rawPayload)]).toEqual([
            ...[path, 200, Number(asked.get('bytes')), asked.get('sha256')],
          ])
          expect(rawPayload.equals(readFileSync(join(lake, name, path)))).toBe(true)
          fetched += 1
        }
        const adds = line.text.split('\n').filter((action) => action.startsWith('{"add"')).length
        expect(Object.keys(line.files)).toHaveLength(adds * 2)
      }
    expect(came).toEqual(await entriesOf(lake))
    expect(fetched).toBeGreaterThan(40)
  })

  it('has the entries of a range of versions, including a version that is not served yet', async () => {
    const versions = async (query: string) => (await linesOf(table, query)).map(({ version }) => version)
    expect(await versions('to=1')).toEqual([0, 1])
    expect(await versions('after=0&to=1')).toEqual([1])
    const late = await buildTestServer(made.folder, 60_000, undefined, sharingOf(made.folder))
    await made.addDays(1)
    expect((await linesOf(table, 'after=2&to=3', late.server)).map(({ version }) => version)).toEqual([3])
  })

  it('is returned in parts of at most 1,000 entries, and of fewer if these add many files', async () => {
    const lake = await temporaryFolder()
    await writeLongLog(lake, { commits: 1007, live: 1 })
    const long = await buildTestServer(lake, 60_000, undefined, sharingOf(lake))
    const first = await linesOf(table, 'after=-1&to=1006', long.server)
    expect([first.length, first.at(-1)?.version]).toEqual([1000, 999])
    expect(await linesOf(table, 'after=999&to=1006', long.server)).toHaveLength(7)
    const wide = await temporaryFolder()
    await writeLongLog(wide, { commits: 3, live: 1, filesPerCommit: 2500 })
    const { server } = await buildTestServer(wide, 60_000, undefined, sharingOf(wide))
    expect((await linesOf(table, 'after=-1&to=2', server)).map(({ version }) => version)).toEqual([0])
  })

  it.each([
    ['/log/iot_reward_shares?after=99&to=100', 404, 'There is no version 100 of iot_reward_shares.'],
    ['/log/none?to=1', 404, 'There is no table "none"; there are iot_reward_shares, rejects.'],
    ['/log/..%2F_keys?to=1', 404, 'There is no table "../_keys"; there are iot_reward_shares, rejects.'],
    ['/log/rejects', 400, 'to is ""; use a version above -1.'],
    ['/log/rejects?after=1&to=1', 400, 'to is "1"; use a version above 1.'],
    ['/log/rejects?after=-2&to=1', 400, 'after is "-2"; use a version, or -1 for the first entry.'],
    ['/log/rejects?to=1e3', 400, 'to is "1e3"; use a version above -1.'],
  ])('%s returns %i', async (path, status, message) => {
    expect(await refusalOf(path)).toEqual([status, message])
  })
})

describe('a file that a log names', () => {
  it('is sent from a given byte on', async () => {
    for (const [path, address] of some(Object.entries(some(await linesOf('rejects', 'to=0'))[0].files))) {
      const reply = await get(`/delta-sharing/files/${address}`, { range: 'bytes=5-' })
      expect(reply.statusCode).toBe(206)
      expect(reply.rawPayload.equals(readFileSync(join(made.folder, 'rejects', path)).subarray(5))).toBe(true)
      const type = path.startsWith('_facts/') ? 'application/gzip' : 'application/vnd.apache.parquet'
      expect(reply.headers['content-type']).toBe(type)
    }
  })

  it('returns 404 after a vacuum, and 503 if it is lost', async () => {
    const { folder } = await refusingLake(2)
    const { server } = await buildTestServer(folder, 100, undefined, sharingOf(folder))
    const before = some(await linesOf(table, 'to=0', server))[0].files
    const versionOf = async () => (await get(`${share}/snapshot`, {}, server)).json().tables[table]
    const first = await versionOf()
    expect(await compact({ lake: folder, months: ['2025-01'], openWriter: openTestWriter })).toHaveLength(1)
    await vacuum({ lake: folder, keepHours: 0, isDryRun: false })
    while ((await versionOf()) === first) await setTimeout(10)
    const after = (await linesOf(table, 'to=9', server)).at(-1)?.files ?? {}
    for (const path of some(Object.keys(after))) rmSync(join(folder, table, path))
    for (const [status, code, files] of [
      [404, 'RESOURCE_DOES_NOT_EXIST', before],
      [503, 'LAKE_DAMAGED', after],
    ] as const)
      for (const [path, address] of some(Object.entries(files))) {
        const reply = await get(`/delta-sharing/files/${address}`, {}, server)
        expect([path, reply.statusCode, reply.json().errorCode]).toEqual([path, status, code])
      }
  })
})

describe('a lake with keys', () => {
  it('can be copied only with a key that may read everything', async () => {
    const options = sharingOf(made.folder, { isOpen: false })
    const gated = await gatedServer(made.folder, { options })
    const whole = [...features, 'Share'] as const
    const keys = [
      ...[undefined, await gated.newKey({ features })],
      await gated.newKey({ features: whole, lookbackDays: 30 }),
      await gated.newKey({ features: ['OracleData', 'Share'] }),
      await gated.newKey({ features: whole }),
    ]
    for (const path of ['/snapshot', `/log/${table}?to=0`]) {
      const statuses = await Promise.all(keys.map(async (key) => (await gated.ask(share + path, key)).status))
      expect([path, ...statuses]).toEqual([path, 401, 403, 403, 403, 200])
    }
  })
})
