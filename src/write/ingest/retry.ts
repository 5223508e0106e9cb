import { rejects } from '../../catalog/lake/rejects.ts'
import { networkOfName } from '../../catalog/networks.ts'
import { resourceNamed } from '../../catalog/resources.ts'
import { openLake } from '../../lake/snapshot/lake.ts'
import {
  countOpen,
  openRejects,
  openRejectsOf,
  type RejectsOfSource,
  readOpenRejects,
} from '../../lake/snapshot/open-rejects.ts'
import { readNewestTable, type Snapshot, type TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { IngestWriter } from '../ports/ingest-writer.ts'
import type { RowStage } from '../ports/stage.ts'
import type { Amendment } from '../store/amend-table.ts'
import { commitAmendment, type Store, type StoreRequest, withStore } from '../store/store.ts'
import { FileFault, RowFault } from '../wire/faults.ts'
import { openProtobufReader } from '../wire/reader.ts'
import type { KindReader, MessageOrigin } from '../wire/row-decoder.ts'
import { type RetriedSource, stageRetried } from './commit/store-retried.ts'
import { openKindReader } from './decode/kinds.ts'
import { openRowSink, type RowSink } from './decode/row-sink.ts'
import { type ArtifactKind, messageKinds } from './files/artifact.ts'
import type { IngestRequest } from './pipeline.ts'

export type RetryRequest = StoreRequest<IngestWriter> & Pick<IngestRequest, 'kinds' | 'openReader'>

/** Result of retrying the open rejects. */
export interface RetrySummary {
  /** Number of open rejects that were tried. */
  readonly rejects: number
  readonly taken: number
  /** Number of rejects that still cannot be rows. */
  readonly refused: number
  /** Refused records of the archive, makers and hotspots, which need corrected files. */
  readonly leftAlone: number
  readonly seconds: number
}

type Counts = Pick<RetrySummary, 'rejects' | 'taken'>

/**
 * Decodes every open reject again, and commits those that are valid rows now, in one commit per table.
 * Errors: `not_ready` without a lake, `lake_unwritable`, `lake_damaged`, `commit_conflict`.
 */
export async function retryRejects(request: RetryRequest): Promise<RetrySummary> {
  const started = performance.now()
  const lake = await openLake(request.lake)
  const counts = await withStore(request, async (store) => {
    const counts: Counts[] = []
    // Skip records: a rejected record of a state table may be older than the table.
    for (const kind of messageKinds.filter((kind) => request.kinds.includes(kind))) {
      counts.push(await retryKind(store, kind, (request.openReader ?? openKindReader)(kind)))
    }
    return counts
  })
  const sum = (name: keyof Counts) => counts.reduce((total, count) => total + count[name], 0)
  const [looked, taken] = [sum('rejects'), sum('taken')]
  return {
    rejects: looked,
    taken,
    refused: looked - taken,
    leftAlone: countOpen(recordsOf(await lake.latest(), request.kinds)),
    seconds: (performance.now() - started) / 1000,
  }
}

/** Returns the open rejects that are records: their kind is the name of a table. */
function recordsOf(at: Snapshot, kinds: readonly ArtifactKind[]): readonly RejectsOfSource[] {
  return openRejectsOf(at).filter(({ kind }) => kinds.includes(kind) && resourceNamed(kind) !== undefined)
}

/** Retries from the newest version after a concurrent commit. */
async function retryKind(
  store: Store<IngestWriter>,
  kind: ArtifactKind,
  reader: KindReader,
): Promise<Counts> {
  const { lake, writer, remote } = store
  const { resource } = reader.decoder
  let counts: Counts = { rejects: 0, taken: 0 }

  async function amend(table: TableSnapshot): Promise<Amendment> {
    const rejected = await readNewestTable(lake, rejects)
    await remote?.bring(rejected.files)
    const sources = openRejects(rejected, [table])
    const stage = await writer.openStage(resource, reader.shapes)
    try {
      const retried = await decodeRejects(sources, kind, reader, stage, writer)
      const ingested = retried.reduce((sum, { ordinals }) => sum + ordinals.length, 0)
      counts = { rejects: countOpen(sources), taken: ingested }
      return await stageRetried(store, table, stage, retried)
    } finally {
      await stage.drop()
    }
  }

  await commitAmendment(store, resource, 'RETRY REJECTS', amend)
  return counts
}

/** Returns the sources with at least one message that is a valid row now. */
async function decodeRejects(
  sources: readonly RejectsOfSource[],
  kind: ArtifactKind,
  reader: KindReader,
  stage: RowStage,
  writer: IngestWriter,
): Promise<readonly RetriedSource[]> {
  const retried: RetriedSource[] = []
  for (const [index, source] of sources.entries()) {
    const sink = openRowSink(reader, index, stage)
    const network = networkOfName(source.kind)
    const ordinals: bigint[] = []
    for await (const { ordinal, message } of readOpenRejects(source, writer.readStretch)) {
      if (isRow(sink, message, ordinal, { kind, network })) ordinals.push(ordinal)
    }
    sink.flush()
    if (ordinals.length > 0) retried.push({ source, index, statistics: sink.statistics, ordinals })
  }
  return retried
}

function isRow(sink: RowSink, message: Uint8Array, ordinal: bigint, origin: MessageOrigin): boolean {
  try {
    sink.take(openProtobufReader(message), message.length, ordinal, origin)
    return true
  } catch (error) {
    if (error instanceof RowFault || error instanceof FileFault) return false
    throw error
  }
}
