import { join } from 'node:path'
import { openS3Store } from '../../../src/operate/object-store/s3/s3-store.ts'
import type { SyncRequest } from '../../../src/operate/sync/sync-bucket.ts'
import { artifactKinds } from '../../../src/write/ingest/files/artifact.ts'
import { ingestInto } from '../lakes/build-lake.ts'
import type { TestBucket } from './bucket-server.ts'

/** Prices that make sums easy to follow: a listing is 1 USD, a read 10 USD, 2^30 bytes 2^30 USD. */
const plainPrices = {
  perThousandLists: 1000n * 10n ** 9n,
  perThousandReads: 10_000n * 10n ** 9n,
  perGb: (10n ** 9n) << 30n,
}

/** A request for all of a bucket, ingested as tests ingest. */
export function syncRequest(
  { endpoint, bucket }: Pick<TestBucket, 'endpoint' | 'bucket'>,
  folder: string,
  changes: Partial<SyncRequest> = {},
): SyncRequest {
  const lake = join(folder, 'lake')
  return {
    lake,
    store: openS3Store({ bucket, endpoint, isRequesterPays: true }),
    ...{ address: `s3://${bucket}`, prefix: '', folder: join(folder, 'state'), kinds: artifactKinds },
    ...{ range: { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }, overlapMs: 86_400_000 },
    ...{ prices: plainPrices, budget: undefined, isReplacing: false, keptFolder: undefined },
    ingest: (paths) => ingestInto(lake, paths),
    patience: { attempts: 6, firstWaitMs: 5 },
    ...changes,
  }
}
