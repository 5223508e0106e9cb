import { fail } from '../../base/errors.ts'
import type { OriginMark } from '../../lake/disk/origin-mark.ts'
import type { Remote } from '../../write/store/remote.ts'
import { readBucketAddress } from '../object-store/bucket-address.ts'
import { retryingStore } from '../object-store/retrying-store.ts'
import { openWritableS3Store } from '../object-store/s3/s3-writable-store.ts'
import { type BucketLake, type BucketOrigin, bucketOrigin } from './bucket-origin.ts'
import { bucketRemote } from './bucket-remote.ts'
import { type FollowRequest, follow } from './follow.ts'

/** A lake in a bucket and the folder that is a copy of it. */
export interface LakeInBucket {
  readonly bucketLake: BucketLake
  readonly origin: BucketOrigin
  /** Returns the remote that receives commits. */
  remote(openWriter: FollowRequest['openWriter'], signal: AbortSignal, mostBytes?: number): Remote
}

/** Opens the bucket of an origin mark; undefined if the origin is no bucket. Sends no request. */
export function openLakeInBucket(lake: string, { url, endpoint }: OriginMark): LakeInBucket | undefined {
  if (!url.startsWith('s3://')) return undefined
  const address = readBucketAddress(url)
  if (address === undefined)
    return fail(
      'malformed_request',
      `${url} is not the address of a lake in a bucket; use one such as s3://bucket/lake.`,
    )
  const { bucket, prefix } = address
  const bucketLake = {
    store: retryingStore(openWritableS3Store({ bucket, endpoint, isRequesterPays: false })),
    url,
    endpoint,
    prefix,
    lake,
  }
  const origin = bucketOrigin(bucketLake)
  return {
    bucketLake,
    origin,
    remote: (openWriter, signal, mostBytes = 0) =>
      bucketRemote({
        ...{ ...bucketLake, origin, signal, mostBytes },
        // Data files of other writers are downloaded on demand.
        follow: () => follow({ lake, origin, areFilesBrought: false, openWriter, signal }),
      }),
  }
}
