import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { lacksFilesNow } from '../../../src/lake/snapshot/gone-files.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { keptInFolder } from '../../../src/lake/vacuum/kept-records.ts'
import { keepSnapshot, readKept, releaseSnapshot } from '../../../src/lake/vacuum/kept-snapshots.ts'
import { takeBackup } from '../../../src/operate/backup/backup.ts'
import { filesInBucket } from '../../../src/operate/follow/files-in-bucket.ts'
import { sumCachedBytes } from '../../../src/operate/follow/make-room.ts'
import { compact } from '../../../src/write/compact/compact.ts'
import { everyAnswer } from '../../support/every-answer.ts'
import { smallNetwork } from '../../support/fixtures.ts'
import { copyOfBucket, daysOf, openLakeBucket } from '../../support/lakes/bucket-lakes.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const idOf = async (lake: string) => (await new Lake(lake).latest()).id

describe('a lake in a bucket', () => {
  it('answers like a local one, read by a copy that did not write it', async () => {
    const bucket = await openLakeBucket()
    const writer = await copyOfBucket(bucket)
    expect((await writer.ingest([smallNetwork])).failed).toEqual([])
    const reader = await copyOfBucket(bucket)
    await reader.follow()
    await reader.bringAll()
    expect(await idOf(reader.lake)).toBe(await idOf(writer.lake))
    const [here, local] = [await buildTestServer(reader.lake), await buildTestServer(await smallLake())]
    expect(await everyAnswer(here)).toEqual(await everyAnswer(local))
  })

  it('is checked by one read and no listing while nothing is new', async () => {
    const bucket = await openLakeBucket()
    const writer = await copyOfBucket(bucket)
    await writer.ingest(await daysOf([28]))
    const reader = await copyOfBucket(bucket)
    await reader.follow()
    const before = bucket.requests.length
    await reader.follow()
    expect(bucket.requests.slice(before)).toEqual(['read lake/_newest.json 0'])
  })

  it('accepts commits of two writers at once, each file once', async () => {
    const bucket = await openLakeBucket()
    const [one, two] = [await copyOfBucket(bucket), await copyOfBucket(bucket)]
    const [a = '', b = '', c = '', d = ''] = await daysOf([28, 29, 30, 31])
    const taken = await Promise.all([
      one.ingest([a, b, c], { commitRows: 1 }),
      two.ingest([d, c, b], { commitRows: 1 }),
    ])
    expect(taken.map(({ failed }) => failed)).toEqual([[], []])
    const reader = await copyOfBucket(bucket)
    for (const copy of [one, two, reader]) {
      copy.origin.invalidate()
      await copy.follow()
      await copy.bringAll()
    }
    expect(new Set([await idOf(one.lake), await idOf(two.lake), await idOf(reader.lake)]).size).toBe(1)
    const local = join(await temporaryFolder(), 'lake')
    await ingestInto(local, [a, b, c, d])
    const [here, far] = [await buildTestServer(reader.lake), await buildTestServer(local)]
    const totals = '/l2/iot-reward-shares/totals?from=2025-01-01&to=2025-03-01'
    const { status, text } = await here.get(totals)
    expect([status, text]).toEqual([200, (await far.get(totals)).text])
    expect(
      bucket.requests.filter((words) => words.startsWith('create lake/iot_reward_shares')).length,
    ).toBeGreaterThan(4)
  })

  it('recognizes its own commit although the response to it was lost', async () => {
    const bucket = await openLakeBucket()
    const writer = await copyOfBucket(bucket)
    let lost = 0
    bucket.faults = (words) => {
      if (!words.startsWith('create ') || lost > 0) return undefined
      lost += 1
      return 'lost'
    }
    const [a = ''] = await daysOf([28])
    expect(await writer.ingest([a])).toMatchObject({ stored: 1, failed: [] })
    expect(lost).toBe(1)
    expect(
      bucket.keys().filter((key) => key.endsWith('.json') && key.includes('iot_reward_shares/_delta_log')),
    ).toHaveLength(1)
  })

  it('accepts a commit after a commit that is missing in _newest.json', async () => {
    const bucket = await openLakeBucket()
    const [one, two] = [await copyOfBucket(bucket), await copyOfBucket(bucket)]
    const [a = '', b = ''] = await daysOf([28, 29])
    await two.follow()
    bucket.faults = (words) => (words === 'put lake/_newest.json' ? 'denied' : undefined)
    await one.ingest([a])
    expect(await two.ingest([b])).toMatchObject({ stored: 1, failed: [] })
    one.origin.invalidate()
    await one.follow()
    expect(await idOf(one.lake)).toBe(await idOf(two.lake))
  })

  it('has no trace of a failed commit, and the next run repeats it', async () => {
    const bucket = await openLakeBucket()
    const writer = await copyOfBucket(bucket)
    bucket.faults = (words) => (words.startsWith('create ') ? 'denied' : undefined)
    const [a = ''] = await daysOf([28])
    await expect(writer.ingest([a])).rejects.toThrow(/access is denied/)
    expect(await idOf(writer.lake)).toBe('')
    const reader = await copyOfBucket(bucket)
    expect(await reader.follow()).toMatchObject({ commits: 0 })
    // The writer dies before it tells of its commit.
    bucket.faults = (words) => (words === 'put lake/_newest.json' ? 'denied' : undefined)
    expect(await writer.ingest([a])).toMatchObject({ stored: 1 })
    expect(await reader.follow()).toMatchObject({ commits: 0 })
    reader.origin.invalidate()
    expect(await reader.follow()).toMatchObject({ commits: 1 })
  })

  it('shows a commit that is only in the bucket at the next read', async () => {
    const bucket = await openLakeBucket()
    const writer = await copyOfBucket(bucket)
    const [a = '', b = ''] = await daysOf([28, 29])
    await writer.ingest([a])
    await writer.ingest([b])
    const id = await idOf(writer.lake)
    // As if the writer had died before the entry came here.
    await rm(join(writer.lake, 'iot_reward_shares/_delta_log/00000000000000000001.json'))
    expect(await idOf(writer.lake)).not.toBe(id)
    await writer.follow()
    expect(await idOf(writer.lake)).toBe(id)
    expect(await writer.ingest([a, b])).toMatchObject({ stored: 0, skipped: 2 })
  })

  it('is planned for compaction from file footers, and rewritten by another machine if files are many', async () => {
    const bucket = await openLakeBucket()
    const [writer, reader] = [await copyOfBucket(bucket), await copyOfBucket(bucket)]
    const months = ['2025-01']
    const compactIn = ({ lake, remote }: typeof writer) =>
      compact({ lake, remote, months, openWriter: openTestWriter })
    for (const day of await daysOf([28, 29])) await writer.ingest([day])
    await compactIn(writer)
    await reader.follow()
    expect(await compactIn(reader)).toEqual([])
    expect(await sumCachedBytes(reader.lake)).toBe(0)
    for (const day of await daysOf([30])) await writer.ingest([day])
    await reader.follow()
    expect(await compactIn(reader)).toMatchObject([{ rows: 90, filesBefore: 2, filesAfter: 1 }])
    await writer.follow()
    expect(await idOf(writer.lake)).toBe(await idOf(reader.lake))
  })

  it('can be vacuumed if the store demands Content-MD5, or cannot delete many objects at once', async () => {
    const bucket = await openLakeBucket()
    bucket.demandsMd5 = true
    const writer = await copyOfBucket(bucket)
    for (const day of await daysOf([28, 29])) await writer.ingest([day])
    const { lake, remote } = writer
    await compact({ lake, remote, months: ['2025-01'], openWriter: openTestWriter })
    bucket.faults = (words) =>
      words.startsWith('remove ') && words.includes(' ', 'remove '.length)
        ? [501, 'NotImplemented']
        : undefined
    expect(await writer.vacuum(0)).toMatchObject([{ table: 'iot_reward_shares', paths: { length: 2 } }])
    expect(bucket.keys().filter((key) => key.endsWith('.parquet'))).toHaveLength(1)
    bucket.faults = () => undefined
    const before = bucket.requests.length
    await filesInBucket(writer.bucketLake).remove(iotRewardShares, ['a', 'b'])
    expect(bucket.requests.slice(before)).toEqual([
      'remove lake/iot_reward_shares/a lake/iot_reward_shares/b',
    ])
  })

  it('has the files of a snapshot that another copy keeps after a vacuum, until it is released', async () => {
    const bucket = await openLakeBucket()
    const [writer, reader] = [await copyOfBucket(bucket), await copyOfBucket(bucket)]
    for (const day of await daysOf([28, 29])) await writer.ingest([day])
    await reader.follow()
    const at = await new Lake(reader.lake).latest()
    const elsewhere = filesInBucket(reader.bucketLake)
    const keeping = { lake: reader.lake, records: elsewhere.kept, elsewhere }
    const record = { id: 'b'.repeat(64), since: '2026-01-01T00:00:00Z', reason: 'a statement' }
    await keepSnapshot(keeping, at, record)
    const { lake, remote } = writer
    await compact({ lake, remote, months: ['2025-01'], openWriter: openTestWriter })
    expect(await writer.vacuum(0)).toEqual([])
    await reader.follow()
    const newest = await new Lake(reader.lake).latest()
    expect(await lacksFilesNow(at, newest)).toBe(true)
    expect(await lacksFilesNow(at, newest, undefined, elsewhere)).toBe(false)
    // A machine that sees the lake for the first time can read it too.
    const fresh = await copyOfBucket(bucket)
    await fresh.follow()
    const again = await new Lake(fresh.lake).at(at.id)
    expect(again?.table(iotRewardShares).rows).toBe(60)
    // And its backup has them.
    await fresh.bringAll([at.id])
    const to = await temporaryFolder()
    const { folder } = await takeBackup({ lake: fresh.lake, to, kept: elsewhere.kept })
    const backup = new Lake(folder)
    const kept = await readKept(folder, keptInFolder(folder))
    expect(kept).toMatchObject([{ id: record.id, snapshot: at.id }])
    const inBackup = await backup.at(at.id)
    expect(inBackup && (await lacksFilesNow(inBackup, await backup.latest()))).toBe(false)

    await releaseSnapshot(keeping, record.id)
    expect(await writer.vacuum(0)).toMatchObject([{ table: 'iot_reward_shares', paths: { length: 2 } }])
    expect(await lacksFilesNow(at, newest, undefined, elsewhere)).toBe(true)
    await expect(keepSnapshot(keeping, at, record)).rejects.toMatchObject({ code: 'gone' })
    expect(bucket.keys().filter((key) => key.includes('/_kept/'))).toEqual([])
  })

  it('is compacted and vacuumed from two copies, and never loses recent files', async () => {
    const bucket = await openLakeBucket()
    const [writer, reader] = [await copyOfBucket(bucket), await copyOfBucket(bucket)]
    for (const day of await daysOf([28, 29, 30])) await writer.ingest([day])
    await reader.follow()
    await compact({
      lake: writer.lake,
      remote: writer.remote,
      months: ['2025-01'],
      openWriter: openTestWriter,
    })
    const data = () => bucket.keys().filter((key) => key.endsWith('.parquet') && key.includes('/part-'))
    const facts = () => bucket.keys().filter((key) => key.includes('/_facts/'))
    expect([data().length, facts().length]).toEqual([4, 4])
    bucket.put('lake/iot_reward_shares/month=2025-01/part-of-somebody.parquet', Buffer.from('young'))
    const removed = await writer.vacuum(0)
    expect(removed).toMatchObject([{ table: 'iot_reward_shares', paths: { length: 3 } }])
    expect([data().length, facts().length]).toEqual([2, 1])
    bucket.storedAt = Date.now() - 25 * 3_600_000
    await writer.vacuum(0)
    expect(data()).toHaveLength(1)
    await reader.follow()
    await reader.bringAll()
    const [here, far] = [await buildTestServer(reader.lake), await buildTestServer(writer.lake)]
    expect(await everyAnswer(here)).toEqual(await everyAnswer(far))
  })
})
