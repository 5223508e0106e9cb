import { writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readSources } from '../../../src/operate/sync/source-status.ts'
import { estimateSync, syncBucket } from '../../../src/operate/sync/sync-bucket.ts'
import { readSyncState, sourceFolder } from '../../../src/operate/sync/sync-state.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { frameFile, operational } from '../../support/messages/oracle-messages.ts'
import { awsEnvironment, openTestBucket, type TestBucket } from '../../support/sync/bucket-server.ts'
import { syncRequest } from '../../support/sync/synced.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const day = (number: number) => 1_738_369_800_000 + number * 86_400_000
const nameOf = (number: number) => `iot_reward_share.${day(number)}.gz`
const keyOf = (number: number) => `foundation-iot-verified-rewards/${nameOf(number)}`
const manifestKey = `foundation-iot-verified-rewards/network_reward_manifest_v1.${day(0) + 1}.gz`
const fileOf = (number: number) => frameFile([operational(number)])
const nothing = new Uint8Array()

beforeEach(() => {
  for (const [name, value] of Object.entries(awsEnvironment)) vi.stubEnv(name, value)
})
afterEach(() => vi.unstubAllEnvs())

/** A bucket whose first share file and only manifest are empty, synchronized, after which four more days came. */
async function laterThanEmpty() {
  const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
  const home = sourceFolder(folder, 'test')
  const request = (changes = {}) => syncRequest(bucket, folder, { folder: home, ...changes })
  bucket.put(keyOf(0), nothing)
  bucket.put(manifestKey, nothing)
  const run = (changes = {}) => syncBucket(request(changes))
  const first = await run()
  for (const number of [1, 2, 3, 4]) bucket.put(keyOf(number), fileOf(number))
  await run()
  return { bucket, folder, home, request, run, first }
}

const keysOf = (left: readonly { readonly key: string }[]) => left.map(({ key }) => key).sort()
const since = async (bucket: TestBucket, work: () => Promise<unknown>) => {
  const before = bucket.requests.length
  await work()
  return bucket.requests
    .slice(before)
    .filter((words) => /^(head|read)/.test(words))
    .sort()
}

describe('a rejected object', () => {
  const both = [keyOf(0), manifestKey].sort()

  it('is reported by every run, at any age, and checked by one HEAD request', async () => {
    const { bucket, folder, first, run } = await laterThanEmpty()
    expect(keysOf(first.left)).toEqual(both)
    expect(first.left.map(({ reason }) => reason)).toEqual([expect.any(String), expect.any(String)])
    // Files are fetched side by side, so the first run may name them in any order.
    const byKey = [...first.left].sort((a, b) => (a.key < b.key ? -1 : 1))
    const requests = await since(bucket, async () => {
      const { left } = await run()
      expect([...left].sort((a, b) => (a.key < b.key ? -1 : 1))).toEqual(byKey)
    })
    // The manifest is the newest of its name, so a listing still names it.
    expect(requests).toEqual([`head ${keyOf(0)}`])
    expect(await readSources(folder)).toMatchObject([{ refused: 2, problem: null }])
  })

  it('is fetched when its bytes change, and no longer reported once it is in the lake', async () => {
    const { bucket, folder, run } = await laterThanEmpty()
    bucket.put(keyOf(0), fileOf(0))
    const requests = await since(bucket, async () =>
      expect(await run()).toMatchObject({ stored: 1, left: [{ key: manifestKey }] }),
    )
    expect(requests).toEqual([`head ${keyOf(0)}`, `read ${keyOf(0)} 0`])
    expect(await since(bucket, run)).toEqual([])
    expect(await readSources(folder)).toMatchObject([{ refused: 1 }])
  })

  it('is remembered by a run that ends while it is ingested', async () => {
    const { bucket, run } = await laterThanEmpty()
    bucket.put(keyOf(0), fileOf(0))
    const killed = () => Promise.reject(new Error('killed'))
    await expect(run({ ingest: killed })).rejects.toThrow('killed')
    expect(await run()).toMatchObject({ stored: 1, left: [{ key: manifestKey }] })
  })

  it('is reported and forgotten once it is gone from the bucket', async () => {
    const { bucket, run } = await laterThanEmpty()
    bucket.remove(keyOf(0))
    expect(await run()).toMatchObject({ gone: [keyOf(0)], left: [{ key: manifestKey }] })
    expect(await run()).toMatchObject({ gone: [], left: [{ key: manifestKey }] })
  })

  it('is still reported while the store does not answer', async () => {
    const { bucket, first, run } = await laterThanEmpty()
    bucket.faults = (words) => (words.startsWith('head') ? 'unavailable' : undefined)
    const patience = { attempts: 2, firstWaitMs: 1 }
    const { left } = await run({ patience })
    expect(keysOf(left)).toEqual(keysOf(first.left))
  })

  it('is listed by an estimate, which counts the requests for it', async () => {
    const { request } = await laterThanEmpty()
    const { usage, left } = await estimateSync(request())
    expect(keysOf(left)).toEqual(both)
    const { usage: used } = await syncBucket(request())
    expect([usage.reads, used]).toEqual([1, usage])
  })

  it('is ignored by a run for other kinds or other days', async () => {
    const { bucket, run } = await laterThanEmpty()
    const range = { fromMs: day(1), toMs: day(9) }
    expect(await since(bucket, () => run({ range }))).toEqual([])
    expect(await run({ kinds: ['iot_reward_share'] })).toMatchObject({ left: [{ key: keyOf(0) }] })
  })

  it('is not requested again under the name of a manifest', async () => {
    const { bucket, run } = await laterThanEmpty()
    const namedAndMissing = async () => [nameOf(0)]
    const requests = await since(bucket, () => run({ namedAndMissing }))
    expect(requests).toEqual([`head ${keyOf(0)}`])
  })

  it('is no longer reported once the lake has a file of its name', async () => {
    const { folder, home, run } = await laterThanEmpty()
    const ingested = await temporaryFolder()
    await writeFile(`${ingested}/${nameOf(0)}`, fileOf(0))
    await ingestInto(`${folder}/lake`, [ingested])
    expect(await run()).toMatchObject({ left: [{ key: manifestKey }] })
    expect(Object.keys((await readSyncState(home, '')).fetched)).not.toContain(keyOf(0))
  })
})

describe('an object that changed after it was ingested', () => {
  it('is reported by every run, however old it is, until it is replaced', async () => {
    const { bucket, folder, run } = await laterThanEmpty()
    bucket.put(keyOf(4), fileOf(9))
    expect(keysOf((await run()).left)).toContain(keyOf(4))
    for (const number of [6, 7, 8]) bucket.put(keyOf(number), fileOf(number))
    await run()
    expect(keysOf((await run()).left)).toContain(keyOf(4))
    const ingest = (paths: readonly string[]) => ingestInto(`${folder}/lake`, paths, { replace: true })
    expect(await run({ isReplacing: true, ingest })).toMatchObject({ stored: 1 })
    expect(keysOf((await run()).left)).toEqual([keyOf(0), manifestKey].sort())
  })
})
