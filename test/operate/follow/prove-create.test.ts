import { describe, expect, it } from 'vitest'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { copyOfBucket, daysOf, openLakeBucket } from '../../support/lakes/bucket-lakes.ts'

const probe = 'create lake/_if-none-match.txt'

describe('the store of a lake in a bucket', () => {
  it('that ignores If-None-Match is refused before anything of a commit is sent', async () => {
    const bucket = await openLakeBucket()
    bucket.ignoresCondition = true
    const [a = ''] = await daysOf([28])
    const { ingest } = await copyOfBucket(bucket)
    const refused = {
      code: 'lake_unwritable',
      message: expect.stringMatching(
        /^The store of s3:\/\/network-files\/lake cannot hold a lake: it has replaced lake\/_if-none-match\.txt .* Use a store that/,
      ),
    }
    await expect(ingest([a])).rejects.toMatchObject(refused)
    await expect(ingest([a])).rejects.toMatchObject(refused)
    expect(bucket.keys()).toEqual(['lake/_if-none-match.txt'])
  })

  it('that does not know If-None-Match is refused after one request', async () => {
    const bucket = await openLakeBucket()
    bucket.faults = (words) => (words.startsWith('create') ? [501, 'NotImplemented'] : undefined)
    const [a = ''] = await daysOf([28])
    const { ingest } = await copyOfBucket(bucket)
    await expect(ingest([a])).rejects.toThrow(/it answers 501 to a PUT with If-None-Match/)
    expect(bucket.requests.filter((words) => /^(create|put)/.test(words))).toEqual([probe])
  })

  it('is probed by each first writer, by no reader, and once in a process', async () => {
    const bucket = await openLakeBucket()
    const [a = '', b = ''] = await daysOf([28, 29])
    const [one, two] = [await copyOfBucket(bucket), await copyOfBucket(bucket)]
    await one.follow()
    expect(bucket.requests).not.toContain(probe)
    await Promise.all([one.ingest([a]), two.ingest([b])])
    await one.ingest([b])
    expect(bucket.requests.filter((words) => words === probe)).toHaveLength(2)
  })

  it('passes the probe for the second of two writers, and after a lost response', async () => {
    const bucket = await openLakeBucket()
    bucket.put('lake/_if-none-match.txt', Buffer.from('of another process'))
    let lost = 0
    bucket.faults = (words) => (words === probe && lost++ === 0 ? 'lost' : undefined)
    const [a = ''] = await daysOf([28])
    const { ingest, lake } = await copyOfBucket(bucket)
    expect(await ingest([a])).toMatchObject({ stored: 1, failed: [] })
    expect((await new Lake(lake).latest()).isEmpty).toBe(false)
  })
})
