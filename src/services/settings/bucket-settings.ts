import { createHash } from 'node:crypto'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { path, type Reader } from './readers.ts'
import { numberSetting, setting } from './setting.ts'

const storeAddress: Reader<string> = {
  advice: 'use an address such as http://127.0.0.1:9000',
  read: (text) =>
    text === '' || /^https?:\/\/[^\s/?#@]+\/?$/.test(text) ? text.replace(/\/$/, '') : undefined,
}

/** Settings of a lake in a bucket and of its copy. */
export const bucketSettings = {
  lake_endpoint: {
    ...setting(storeAddress, 'URL'),
    meaning: 'Endpoint of an S3-compatible store, such as http://127.0.0.1:9000; empty: Amazon S3.',
  },
  lake_copy: {
    ...setting(path, 'DIR'),
    meaning:
      'Folder of the local copy of a lake in a bucket; empty: below ledgerlake/lakes in the cache folder of the user.',
  },
  lake_copy_mb: {
    ...numberSetting(0, 100_000_000, 'MB', 0),
    meaning: 'Size limit of data files in the copy; the least recently read are removed. 0: no limit.',
  },
  lake_poll_ms: {
    ...numberSetting(100, 3_600_000, 'MS', 2000),
    meaning: 'Interval at which a server looks for commits in the bucket, in ms.',
  },
}

/** Returns true if a lake is in a bucket. */
export const isInBucket = (lake: string) => lake.startsWith('s3://')

/** Returns the default folder of the copy of a lake in a bucket; it differs for each lake. */
export function usualCopy(url: string, endpoint: string): string {
  const { XDG_CACHE_HOME: shared = '' } = process.env
  const name = createHash('sha256').update(`${endpoint} ${url}`).digest('hex').slice(0, 16)
  return join(isAbsolute(shared) ? shared : cacheOfUser(), 'ledgerlake', 'lakes', name)
}

/** Returns the user's cache folder. A user without an entry in the system has no home. */
function cacheOfUser(): string {
  try {
    return join(homedir(), '.cache')
  } catch {
    return tmpdir()
  }
}
