import { fail } from '../../../base/errors.ts'
import { Lake } from '../../../lake/snapshot/lake.ts'
import type { BucketAddress } from '../../../operate/object-store/bucket-address.ts'
import { openS3Store } from '../../../operate/object-store/s3/s3-store.ts'
import { estimateSync, type SyncRequest, syncBucket } from '../../../operate/sync/sync-bucket.ts'
import { sourceFolder } from '../../../operate/sync/sync-state.ts'
import { commitTarget } from '../../../services/copies.ts'
import { stateFolderOf } from '../../../services/folders.ts'
import type { Settings } from '../../../services/settings/settings.ts'
import { type ArtifactKind, artifactKinds } from '../../../write/ingest/files/artifact.ts'
import { ingest } from '../../../write/ingest/pipeline.ts'
import { readCoverages } from '../../coverages.ts'
import { openProgressLine, silentProgress } from '../../progress.ts'
import { runSync, type SyncFlags, type SyncResult, type SyncTools } from './run-sync.ts'
import { estimateLines, summaryLines } from './sync-lines.ts'

/** Parsed flags. Instants are milliseconds since 1970, money is nano-dollars, durations are milliseconds. */
export interface BucketFlags extends SyncFlags {
  readonly endpoint: string
  readonly requesterPays?: true
  readonly from?: number
  readonly to?: number
  readonly only?: readonly ArtifactKind[]
  readonly skip?: readonly ArtifactKind[]
  readonly estimate?: true
  readonly budget?: bigint
  readonly listPrice: bigint
  readonly readPrice: bigint
  readonly gbPrice: bigint
  readonly overlapHours: number
  readonly mostNames: number
  readonly keepRaw?: string
  readonly replace?: true
}

/** A bucket, and its address as given. */
export type BucketSource = BucketAddress & { readonly text: string }

const HOUR_MS = 3_600_000

/**
 * Synchronizes a bucket once or repeatedly, and prints summaries. Returns the exit code: 0 if all listed files are in
 * the lake.
 * Errors: `malformed_request`, `source_unreadable`, those of the ingest.
 */
export async function runSyncBucket(
  settings: Settings,
  source: BucketSource,
  flags: BucketFlags,
): Promise<number> {
  if (flags.every !== undefined && flags.estimate)
    fail('malformed_request', '--estimate fetches nothing, so --every has no effect with it; leave one out.')
  return await runSync(settings, flags, (tools) => synchronize(settings, source, flags, tools))
}

async function synchronize(
  settings: Settings,
  { bucket, prefix, text }: BucketSource,
  flags: BucketFlags,
  { signal, building }: SyncTools,
): Promise<SyncResult> {
  const { endpoint, besideServer, replace = false, requesterPays = false } = flags
  const progress = besideServer ? silentProgress : openProgressLine(process.stderr)
  const kinds = artifactKinds.filter(
    (kind) => (flags.only ?? artifactKinds).includes(kind) && !flags.skip?.includes(kind),
  )
  const { listPrice: perThousandLists, readPrice: perThousandReads, gbPrice: perGb } = flags
  const prices = { perThousandLists, perThousandReads, perGb }
  const store = openS3Store({ bucket, endpoint, isRequesterPays: requesterPays })
  let rows = 0
  const request: SyncRequest = {
    ...{ lake: settings.lake, store, prefix, kinds, prices, signal, address: text },
    folder: sourceFolder(stateFolderOf(settings), `${endpoint} ${text}`),
    range: { fromMs: flags.from ?? 0, toMs: flags.to ?? Number.MAX_SAFE_INTEGER },
    overlapMs: flags.overlapHours * HOUR_MS,
    ...{ mostNames: flags.mostNames, budget: flags.budget, isReplacing: replace, keptFolder: flags.keepRaw },
    async ingest(paths) {
      const summary = await ingest({
        ...{ ...commitTarget(settings), paths, kinds, replace, replaceAll: false },
        ...{ commitRows: settings.ingest_commit_rows, maxRejects: undefined },
      })
      rows += summary.rows
      if (!besideServer) building.expect(rows)
      return summary
    },
    namedAndMissing: () => namesThatLack(settings),
    onProgress: ({ objects, objectsDone, bytes, bytesDone }) =>
      progress.update({ files: objects, filesDone: objectsDone, bytes, bytesDone, rows }),
  }
  try {
    if (flags.estimate) {
      const estimate = await estimateSync(request)
      const lines = () => estimateLines(estimate, prices)
      return { summary: estimate, lines, isChanged: false, isComplete: true }
    }
    const summary = await syncBucket(request)
    return {
      summary,
      lines: (seconds) => summaryLines(text, summary, seconds),
      isChanged: summary.stored > 0,
      isComplete: summary.left.length === 0 && !summary.isBudgetSpent,
    }
  } finally {
    progress.stop()
    store.close()
  }
}

/** Names of files that manifests name and the lake lacks; at most as many as coverage lists. */
async function namesThatLack(settings: Settings): Promise<readonly string[]> {
  const { coverages } = await readCoverages(settings, await new Lake(settings.lake).latest())
  return [...coverages.values()].flatMap(({ files }) => files?.missing.names ?? [])
}
