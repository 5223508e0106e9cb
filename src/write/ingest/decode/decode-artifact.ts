import type { Group, Source } from '../../../lake/facts/source.ts'
import type { RowStage } from '../../ports/stage.ts'
import { FileFault, RowFault } from '../../wire/faults.ts'
import { readFrames, type VisitFrame } from '../../wire/frames.ts'
import { openProtobufReader } from '../../wire/reader.ts'
import type { KindReader } from '../../wire/row-decoder.ts'
import type { Artifact } from '../files/artifact.ts'
import { type Noun, nounOf } from './kinds.ts'
import { openRowSink } from './row-sink.ts'

/** A message or record that was not stored. */
interface Refused {
  readonly ordinal: bigint
  readonly reason: string
  readonly message: Uint8Array
}

/** Counts and sums of the rows of one source, by partition. */
export interface RowStatistics {
  readonly rows: number
  readonly partitions: readonly (string | null)[]
  rowsIn(partition: string | null): number
  groupsIn(partition: string | null): readonly Group[]
}

/** An artifact with staged rows. */
export interface DecodedArtifact {
  readonly artifact: Artifact
  readonly source: Source
  /** Number of the source in the stage. */
  readonly index: number
  readonly statistics: RowStatistics
  readonly refused: readonly Refused[]
  /** Ordinals of refused messages that are among the rows, ascending; from exported files. */
  readonly retried?: readonly bigint[]
  /** Replaces an artifact of the same name with other bytes; `same`: also one with equal bytes. */
  readonly replaces: boolean | 'same'
  /** Keys of the replaced sources, which are overlapping parts of the same file. */
  readonly supersedes?: readonly string[]
}

/** A file may have ten refused rows, or one in a hundred if that is more. */
const TOLERATED_REFUSED = 10
const REFUSED_PER_ROW = 100
/** Stops a file early: refused messages are held in memory until the end of the file. */
const HOPELESS_REFUSED = 200_000
const HOPELESS_BYTES = 64 * 1024 * 1024

export interface DecodeLimits {
  /** Overrides the default limit of refused rows. */
  readonly maxRejects: number | undefined
  /** Receives the rows decoded so far, and the share of the file read, 0 to 1, if known. */
  readonly onRows?: (rows: number, part?: number) => void
  /** Stops within the file. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Decodes one artifact into a stage and collects refused rows. A faulty file leaves rows in the stage that are never
 * written.
 * Errors: FileFault.
 */
export async function decodeArtifact(
  kindReader: KindReader,
  stage: RowStage,
  artifact: Artifact,
  index: number,
  limits: DecodeLimits,
): Promise<DecodedArtifact> {
  const rows = openRowSink(kindReader, index, stage)
  const { statistics } = rows
  const noun = nounOf(artifact.kind)
  const refused: Refused[] = []
  let refusedBytes = 0
  let buffer: Buffer | undefined
  let reader = openProtobufReader(new Uint8Array(0))

  const visit: VisitFrame = (chunk, start, end, ordinal) => {
    if (chunk !== buffer) {
      buffer = chunk
      reader = openProtobufReader(chunk)
      limits.onRows?.(statistics.rows)
    }
    reader.pos = start
    try {
      rows.take(reader, end, BigInt(ordinal), artifact)
    } catch (error) {
      if (!(error instanceof RowFault)) throw error
      refused.push({
        ordinal: BigInt(ordinal),
        reason: error.message,
        message: Buffer.from(chunk.subarray(start, end)),
      })
      refusedBytes += end - start
      if (refused.length > HOPELESS_REFUSED || refusedBytes > HOPELESS_BYTES)
        refuseFile(noun, refused, ordinal + 1, limits)
    }
  }
  const read = await (kindReader.read ?? readFrames)(artifact.path, visit, limits.signal)
  if (kindReader.isRecords && refused.length === read.frames) refuseOtherKind(refused, artifact)
  refuseFile(noun, refused, read.frames, limits)
  rows.flush()
  const { kind, name } = artifact
  const isPerNetwork = kindReader.decoder.networkColumn !== undefined
  const network = rows.network ?? artifact.network ?? 'network'
  const source = { kind: isPerNetwork ? `${network}_${kind}` : kind, name, sha256: read.sha256 }
  return { artifact, source, index, statistics, refused, replaces: false }
}

function refuseFile(noun: Noun, refused: readonly Refused[], frames: number, limits: DecodeLimits): void {
  if (refused.length <= mostRefused(frames, limits)) return
  throw tooManyRefused(noun, refused.length, frames, refused[0], limits)
}

/** Returns the limit of refused rows for a file with `total` messages or records. */
export function mostRefused(total: number, { maxRejects }: DecodeLimits): number {
  return maxRejects ?? Math.max(TOLERATED_REFUSED, Math.floor(total / REFUSED_PER_ROW))
}

export function tooManyRefused(
  noun: Noun,
  refused: number,
  total: number,
  first: Refused | undefined,
  limits: DecodeLimits,
): FileFault {
  return new FileFault(
    `${refused} of ${total} ${noun}s were refused, more than the limit of ${mostRefused(total, limits)}; ` +
      `the first is ${noun} ${first?.ordinal}: ${first?.reason}`,
  )
}

/** Throws if all records are refused: a small file of another kind stays below the limit of refused records. */
export function refuseOtherKind([first]: readonly Refused[], { kind }: Artifact): void {
  if (first === undefined) return
  throw new FileFault(`no record of it is one of ${kind}; record ${first.ordinal}: ${first.reason}`)
}
