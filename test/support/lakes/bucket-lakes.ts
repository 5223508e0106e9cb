import { join } from 'node:path'
import { markOrigin } from '../../../src/lake/disk/origin-mark.ts'
import { vacuum } from '../../../src/lake/vacuum/vacuum.ts'
import type { BucketLake } from '../../../src/operate/follow/bucket-origin.ts'
import { bucketOrigin } from '../../../src/operate/follow/bucket-origin.ts'
import { bucketRemote } from '../../../src/operate/follow/bucket-remote.ts'
import { filesInBucket } from '../../../src/operate/follow/files-in-bucket.ts'
import { bringLive, follow } from '../../../src/operate/follow/follow.ts'
import { retryingStore } from '../../../src/operate/object-store/retrying-store.ts'
import { openWritableS3Store } from '../../../src/operate/object-store/s3/s3-writable-store.ts'
import { openTestWriter } from '../open-test-writer.ts'
import { awsEnvironment, openTestBucket, type TestBucket } from '../sync/bucket-server.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { ingestInto } from './build-lake.ts'
import { thirtyShares, writeOracleFiles } from './make-lake.ts'

const patience = { attempts: 4, firstWaitMs: 1 }

/** A bucket that is written, on loopback. */
export async function openLakeBucket(): Promise<TestBucket> {
  Object.assign(process.env, awsEnvironment)
  return await openTestBucket({ isRequesterPays: false, pageKeys: 5 })
}

/** The lake of a bucket in a folder of its own, as on a machine of its own. */
export async function copyOfBucket({ bucket, endpoint }: TestBucket) {
  const lake = join(await temporaryFolder(), 'copy')
  const store = retryingStore(openWritableS3Store({ bucket, endpoint, isRequesterPays: false }), patience)
  const bucketLake: BucketLake = { store, url: `s3://${bucket}/lake`, endpoint, prefix: 'lake/', lake }
  await markOrigin(lake, { url: bucketLake.url, endpoint }, true)
  const origin = bucketOrigin(bucketLake)
  const { signal } = new AbortController()
  const copy = { lake, origin, patience }
  const followed = () => follow({ ...copy, areFilesBrought: false, openWriter: openTestWriter, signal })
  const remote = bucketRemote({ ...bucketLake, origin, signal, patience, follow: followed })
  return {
    ...{ lake, remote, origin, copy, bucketLake },
    follow: followed,
    bringAll: (older: readonly string[] = []) => bringLive({ ...copy, signal }, older),
    ingest: (paths: readonly string[], options = {}) => ingestInto(lake, paths, { remote, ...options }),
    vacuum: (keepHours: number) =>
      vacuum({ lake, keepHours, isDryRun: false, elsewhere: filesInBucket(bucketLake) }),
  }
}

/** A file of thirty shares for each day of January 2025 that is named, each in a folder of its own. */
export async function daysOf(days: readonly number[]): Promise<readonly string[]> {
  const home = await temporaryFolder()
  return await Promise.all(
    days.map(async (day) => {
      const instant = Date.parse(`2025-01-${day}T00:00:00Z`)
      const folder = join(home, String(day))
      await writeOracleFiles(folder, {
        [`iot_network_reward_shares_v1.${instant}.gz`]: thirtyShares(`2025-01-${day}`),
      })
      return folder
    }),
  )
}
