import { errorTable, fail } from '../../../base/errors.ts'
import { Lake } from '../../../lake/snapshot/lake.ts'
import type { BucketAddress } from '../../../operate/object-store/bucket-address.ts'
import { openS3Store } from '../../../operate/object-store/s3/s3-store.ts'
import { estimateSync, type SyncRequest, syncBucket } from '../../../operate/sync/sync-bucket.ts'
import { sourceFolder } from '../../../operate/sync/sync-state.ts'
import { commitTarget } from '../../../services/copies.ts'
import { stateFolderOf } from '../../../services/folders.ts'
import type { Settings } from '../../../settings/settings.ts'
import { type ArtifactKind, artifactKinds } from '../../../write/ingest/files/artifact.ts'
import { ingest } from '../../../write/ingest/pipeline.ts'
import { openBuilding } from '../../building/build-with-steps.ts'
import { readCoverages } from '../../coverages.ts'
import { openProgressLine, silentProgress } from '../../progress.ts'
import { type Repeated, type RunLog, runOnceOrRepeatedly } from '../../repeated/once-or-again.ts'
import type { Print } from '../../terminal-text.ts'
import { estimateLines, jsonOf, summaryLines } from './sync-lines.ts'

/** Parsed flags. Instants are milliseconds since 1970, money is nano-dollars, durations are milliseconds. */
export interface SyncFlags extends Repeated {
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
  readonly json?: true
}

type Source = BucketAddress & { readonly text: string }

const HOUR_MS = 3_600_000
/**
 * Synchronizes a bucket once or repeatedly, and prints summaries. Returns the exit code: 0 if all listed files are in
 * the lake.
 * Errors: `malformed_request`, `source_unreadable`, those of the ingest.
 */
export async function runSync(
  settings: Settings,
  source: Source,
  flags: SyncFlags,
  print: Print,
): Promise<number> {
  const { every, estimate } = flags
  if (every !== undefined && estimate)
    fail('malformed_request', '--estimate fetches nothing, so --every has no effect with it; leave one out.')
  return await runOnceOrRepeatedly(
    settings,
    (signal, log) => synchronize(settings, source, flags, signal, log),
    flags,
    print,
  )
}

async function synchronize(
  settings: Settings,
  source: Source,
  flags: SyncFlags,
  signal: AbortSignal,
  { say }: RunLog,
): Promise<number> {
  const progress = flags.besideServer ? silentProgress : openProgressLine(process.stderr)
  const started = performance.now()
  const { bucket, prefix, text } = source
  const kinds = artifactKinds.filter(
    (kind) => (flags.only ?? artifactKinds).includes(kind) && !flags.skip?.includes(kind),
  )
  const prices = {
    perThousandLists: flags.listPrice,
    perThousandReads: flags.readPrice,
    perGb: flags.gbPrice,
  }
  const store = openS3Store({
    bucket,
    endpoint: flags.endpoint,
    isRequesterPays: flags.requesterPays === true,
  })
  let rows = 0
  const building = openBuilding(settings)
  const request: SyncRequest = {
    ...{ lake: settings.lake, store, prefix, kinds, prices, signal, address: text },
    folder: sourceFolder(stateFolderOf(settings), `${flags.endpoint} ${text}`),
    range: { fromMs: flags.from ?? 0, toMs: flags.to ?? Number.MAX_SAFE_INTEGER },
    overlapMs: flags.overlapHours * HOUR_MS,
    mostNames: flags.mostNames,
    budget: flags.budget,
    isReplacing: flags.replace === true,
    keptFolder: flags.keepRaw,
    async ingest(paths) {
      const summary = await ingest({
        ...ingestRequest(settings, kinds),
        paths,
        replace: flags.replace === true,
      })
      rows += summary.rows
      if (!flags.besideServer) building.expect(rows)
      return summary
    },
    namedAndMissing: () => namesThatLack(settings),
    onProgress: ({ objects, objectsDone, bytes, bytesDone }) =>
      progress.update({ files: objects, filesDone: objectsDone, bytes, bytesDone, rows }),
  }
  try {
    if (flags.estimate) {
      const estimate = await estimateSync(request)
      for (const line of flags.json ? jsonOf(estimate) : estimateLines(estimate, prices)) say(line)
      return 0
    }
    const summary = await syncBucket(request)
    progress.stop()
    const lines = summaryLines(text, summary, (performance.now() - started) / 1000)
    for (const line of flags.json ? jsonOf(summary) : lines) say(line)
    // A server builds its indexes itself.
    if (summary.stored > 0 && !flags.besideServer) await building.finish()
    return summary.left.length > 0 || summary.isBudgetSpent ? errorTable.source_unreadable.exit : 0
  } finally {
    building.close()
    progress.stop()
    store.close()
  }
}

function ingestRequest(settings: Settings, kinds: readonly ArtifactKind[]) {
  const { ingest_commit_rows: commitRows } = settings
  return { ...commitTarget(settings), kinds, commitRows, maxRejects: undefined, replaceAll: false }
}

/** Names of files that manifests name and the lake lacks; at most as many as coverage lists. */
async function namesThatLack(settings: Settings): Promise<readonly string[]> {
  const { coverages } = await readCoverages(settings, await new Lake(settings.lake).latest())
  return [...coverages.values()].flatMap(({ files }) => files?.missing.names ?? [])
}
