import { ServiceError, sentenceOf, systemWordsOf } from '../errors.ts'
import { hashFile } from '../lake/disk.ts'
import type { RowStage } from '../lake/row-writer.ts'
import { type Source, sourceKey } from '../lake/source.ts'
import { FileFault } from '../wire/faults.ts'
import { type Artifact, type ArtifactKind, artifactKinds, listArtifacts } from './artifact.ts'
import { Counts, type IngestProgress, type IngestSummary } from './counts.ts'
import { type DecodedArtifact, decodeArtifact } from './decode-artifact.ts'
import { type KindReader, openKindReader } from './kinds.ts'
import { type KnownSources, readKnownSources } from './known-sources.ts'
import { type Store, storeRows } from './store.ts'
import { storeRejects } from './store-rejects.ts'
import { type StoreRequest, usingStore } from './using-store.ts'

export interface IngestRequest extends StoreRequest {
  readonly paths: readonly string[]
  readonly kinds: readonly ArtifactKind[]
  readonly maxRejects: number | undefined
  /** An artifact of a known name with other bytes takes the place of the old one. */
  readonly replace: boolean
  /** Rows staged before they are committed; a file is never split over commits. */
  readonly commitRows: number
  /** What decodes each kind; unless given, what this build knows. */
  readonly openReader?: (kind: ArtifactKind) => KindReader
  readonly onProgress?: (progress: IngestProgress) => void
}

/**
 * Takes in the artifacts that the lake does not hold yet. A broken file stores nothing; the others go on.
 * Errors: `lake_unwritable`, `lake_damaged`.
 */
export async function ingest(request: IngestRequest): Promise<IngestSummary> {
  const started = performance.now()
  const listing = await listArtifacts(request.paths, request.kinds)
  const { artifacts } = listing
  const counts = new Counts(listing, request.onProgress)
  if (artifacts.length === 0) return counts.summary(listing.unknown, 0)
  await usingStore(request, async (store) => {
    for (const kind of artifactKinds) {
      const own = artifacts.filter((artifact) => artifact.kind === kind)
      await ingestKind(store, kind, own, request, counts)
    }
  })
  return counts.summary(listing.unknown, (performance.now() - started) / 1000)
}

async function ingestKind(
  store: Store,
  kind: ArtifactKind,
  artifacts: readonly Artifact[],
  request: IngestRequest,
  counts: Counts,
): Promise<void> {
  if (artifacts.length === 0) return
  const reader = (request.openReader ?? openKindReader)(kind)
  const known = await readKnownSources(request.lake, reader.decoder.resource)
  let batch = await openBatch(store, reader)
  for (const [index, artifact] of artifacts.entries()) {
    try {
      const decoded = await takeIn(artifact, index, reader, batch.stage, known, request, counts)
      if (decoded === undefined) continue
      counts.decoded(artifact, decoded.tally.rows)
      known.addNew(decoded.source)
      batch.decoded.push(decoded)
    } catch (error) {
      counts.failed(artifact, faultOf(error, artifact))
    }
    if (batch.stage.rows >= request.commitRows) {
      await commitBatch(store, reader, batch, counts)
      batch = await openBatch(store, reader)
    }
  }
  await commitBatch(store, reader, batch, counts)
}

interface Batch {
  readonly stage: RowStage
  readonly decoded: DecodedArtifact[]
}

async function openBatch({ writer }: Store, { decoder, shapes }: KindReader): Promise<Batch> {
  return { stage: await writer.openStage(decoder.resource, shapes), decoded: [] }
}

async function commitBatch(store: Store, reader: KindReader, batch: Batch, counts: Counts): Promise<void> {
  await storeRejects(store, reader.decoder.resource, batch.decoded)
  const left = await storeRows(store, reader.decoder.resource, batch.stage, batch.decoded)
  await batch.stage.drop()
  for (const decoded of batch.decoded) {
    const digest = left.get(sourceKey(decoded.source))
    if (digest === undefined) counts.stored(decoded)
    else if (digest === decoded.source.sha256) counts.overtaken()
    else counts.overtakenBy(decoded.artifact, otherBytes(decoded.source, digest))
  }
}

/** Decodes an artifact unless the lake has it; undefined when it has. */
async function takeIn(
  artifact: Artifact,
  index: number,
  reader: KindReader,
  stage: RowStage,
  known: KnownSources,
  { maxRejects, replace }: IngestRequest,
  counts: Counts,
): Promise<DecodedArtifact | undefined> {
  if (known.hasName(artifact.name) && known.hasBytes(artifact.name, await hashFile(artifact.path))) {
    known.seen(artifact.name)
    counts.skipped(artifact)
    return undefined
  }
  const onRows = (rows: number) => counts.decoding(rows)
  const decoded = await decodeArtifact(artifact, index, reader, stage, { maxRejects, onRows })
  const digest = known.digestOf(decoded.source)
  if (digest === undefined) return decoded
  if (replace && !known.isSeen(artifact.name)) return { ...decoded, replaces: true }
  throw new FileFault(
    known.isSeen(artifact.name)
      ? `${artifact.name} is given twice with different bytes; one of them is accepted`
      : otherBytes(decoded.source, digest),
  )
}

function otherBytes({ name, sha256 }: Source, known: string): string {
  return (
    `the lake holds ${name} with other bytes (SHA-256 ${known}, now ${sha256}); ` +
    'the same bytes or another name are accepted, or --replace'
  )
}

/** A fault of the file itself; anything else, such as a full disk, ends the run. */
function faultOf(error: unknown, artifact: Artifact): string {
  if (error instanceof ServiceError) throw error
  if (error instanceof FileFault) return sentenceOf(error)
  if (!isReadError(error, artifact)) throw error
  return `${systemWordsOf(error) ?? sentenceOf(error)}; a file that can be read is accepted`
}

/** Opening names the path; reading, of a folder say, does not. */
function isReadError(error: unknown, { path }: Artifact): boolean {
  if (!(error instanceof Error && 'syscall' in error)) return false
  return error.syscall === 'read' || ('path' in error && error.path === path)
}
