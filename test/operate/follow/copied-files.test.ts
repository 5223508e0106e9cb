import { existsSync } from 'node:fs'
import { readdir, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { markOrigin, readOriginMark } from '../../../src/lake/disk/origin-mark.ts'
import { openCheckedFiles } from '../../../src/lake/integrity/checked-files.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { bringMissing } from '../../../src/operate/follow/bring-missing.ts'
import { makeRoom, sumCachedBytes } from '../../../src/operate/follow/make-room.ts'
import { smallNetwork } from '../../support/fixtures.ts'
import { copyOfBucket, daysOf, openLakeBucket } from '../../support/lakes/bucket-lakes.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import type { TestBucket } from '../../support/sync/bucket-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A bucket with a lake of three files. */
async function filledBucket(): Promise<TestBucket> {
  const bucket = await openLakeBucket()
  const writer = await copyOfBucket(bucket)
  for (const day of await daysOf([28, 29, 30])) await writer.ingest([day])
  return bucket
}

let shared: TestBucket
beforeAll(async () => {
  shared = await filledBucket()
})

/** A copy that has no data file, and the way to its files. */
async function emptyCopy(bucket = shared) {
  const reader = await copyOfBucket(bucket)
  await reader.follow()
  const files = (await new Lake(reader.lake).latest()).tables.flatMap((table) => table.files)
  const open = (mostBytes = 0) =>
    openCheckedFiles({ lake: reader.lake, bring: (file) => bringMissing(reader.copy, file, mostBytes) })
  return { bucket, files, open, ...reader }
}

const nothing = async () => {}

describe('data files of a copy', () => {
  it('are fetched on the first read, and again if they are damaged', async () => {
    const { bucket, files, open, lake } = await emptyCopy()
    expect(await sumCachedBytes(lake)).toBe(0)
    const [one, two] = files
    if (one === undefined || two === undefined) throw new Error('too few files')
    const checked = open()
    const reads = () => bucket.requests.filter((words) => words.includes('/part-')).length
    const before = reads()
    await checked.read([one], nothing)
    await checked.read([one], nothing)
    expect(reads() - before).toBe(1)
    expect((await stat(one.path)).size).toBe(one.bytes)
    await truncate(one.path, 10)
    await checked.read([one, two], nothing)
    expect(reads() - before).toBe(3)
    expect((await stat(one.path)).size).toBe(one.bytes)
    expect(await readdir(join(lake, '_parts'))).toEqual([])
  })

  it('are fetched once for simultaneous reads', async () => {
    const { bucket, files, open } = await emptyCopy()
    const before = bucket.requests.length
    const [one, two] = [open(), open()]
    await Promise.all([one, two, one, two].map((checked) => checked.read(files, nothing)))
    const read = bucket.requests.slice(before).filter((words) => words.includes('/part-'))
    expect(read).toHaveLength(files.length)
    expect(new Set(read).size).toBe(files.length)
  })

  it('are reported as missing after a vacuum of the origin', async () => {
    const { bucket, files, open } = await emptyCopy(await filledBucket())
    const [file] = files
    if (file === undefined) throw new Error('no files')
    for (const key of bucket.keys())
      if (file.path.endsWith(key.slice(key.lastIndexOf('/')))) bucket.remove(key)
    await expect(open().read([file], nothing)).rejects.toMatchObject({
      code: 'lake_damaged',
      message: /it is missing/,
    })
  })

  it('reject with not_ready while the bucket is unreachable', async () => {
    const { bucket, files, open } = await emptyCopy()
    bucket.faults = (words) => (words.includes('/part-') ? 'unavailable' : undefined)
    await expect(open().read(files, nothing)).rejects.toMatchObject({
      code: 'not_ready',
      message: expect.stringMatching(
        /parquet of the lake cannot be fetched from s3:\/\/.* now\. Ask again in a moment\./,
      ),
    })
    bucket.faults = () => undefined
    await open().read(files, nothing)
  })

  it('are evicted in the order of their last read, and a file in use is kept', async () => {
    const { files, open, lake } = await emptyCopy()
    await open().read(files, nothing)
    const all = files.reduce((sum, { bytes }) => sum + bytes, 0)
    expect(await sumCachedBytes(lake)).toBe(all)
    await makeRoom(lake, 1, all)
    expect(files.filter(({ path }) => !existsSync(path))).toEqual([])
    const later = Date.now() + 120_000
    const [oldest, ...others] = files
    // All were linked at about the same time; the times of reading tell them apart.
    for (const { path } of others) await utimes(path, new Date(later - 90_000), (await stat(path)).mtime)
    await makeRoom(lake, 1, all, later)
    expect(files.filter(({ path }) => !existsSync(path))).toEqual([oldest])
    // What is removed comes back, and something else goes.
    await open(all - 1).read(files.slice(0, 1), nothing)
    expect(existsSync(oldest?.path ?? '')).toBe(true)
  })
})

describe('the folder of a copy', () => {
  const mark = { url: 's3://lakes/one', endpoint: '' }

  it('accepts commits only from its origin', async () => {
    const { lake } = await emptyCopy()
    await expect(ingestInto(lake, [smallNetwork])).rejects.toThrow(
      /is a copy of s3:\/\/network-files\/lake; commits are made there/,
    )
  })

  it('accepts neither a lake with commits of its own nor the copy of another lake', async () => {
    const lake = await temporaryFolder()
    await expect(markOrigin(lake, mark, false)).rejects.toThrow(/has commits of its own/)
    expect(readOriginMark(lake)).toBeUndefined()
    await markOrigin(lake, mark, true)
    await markOrigin(lake, mark, false)
    await expect(markOrigin(lake, { ...mark, url: 's3://lakes/two' }, false)).rejects.toThrow(
      /is a copy of s3:\/\/lakes\/one, not of s3:\/\/lakes\/two/,
    )
    await markOrigin(lake, { ...mark, endpoint: 'http://127.0.0.1:9000' }, false)
    expect(readOriginMark(lake)).toEqual({ ...mark, endpoint: 'http://127.0.0.1:9000' })
    await writeFile(join(lake, '_origin.json'), '{"url":')
    expect(() => readOriginMark(lake)).toThrow(/does not say what the lake is a copy of/)
  })
})
