import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { estimateSync, syncBucket } from '../../../src/operate/sync/sync-bucket.ts'
import { smallNetwork } from '../../support/fixtures.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { frameFile, operational } from '../../support/messages/oracle-messages.ts'
import { awsEnvironment, openTestBucket, type TestBucket } from '../../support/sync/bucket-server.ts'
import { syncRequest } from '../../support/sync/synced.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const DOLLAR = 10n ** 9n
const shares = 'foundation-iot-verified-rewards/iot_reward_share'
const day = (number: number) => 1_738_369_800_000 + number * 86_400_000
const keyOf = (ms: number) => `${shares}.${ms}.gz`
const fileOf = (number: number) => frameFile([operational(number)])

beforeEach(() => {
  for (const [name, value] of Object.entries(awsEnvironment)) vi.stubEnv(name, value)
})
afterEach(() => vi.unstubAllEnvs())

/** Rows and sources of each table, which say what came in and how often. */
async function contentOf(lake: string) {
  const { tables } = await new Lake(lake).latest()
  const filled = tables.filter(({ rows }) => rows > 0)
  return Object.fromEntries(
    filled.map((table) => [table.resource.name, [table.rows, [...table.sources.keys()].sort()]]),
  )
}

/** SHA-256 of every source of the lake. */
async function digestsIn(lake: string): Promise<readonly string[]> {
  const { tables } = await new Lake(lake).latest()
  return tables.flatMap(({ sources }) => [...sources.values()].map(({ sha256 }) => sha256)).sort()
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

function namesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((one) => one.isFile())
    .map(({ name }) => name)
    .sort()
}

const reads = ({ requests }: TestBucket) => requests.filter((request) => request.startsWith('read'))
const lists = ({ requests }: TestBucket) => requests.filter((request) => request.startsWith('list'))

describe('a synchronized bucket', () => {
  it('gives the same lake as an ingest of its files, and no file remains', async () => {
    const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
    const keys = [
      ...bucket.putAll(join(smallNetwork, 'oracle'), 'some/where/'),
      ...bucket.putAll(join(smallNetwork, 'l1-archive')),
    ]
    bucket.put('readme.txt', Buffer.from('hello'))
    bucket.put('some/where/other/notes.gz', Buffer.from('hello'))
    const request = syncRequest(bucket, folder)
    const summary = await syncBucket(request)
    const all = { listed: keys.length, fetched: keys.length, stored: keys.length }
    expect(summary).toMatchObject({ ...all, left: [], isBudgetSpent: false })
    const { makers, hotspots, ...whole } = await contentOf(await smallLake())
    expect([makers?.[0], hotspots?.[0]]).toEqual([6, 120])
    expect(await contentOf(request.lake)).toEqual(whole)
    expect(namesBelow(request.folder)).toEqual(['spent.ndjson', 'state.json'])
  })

  it('has nothing to fetch in the second run, and is listed from a day before its newest file', async () => {
    const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
    for (let number = 0; number < 5; number += 1) bucket.put(keyOf(day(number)), fileOf(number))
    await syncBucket(syncRequest(bucket, folder))
    const before = bucket.requests.length
    const again = await syncBucket(syncRequest(bucket, folder))
    expect(again).toMatchObject({ listed: 2, fetched: 0, stored: 0, left: [] })
    const asked = bucket.requests.slice(before)
    expect(asked).toEqual([
      'list  ',
      'list foundation-iot-verified-rewards/ ',
      `list ${shares}. ${shares}.${day(3)}`,
    ])
  })

  it('costs a listing for each name of an oracle, however many files have it', async () => {
    const [bucket, folder] = [await openTestBucket({ pageKeys: 10 }), await temporaryFolder()]
    for (let number = 0; number < 200; number += 1) {
      bucket.put(`a/entropy_report.${day(number)}.gz`, Buffer.from('other'))
      bucket.put(`a/iot_beacon.${day(number)}.gz`, Buffer.from('other'))
    }
    bucket.put(`a/iot_reward_share.${day(1)}.gz`, fileOf(1))
    expect(await syncBucket(syncRequest(bucket, folder))).toMatchObject({ listed: 1, stored: 1 })
    expect(lists(bucket)).toHaveLength(5)
  })

  it('fetches late files with an older name, and only files of the requested range', async () => {
    const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
    for (const number of [0, 1, 3, 4]) bucket.put(keyOf(day(number)), fileOf(number))
    const range = { fromMs: day(1), toMs: day(4) }
    expect(await syncBucket(syncRequest(bucket, folder, { range }))).toMatchObject({ stored: 2 })
    bucket.put(keyOf(day(3) - 3_600_000), fileOf(2))
    expect(await syncBucket(syncRequest(bucket, folder, { range }))).toMatchObject({ stored: 1, left: [] })
    const earlier = { fromMs: 0, toMs: day(4) }
    expect(await syncBucket(syncRequest(bucket, folder, { range: earlier }))).toMatchObject({ stored: 1 })
    expect(await syncBucket(syncRequest(bucket, folder))).toMatchObject({ listed: 3, stored: 1 })
  })

  it('is fetched once, also when the state folder is lost', async () => {
    const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
    for (let number = 0; number < 5; number += 1) bucket.put(keyOf(day(number)), fileOf(number))
    const request = syncRequest(bucket, folder)
    await syncBucket(request)
    rmSync(request.folder, { recursive: true })
    expect(await syncBucket(syncRequest(bucket, folder))).toMatchObject({ listed: 5, fetched: 0, left: [] })
    expect(reads(bucket)).toHaveLength(5)
  })

  it('keeps its files under their keys in the folder of keptFolder', async () => {
    const [bucket, folder, keptFolder] = [
      await openTestBucket(),
      await temporaryFolder(),
      await temporaryFolder(),
    ]
    bucket.put(keyOf(day(0)), fileOf(0))
    await syncBucket(syncRequest(bucket, folder, { keptFolder }))
    expect(statSync(join(keptFolder, keyOf(day(0)))).size).toBe(fileOf(0).length)
    bucket.put(keyOf(day(0)), fileOf(7))
    const request = syncRequest(bucket, folder, { keptFolder, isReplacing: true })
    const ingest = (paths: readonly string[]) => ingestInto(request.lake, paths, { replace: true })
    expect(await syncBucket({ ...request, ingest })).toMatchObject({ fetched: 1, stored: 1, left: [] })
    expect(readFileSync(join(keptFolder, keyOf(day(0))))).toEqual(Buffer.from(fileOf(7)))
    expect(await digestsIn(request.lake)).toEqual([digestOf(fileOf(7))])
  })
})

describe('a run that is killed', () => {
  const killed = () => Promise.reject(new Error('killed'))

  it('before the ingest leaves its files to the next run, which fetches none of them again', async () => {
    const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
    for (let number = 0; number < 3; number += 1) bucket.put(keyOf(day(number)), fileOf(number))
    await expect(syncBucket(syncRequest(bucket, folder, { ingest: killed }))).rejects.toThrow('killed')
    bucket.put(keyOf(day(1)), fileOf(7))
    expect(await syncBucket(syncRequest(bucket, folder))).toMatchObject({ stored: 3, left: [] })
    expect(reads(bucket)).toHaveLength(4)
    const expected = [fileOf(0), fileOf(7), fileOf(2)].map(digestOf)
    expect(await digestsIn(join(folder, 'lake'))).toEqual(expected.sort())
    expect(namesBelow(join(folder, 'state'))).toEqual(['spent.ndjson', 'state.json'])
  })

  it('during the ingest has recorded the digests, so that a later change is reported', async () => {
    const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
    bucket.put(keyOf(day(0)), fileOf(0))
    const request = syncRequest(bucket, folder)
    const ingest = (paths: readonly string[]) => ingestInto(request.lake, paths).then(killed)
    await expect(syncBucket({ ...request, ingest })).rejects.toThrow('killed')
    bucket.put(keyOf(day(0)), fileOf(7))
    const left = [{ key: keyOf(day(0)), reason: expect.stringContaining('--replace') }]
    expect(await syncBucket(syncRequest(bucket, folder))).toMatchObject({ fetched: 0, left })
  })

  it('while files are replaced replaces them the next time', async () => {
    const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
    bucket.put(keyOf(day(0)), fileOf(0))
    await syncBucket(syncRequest(bucket, folder))
    bucket.put(keyOf(day(0)), fileOf(7))
    const request = syncRequest(bucket, folder, { isReplacing: true })
    await expect(syncBucket({ ...request, ingest: killed })).rejects.toThrow('killed')
    const ingest = (paths: readonly string[]) => ingestInto(request.lake, paths, { replace: true })
    expect(await syncBucket({ ...request, ingest })).toMatchObject({ stored: 1, left: [] })
    expect(reads(bucket)).toHaveLength(2)
    expect(await digestsIn(request.lake)).toEqual([digestOf(fileOf(7))])
  })
})

describe('an object', () => {
  it('that changed after its ingest is reported, and replaced on request', async () => {
    const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
    bucket.put(keyOf(day(0)), fileOf(0))
    await syncBucket(syncRequest(bucket, folder))
    bucket.put(keyOf(day(0)), fileOf(7))
    const reason = expect.stringContaining('--replace fetches it again')
    const told = await syncBucket(syncRequest(bucket, folder))
    expect(told).toMatchObject({ fetched: 0, left: [{ key: keyOf(day(0)), reason }] })
    const ingest = (paths: readonly string[]) => ingestInto(join(folder, 'lake'), paths, { replace: true })
    const replaced = await syncBucket(syncRequest(bucket, folder, { isReplacing: true, ingest }))
    expect(replaced).toMatchObject({ fetched: 1, stored: 1, left: [] })
    expect(await syncBucket(syncRequest(bucket, folder))).toMatchObject({ fetched: 0, left: [] })
  })

  it('that cannot be ingested is reported each time, and fetched again only after a change', async () => {
    const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
    bucket.put(keyOf(day(0)), fileOf(0))
    bucket.put(keyOf(day(1)), gzipSync('not a frame'))
    const left = [{ key: keyOf(day(1)), reason: expect.any(String) }]
    expect(await syncBucket(syncRequest(bucket, folder))).toMatchObject({ stored: 1, left })
    expect(await syncBucket(syncRequest(bucket, folder))).toMatchObject({ fetched: 0, left })
    expect(reads(bucket)).toHaveLength(2)
    bucket.put(keyOf(day(1)), fileOf(1))
    expect(await syncBucket(syncRequest(bucket, folder))).toMatchObject({ stored: 1, left: [] })
  })

  it('that changes during its download is stored with its new bytes', async () => {
    const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
    bucket.put(keyOf(day(0)), fileOf(0))
    bucket.faults = (request) => {
      if (request.startsWith('read') && reads(bucket).length === 0) bucket.put(keyOf(day(0)), fileOf(9))
      return undefined
    }
    expect(await syncBucket(syncRequest(bucket, folder))).toMatchObject({ stored: 1, left: [] })
  })

  it('that changes after a partial download keeps nothing of the first part', async () => {
    const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
    bucket.put(keyOf(day(0)), fileOf(0))
    bucket.faults = (request) => {
      if (!request.startsWith('read')) return undefined
      if (reads(bucket).length === 0) return 'cut'
      bucket.put(keyOf(day(0)), fileOf(9))
      return undefined
    }
    expect(await syncBucket(syncRequest(bucket, folder))).toMatchObject({ stored: 1, left: [] })
    expect(reads(bucket)).toHaveLength(3)
    expect(namesBelow(join(folder, 'state'))).toEqual(['spent.ndjson', 'state.json'])
    expect(await digestsIn(join(folder, 'lake'))).toEqual([digestOf(fileOf(9))])
  })

  it('is resumed after a broken connection, and is fetched again after damage on the way', async () => {
    const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
    bucket.put(keyOf(day(0)), fileOf(0))
    bucket.put(keyOf(day(1)), fileOf(1))
    const half = fileOf(0).length >> 1
    bucket.faults = (request) => {
      if (request === `read ${keyOf(day(0))} 0`) return 'cut'
      const isFirst = !bucket.requests.includes(request)
      return request === `read ${keyOf(day(1))} 0` && isFirst ? 'flipped' : undefined
    }
    expect(await syncBucket(syncRequest(bucket, folder))).toMatchObject({ stored: 2, left: [] })
    expect(reads(bucket).filter((request) => request.includes(keyOf(day(0))))).toEqual([
      `read ${keyOf(day(0))} 0`,
      `read ${keyOf(day(0))} ${half}`,
    ])
  })

  it('that could not be fetched is listed again at any age', async () => {
    const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
    for (let number = 0; number < 9; number += 1) bucket.put(keyOf(day(number)), fileOf(number))
    bucket.faults = (request) => (request.includes(`read ${keyOf(day(2))}`) ? 'unavailable' : undefined)
    expect(await syncBucket(syncRequest(bucket, folder))).toMatchObject({
      stored: 8,
      left: [{ key: keyOf(day(2)) }],
    })
    bucket.faults = () => undefined
    expect(await syncBucket(syncRequest(bucket, folder))).toMatchObject({ stored: 1, left: [] })
    expect(await syncBucket(syncRequest(bucket, folder))).toMatchObject({ listed: 2, left: [] })
  })

  it('that never arrives completely is reported, and the others are ingested', async () => {
    const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
    for (let number = 0; number < 3; number += 1) bucket.put(keyOf(day(number)), fileOf(number))
    bucket.faults = (request) => (request.includes(`${day(1)}`) ? 'unavailable' : undefined)
    const summary = await syncBucket(syncRequest(bucket, folder))
    expect(summary).toMatchObject({ stored: 2, left: [{ key: keyOf(day(1)) }] })
    bucket.faults = () => undefined
    expect(await syncBucket(syncRequest(bucket, folder))).toMatchObject({ stored: 1, left: [] })
  })
})

it('keys that are not paths below a folder are ignored', async () => {
  const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
  const odd = ['../', '../../out/', 'a/../../b/', '/', 'a//', './', 'a\tb/', `${'x'.repeat(300)}/`]
  for (const [place, name] of odd.entries())
    bucket.put(`${name}iot_reward_share.${day(place)}.gz`, fileOf(place))
  bucket.put(keyOf(day(9)), fileOf(9))
  expect(await syncBucket(syncRequest(bucket, folder))).toMatchObject({ stored: 1, left: [] })
  expect(reads(bucket)).toEqual([`read ${keyOf(day(9))} 0`])
})

describe('the cost', () => {
  it('is estimated before a run, and equals the requests of the run', async () => {
    const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
    bucket.putAll(join(smallNetwork, 'oracle'))
    const estimate = await estimateSync(syncRequest(bucket, folder))
    const listed = lists(bucket).length
    expect(estimate.looked).toMatchObject({ lists: listed, reads: 0 })
    expect(reads(bucket)).toEqual([])
    const { usage, nanos, totalNanos } = await syncBucket(syncRequest(bucket, folder))
    expect(usage).toEqual({ lists: listed, reads: estimate.objects, bytes: BigInt(bucket.sent()) })
    expect(estimate.usage).toEqual(usage)
    expect(estimate.nanos).toBe(nanos)
    expect(totalNanos).toBe((BigInt(2 * listed) + 10n * BigInt(usage.reads) + usage.bytes) * DOLLAR)
  })

  it('never exceeds the budget over all runs, fetched files are ingested, and a higher budget continues', async () => {
    const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
    for (let number = 0; number < 20; number += 1) bucket.put(keyOf(day(number)), fileOf(number))
    const budget = BigInt(3 + 8 * (10 + fileOf(0).length)) * DOLLAR
    const first = await syncBucket(syncRequest(bucket, folder, { budget, connections: 3 }))
    expect(first).toMatchObject({ stored: 8, isBudgetSpent: true })
    expect(first.totalNanos).toBeLessThanOrEqual(budget)
    const second = await syncBucket(syncRequest(bucket, folder, { budget }))
    expect(second).toMatchObject({ fetched: 0, isBudgetSpent: true })
    expect(reads(bucket)).toHaveLength(8)
    expect(await syncBucket(syncRequest(bucket, folder))).toMatchObject({ stored: 12, left: [] })
    expect(reads(bucket)).toHaveLength(20)
  })
})

describe('a store', () => {
  it.each([
    ['denied', 'access is denied; check the credentials, and whether the requester has to pay'],
    ['expired', 'the credentials have expired; renew them'],
  ] as const)('that answers %s ends the run with advice', async (fault, sentence) => {
    const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
    bucket.put(keyOf(day(0)), fileOf(0))
    bucket.faults = () => fault
    await expect(syncBucket(syncRequest(bucket, folder))).rejects.toThrow(sentence)
    expect(bucket.requests.length).toBe(fault === 'expired' ? 2 : 1)
  })

  it('that is slow or down is retried with growing delays', async () => {
    const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
    bucket.put(keyOf(day(0)), fileOf(0))
    bucket.faults = () => (bucket.requests.length % 3 === 2 ? undefined : 'slow down')
    expect(await syncBucket(syncRequest(bucket, folder))).toMatchObject({ stored: 1, left: [] })
    expect(bucket.requests.length).toBe(12)
  })
})
