import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { syncBucket } from '../../../src/operate/sync/sync-bucket.ts'
import { frameFile, operational } from '../../support/messages/oracle-messages.ts'
import { awsEnvironment, openTestBucket } from '../../support/sync/bucket-server.ts'
import { syncRequest } from '../../support/sync/synced.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const DAY_MS = 86_400_000
const day = (number: number) => 1_738_369_800_000 + number * DAY_MS
const nameOf = (number: number) => `iot_reward_share.${day(number)}.gz`
const keyOf = (number: number) => `foundation-iot-verified-rewards/${nameOf(number)}`
const fileOf = (number: number) => frameFile([operational(number)])

beforeEach(() => {
  for (const [name, value] of Object.entries(awsEnvironment)) vi.stubEnv(name, value)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

describe('a file that a manifest names', () => {
  it('is fetched although it came later than listings look back', async () => {
    const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
    for (const number of [5, 6]) bucket.put(keyOf(number), fileOf(number))
    await syncBucket(syncRequest(bucket, folder))
    bucket.put(keyOf(1), fileOf(1))
    expect(await syncBucket(syncRequest(bucket, folder))).toMatchObject({ stored: 0 })
    const namedAndMissing = async () => [nameOf(1), nameOf(2)]
    expect(await syncBucket(syncRequest(bucket, folder, { namedAndMissing }))).toMatchObject({ stored: 1 })
  })

  it('is requested once a day while it is missing', async () => {
    const [bucket, folder] = [await openTestBucket(), await temporaryFolder()]
    bucket.put(keyOf(5), fileOf(5))
    const namedAndMissing = async () => [nameOf(2)]
    const looked = () => bucket.requests.filter((request) => request.includes(nameOf(2))).length
    for (let run = 0; run < 3; run += 1) await syncBucket(syncRequest(bucket, folder, { namedAndMissing }))
    // The first has listed all that there is.
    expect(looked()).toBe(0)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY_MS })
    for (let run = 0; run < 3; run += 1) await syncBucket(syncRequest(bucket, folder, { namedAndMissing }))
    expect(looked()).toBe(1)
  })
})
