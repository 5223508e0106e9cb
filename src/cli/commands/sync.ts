import { setTimeout } from 'node:timers/promises'
import { errorTable, fail, sentenceOf } from '../../errors.ts'
import { type ArtifactKind, artifactKinds } from '../../ingest/artifact.ts'
import { ingest } from '../../ingest/pipeline.ts'
import { StoreFault } from '../../object-store/object-store.ts'
import { openS3Store } from '../../object-store/s3-store.ts'
import { openRowWriter, stateFolderOf } from '../../services.ts'
import type { Settings } from '../../settings.ts'
import type { BucketAddress } from '../../sync/bucket-address.ts'
import { estimateSync, type SyncRequest, syncBucket } from '../../sync/sync-bucket.ts'
import { sourceFolder } from '../../sync/sync-state.ts'
import { buildWithSteps } from '../build-with-steps.ts'
import { lowerPriority } from '../lower-priority.ts'
import { openProgressLine } from '../progress.ts'
import { estimateLines, jsonOf, summaryLines } from '../sync-lines.ts'
import { type Print, visible } from '../terminal-text.ts'

/** Flags as they are given. Instants are milliseconds since 1970, money nano-dollars, times milliseconds. */
export interface SyncFlags {
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
  readonly keepRaw?: string
  readonly replace?: true
  readonly every?: number
  readonly json?: true
}

type Source = BucketAddress & { readonly text: string }

const HOUR_MS = 3_600_000
const LONGEST_BACK_OFF = 8

/**
 * Synchronizes a bucket once, or again and again, and prints what came. Gives the exit code: 0 when all that was listed is in
 * the lake. Errors: `malformed_request`, `source_unreadable`, those of the ingest.
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
  lowerPriority()
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())
  const once = () => synchronize(settings, source, flags, stop.signal, print)
  if (every === undefined) return await once()
  return await again(once, every, stop.signal)
}

/** After a run that failed the next waits twice as long, up to eight times. */
async function again(once: () => Promise<number>, everyMs: number, signal: AbortSignal): Promise<number> {
  for (let failures = 0; ; ) {
    try {
      await once()
      failures = 0
    } catch (error) {
      if (signal.aborted) return 0
      failures += 1
      process.stderr.write(`${visible(sentenceOf(error))}\n`)
    }
    const wait = everyMs * Math.min(LONGEST_BACK_OFF, 2 ** Math.max(0, failures - 1))
    await setTimeout(wait, undefined, { signal }).catch(() => {})
    if (signal.aborted) return 0
  }
}

async function synchronize(
  settings: Settings,
  source: Source,
  flags: SyncFlags,
  signal: AbortSignal,
  print: Print,
): Promise<number> {
  const progress = openProgressLine(process.stderr)
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
  const request: SyncRequest = {
    ...{ lake: settings.lake, store, prefix, kinds, prices, signal, address: text },
    folder: sourceFolder(stateFolderOf(settings), `${flags.endpoint} ${text}`),
    range: { fromMs: flags.from ?? 0, toMs: flags.to ?? Number.MAX_SAFE_INTEGER },
    overlapMs: flags.overlapHours * HOUR_MS,
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
      return summary
    },
    onProgress: ({ objects, objectsDone, bytes, bytesDone }) =>
      progress.update({ files: objects, filesDone: objectsDone, bytes, bytesDone, rows }),
  }
  try {
    if (flags.estimate) {
      const estimate = await estimateSync(request)
      if (flags.json) print(jsonOf(estimate))
      else for (const line of estimateLines(estimate, prices)) print(line)
      return 0
    }
    const summary = await syncBucket(request)
    progress.stop()
    if (flags.json) print(jsonOf(summary))
    else
      for (const line of summaryLines(text, summary, (performance.now() - started) / 1000))
        print(visible(line))
    if (summary.stored > 0) await buildWithSteps(settings)
    return summary.left.length > 0 || summary.isBudgetSpent ? errorTable.source_unreadable.exit : 0
  } catch (error) {
    if (error instanceof StoreFault) fail('source_unreadable', `${sentenceOf(error)}.`, { cause: error })
    throw error
  } finally {
    progress.stop()
    store.close()
  }
}

function ingestRequest(settings: Settings, kinds: readonly ArtifactKind[]) {
  const openWriter = (spillFolder: string) => openRowWriter(settings, spillFolder)
  const { lake, ingest_commit_rows: commitRows } = settings
  return { lake, kinds, openWriter, commitRows, maxRejects: undefined, replaceAll: false }
}
