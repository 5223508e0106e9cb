import { fail } from '../../base/errors.ts'
import { sourceKey } from '../../lake/facts/source.ts'
import { Lake } from '../../lake/snapshot/lake.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { IngestWriter } from '../ports/ingest-writer.ts'
import { type Store, type StoreRequest, withStore } from '../store/store.ts'
import type { KindReader } from '../wire/row-decoder.ts'
import { storeRejects } from './commit/store-rejects.ts'
import { storeRows } from './commit/store-rows.ts'
import { storeState } from './commit/store-state.ts'
import { CommitQueue } from './commit-queue.ts'
import type { DecodedArtifact } from './decode/decode-artifact.ts'
import { type Intake, intakeOf } from './decode/intake.ts'
import { isStateKind } from './decode/kinds.ts'
import { type DecodeOptions, decodeNew, describeFileFault, describeOtherBytes } from './decode-new.ts'
import {
  type Artifact,
  type ArtifactKind,
  artifactKinds,
  type Listing,
  listArtifacts,
} from './files/artifact.ts'
import type { BlockRange } from './files/block-range.ts'
import { IngestCounts, type IngestProgress, type IngestSummary } from './ingest-counts.ts'
import { KnownSources } from './known-sources.ts'
import { openExports } from './open-exports.ts'

export interface IngestRequest extends StoreRequest<IngestWriter>, DecodeOptions {
  readonly paths: readonly string[]
  readonly kinds: readonly ArtifactKind[]
  /** Range of blocks to ingest; tables without blocks are skipped. */
  readonly blocks?: BlockRange | undefined
  /** Replaces whole state tables, each in one commit. */
  readonly replaceAll: boolean
  /** Rows to stage per commit; a file is never split over commits. */
  readonly commitRows: number
  /** Opens the decoder of a kind; tests replace it. */
  readonly openReader?: (kind: ArtifactKind) => KindReader
  readonly onProgress?: (progress: IngestProgress) => void
}

/**
 * Ingests the artifacts that the lake lacks, decoding during earlier commits. A broken file stores nothing; the other
 * files are ingested.
 * Errors: `lake_unwritable`, `lake_damaged`.
 */
export async function ingest(request: IngestRequest): Promise<IngestSummary> {
  const started = performance.now()
  const listing = await listArtifacts(request.paths, request.kinds, request.blocks)
  const { artifacts, exported, unreadable } = listing
  if (request.replaceAll) refuseReplacing(listing, request)
  const counts = new IngestCounts(listing, request.onProgress)
  if (artifacts.length + exported.length === 0) return counts.summary(0)
  await withStore(request, async (store) => {
    const at = await new Lake(request.lake).latest()
    const commits = new CommitQueue()
    const opened = await openExports(store.writer, exported, request, counts)
    try {
      for (const kind of artifactKinds)
        for (const [intake, all] of intakesOf(kind)) {
          const ofKind = all.filter((artifact) => artifact.kind === kind)
          if (ofKind.length > 0)
            await ingestKind(store, at, intake, ofKind, request, counts, unreadable.length, commits)
        }
    } finally {
      await commits.end()
      for (const file of opened) await file.close()
    }

    function intakesOf(kind: ArtifactKind): readonly (readonly [Intake, readonly Artifact[]])[] {
      const fromExports = opened.flatMap((file) => {
        const intake = file.intakeOf(kind)
        return intake === undefined ? [] : [[intake, file.artifacts] as const]
      })
      return [[intakeOf(kind, request), artifacts], ...fromExports]
    }
  })
  return counts.summary((performance.now() - started) / 1000)
}

async function ingestKind(
  store: Store<IngestWriter>,
  at: Snapshot,
  intake: Intake,
  artifacts: readonly Artifact[],
  request: IngestRequest,
  counts: IngestCounts,
  unreadable: number,
  commits: CommitQueue,
): Promise<void> {
  const isWhole = request.replaceAll && intake.resource.holds === 'state'
  const knownSources = new KnownSources(isWhole ? [] : at.table(intake.resource).sources.values())
  const openBatch = async (): Promise<Batch> => ({ ...(await intake.open(store.writer)), decoded: [] })
  if (!intake.isBeside) await commits.end()
  let batch = await openBatch()
  // An unreadable path may be of any kind.
  let failures = unreadable
  for (const [index, artifact] of artifacts.entries()) {
    try {
      const decoded = await decodeNew(artifact, index, batch.decode, knownSources, request, counts)
      if (decoded === undefined) continue
      counts.decoded(artifact, decoded.statistics.rows)
      knownSources.addNew(decoded.source)
      batch.decoded.push(decoded)
    } catch (error) {
      counts.failed(artifact, describeFileFault(error, artifact))
      failures += 1
    }
    if (batch.stage.rows >= request.commitRows && !isWhole) {
      await commit(batch)
      batch = await openBatch()
    }
  }
  if (isWhole && failures > 0) await commits.begin(() => leaveOut(batch, counts))
  else await commit(batch)

  async function commit(whole: Batch): Promise<void> {
    await commits.begin(() => commitBatch(store, intake, whole, isWhole, counts))
    if (!intake.isBeside) await commits.end()
  }
}

/** Reports all files as left out, because --replace-all needs every file of the table. */
async function leaveOut({ stage, decoded }: Batch, counts: IngestCounts): Promise<void> {
  const reason = 'another file that should be in the whole table failed; all of them must be sound'
  for (const { artifact } of decoded) counts.leftOut(artifact, reason)
  await stage.drop()
}

/** Errors: `malformed_request` if no file belongs to a state table, or for a file of an export. */
function refuseReplacing({ artifacts, exported }: Listing, { paths, kinds }: IngestRequest): void {
  const [file] = exported
  if (file !== undefined)
    fail('malformed_request', `--replace-all cannot be combined with ${file.path}, an export; leave it out`)
  const stateKinds = kinds.filter(isStateKind)
  if (artifacts.some(({ kind }) => stateKinds.includes(kind))) return
  fail(
    'malformed_request',
    `--replace-all is given and there is no file of ${stateKinds.join(', ')} in ${paths.join(', ')}; ` +
      'give at least one',
  )
}

interface Batch extends Awaited<ReturnType<Intake['open']>> {
  readonly decoded: DecodedArtifact[]
}

async function commitBatch(
  store: Store<IngestWriter>,
  { resource }: Intake,
  { stage, decoded }: Batch,
  replaceAll: boolean,
  counts: IngestCounts,
): Promise<void> {
  if (decoded.length === 0) return await stage.drop()
  await storeRejects(store, resource, decoded)
  const heldSources =
    resource.holds === 'state'
      ? await storeState(store, resource, stage, decoded, replaceAll)
      : await storeRows(store, resource, stage, decoded)
  await stage.drop()
  for (const item of decoded) {
    const digest = heldSources.get(sourceKey(item.source))
    if (digest === undefined) counts.stored(item)
    else if (digest === item.source.sha256) counts.overtaken()
    else counts.leftOut(item.artifact, describeOtherBytes(item.source, digest))
  }
}
