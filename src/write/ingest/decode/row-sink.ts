import { sentenceOf } from '../../../base/errors.ts'
import { BATCH_ROWS, type RowBatch } from '../../ports/row-batch.ts'
import type { RowStage } from '../../ports/stage.ts'
import { FileFault, RowFault } from '../../wire/faults.ts'
import type { BinaryReader } from '../../wire/reader.ts'
import type { KindReader, MessageOrigin, RowDecoder } from '../../wire/row-decoder.ts'
import { SourceStatistics } from './source-statistics.ts'

/** Decodes messages of one source into staged rows. */
export interface RowSink {
  readonly statistics: SourceStatistics
  /** Network of the last message, refused ones included; undefined if none named it. */
  readonly network: string | undefined
  /**
   * Decodes the message from the position of the reader to `end`.
   * Errors: RowFault for a message that cannot be a row, FileFault for bytes of another kind.
   */
  take(reader: BinaryReader, end: number, ordinal: bigint, origin: MessageOrigin): void
  /** Stages the buffered rows. */
  flush(): void
}

export function openRowSink({ decoder, shapes }: KindReader, index: number, stage: RowStage): RowSink {
  const statistics = new SourceStatistics(decoder.resource, decoder.columns, shapes)
  const batches = new BatchFiller(decoder, shapes, index, stage)
  const ordinalSlot = decoder.columns.indexOf('ordinal')
  const networkSlot = decoder.columns.indexOf(decoder.networkColumn ?? '')
  const { values } = decoder
  let network: string | undefined
  return {
    statistics,
    get network() {
      return network
    },
    take(reader, end, ordinal, origin) {
      if (reader.pos === end) throw new RowFault('the message is empty; expected at least one field')
      let variant: string | null
      try {
        variant = decoder.decode(reader, end, origin)
      } catch (cause) {
        if (cause instanceof RowFault) throw cause
        const sentence = `message ${ordinal} is not a protobuf of this kind (${sentenceOf(cause)}); expected whole messages`
        throw new FileFault(sentence, { cause })
      } finally {
        const named = networkSlot < 0 ? null : values[networkSlot]
        if (typeof named === 'string') network = named
      }
      values[ordinalSlot] = ordinal
      statistics.add(values, variant)
      batches.add(variant)
    },
    flush: () => batches.flush(),
  }
}

/** Copies decoded values into the batch of their variant and stages full batches. */
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
