import { sentenceOf } from '../errors.ts'
import { BATCH_ROWS, type RowBatch } from '../lake/row-batch.ts'
import type { RowStage } from '../lake/row-writer.ts'
import type { Source } from '../lake/source.ts'
import { FileFault, RowFault } from '../wire/faults.ts'
import { readFrames } from '../wire/frames.ts'
import { openReader } from '../wire/reader.ts'
import type { Artifact } from './artifact.ts'
import type { RowDecoder } from './decoders/row-decoder.ts'
import { SourceTally } from './source-tally.ts'

/** A message that was not stored. */
interface Refused {
  readonly ordinal: bigint
  readonly reason: string
  readonly message: Uint8Array
}

/** An artifact whose rows are staged. */
export interface DecodedArtifact {
  readonly artifact: Artifact
  readonly source: Source
  /** Number of the source in the stage. */
  readonly index: number
  readonly tally: SourceTally
  readonly refused: readonly Refused[]
  /** Whether it may take the place of another artifact of its name. */
  readonly replaces: boolean
}

/** Up to so many refused rows never spoil a file; beyond, up to one in a hundred. */
const TOLERATED_REFUSED = 10
const REFUSED_PER_ROW = 100
/** A file that is all wrong is given up early: refused messages are held in memory until its end. */
const HOPELESS_REFUSED = 200_000
const HOPELESS_BYTES = 64 * 1024 * 1024

export interface DecodeLimits {
  /** Refused rows that a file may have, whatever its size; undefined: ten, or one in a hundred. */
  readonly maxRejects: number | undefined
  readonly onRows?: (rows: number) => void
}

/**
 * Decodes one artifact into a stage. Rows that fault are set aside; a file that faults leaves rows in the stage
 * that no one will ask for. Errors: FileFault.
 */
export async function decodeArtifact(
  artifact: Artifact,
  index: number,
  decoder: RowDecoder,
  shapes: readonly RowBatch[],
  stage: RowStage,
  limits: DecodeLimits,
): Promise<DecodedArtifact> {
  const tally = new SourceTally(decoder.resource, decoder.columns, shapes)
  const refused: Refused[] = []
  let refusedBytes = 0
  const batches = new BatchFiller(decoder, shapes, index, stage)
  const ordinalSlot = decoder.columns.indexOf('ordinal')
  const values = decoder.values as (typeof decoder.values)[number][]
  let buffer: Buffer | undefined
  let reader = openReader(new Uint8Array(0))

  const read = await readFrames(artifact.path, (chunk, start, end, ordinal) => {
    if (chunk !== buffer) {
      buffer = chunk
      reader = openReader(chunk)
      limits.onRows?.(tally.rows)
    }
    reader.pos = start
    try {
      if (start === end)
        throw new RowFault('the message is empty; a message with at least one field is accepted')
      const variant = decoder.decode(reader, end, artifact)
      values[ordinalSlot] = BigInt(ordinal)
      tally.add(values, variant)
      batches.add(variant)
    } catch (error) {
      if (!(error instanceof RowFault)) throw brokenMessage(error, ordinal)
      refused.push({
        ordinal: BigInt(ordinal),
        reason: error.message,
        message: Buffer.from(chunk.subarray(start, end)),
      })
      refusedBytes += end - start
      if (refused.length > HOPELESS_REFUSED || refusedBytes > HOPELESS_BYTES)
        refuseFile(refused, ordinal + 1, limits)
    }
  })
  refuseFile(refused, read.frames, limits)
  batches.flush()
  const source = { kind: decoder.sourceKind(artifact), name: artifact.name, sha256: read.sha256 }
  return { artifact, source, index, tally, refused, replaces: false }
}

function brokenMessage(error: unknown, ordinal: number): FileFault {
  return new FileFault(
    `message ${ordinal} is no protobuf of this kind (${sentenceOf(error)}); whole messages are accepted`,
    { cause: error },
  )
}

function refuseFile(refused: readonly Refused[], frames: number, { maxRejects }: DecodeLimits): void {
  const allowed = maxRejects ?? Math.max(TOLERATED_REFUSED, Math.floor(frames / REFUSED_PER_ROW))
  if (refused.length <= allowed) return
  const [first] = refused
  throw new FileFault(
    `${refused.length} of ${frames} messages were refused, at most ${allowed} are accepted; ` +
      `the first is message ${first?.ordinal}: ${first?.reason}`,
  )
}

/** Copies decoded values into the narrow batch of their variant and hands full batches on. */
class BatchFiller {
  readonly #stage: RowStage
  readonly #values: RowDecoder['values']
  readonly #batches: ReadonlyMap<string | null, { batch: RowBatch; slots: readonly number[] }>

  constructor(decoder: RowDecoder, shapes: readonly RowBatch[], source: number, stage: RowStage) {
    this.#stage = stage
    this.#values = decoder.values
    this.#batches = new Map(
      shapes.map((batch) => {
        batch.size = 0
        batch.source = source
        return [
          batch.variant,
          { batch, slots: batch.columns.map((column) => decoder.columns.indexOf(column)) },
        ]
      }),
    )
  }

  add(variant: string | null): void {
    const target = this.#batches.get(variant)
    if (target === undefined) throw new Error(`no batch for variant ${variant}`)
    const { batch, slots } = target
    for (let column = 0; column < slots.length; column += 1) {
      const values = batch.data[column]
      if (values !== undefined) values[batch.size] = this.#values[slots[column] ?? 0] ?? null
    }
    batch.size += 1
    if (batch.size === BATCH_ROWS) this.#hand(batch)
  }

  flush(): void {
    for (const { batch } of this.#batches.values()) this.#hand(batch)
  }

  #hand(batch: RowBatch): void {
    if (batch.size > 0) this.#stage.append(batch)
    batch.size = 0
  }
}
