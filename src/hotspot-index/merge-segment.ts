import type { KeyedBatch } from '../lake/row-writer.ts'
import { compareBytes } from '../lake/source.ts'
import { joinBlocks, keyOfBlock, lengthOfBlock, writeBlock } from './block.ts'
import { MAGIC, type Segment } from './segment.ts'
import type { SegmentWriter } from './segment-writer.ts'

/**
 * Writes the blocks of a segment with more rows after those of their keys. Both come in the order of keys, so no more than a
 * block of each is held. `groupAt` is the number in the segment that is written of a group of the arriving rows.
 */
export async function mergeInto(
  writer: SegmentWriter,
  segment: Segment | undefined,
  arriving: AsyncIterable<KeyedBatch>,
  groupAt: Uint32Array,
): Promise<void> {
  const old = segment === undefined ? [].values() : blocksOf(segment)
  let next = old.next()
  for await (const block of arrivingBlocks(arriving, groupAt)) {
    const key = keyOfBlock(block)
    while (!next.done && compareBytes(keyOfBlock(next.value), key) < 0) {
      await writer.append(next.value)
      next = old.next()
    }
    if (!next.done && keyOfBlock(next.value) === key) {
      await writer.append(joinBlocks(next.value, block))
      next = old.next()
    } else await writer.append(block)
  }
  for (; !next.done; next = old.next()) await writer.append(next.value)
}

const READ_BYTES = 4 << 20

/** All blocks of a segment in their order, some megabytes at a time. */
function* blocksOf({ read, blocksEnd }: Segment): Generator<Buffer, undefined> {
  let start = MAGIC.length
  while (start < blocksEnd) {
    const first = lengthOfBlock(read(start, 4))
    const bytes = read(start, Math.min(Math.max(READ_BYTES, first), blocksEnd - start))
    let place = 0
    while (place + 4 <= bytes.length && place + lengthOfBlock(bytes, place) <= bytes.length) {
      const end = place + lengthOfBlock(bytes, place)
      yield bytes.subarray(place, end)
      place = end
    }
    start += place
  }
  return undefined
}

/** Rows of one key may end one batch and begin the next. */
async function* arrivingBlocks(
  batches: AsyncIterable<KeyedBatch>,
  groupAt: Uint32Array,
): AsyncGenerator<Buffer> {
  let held: Buffer | undefined
  for await (const batch of batches) {
    for (const block of blocksOfBatch(batch, groupAt)) {
      if (held === undefined) held = block
      else if (keyOfBlock(held) === keyOfBlock(block)) held = joinBlocks(held, block)
      else {
        yield held
        held = block
      }
    }
  }
  if (held !== undefined) yield held
}

function* blocksOfBatch({ keys, groups, amounts }: KeyedBatch, groupAt: Uint32Array): Generator<Buffer> {
  for (let start = 0; start < keys.length; ) {
    const key = keys[start] as string
    let end = start + 1
    while (keys[end] === key) end += 1
    yield writeBlock({
      key,
      columns: [
        BigUint64Array.from(groups.subarray(start, end), (group) => BigInt(groupAt[group] ?? 0)),
        ...amounts.map((values) => values.slice(start, end)),
      ],
    })
    start = end
  }
}
