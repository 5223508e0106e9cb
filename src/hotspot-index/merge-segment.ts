import type { Resource } from '../catalog/resource.ts'
import type { KeyedBatch, RowsByKey } from '../lake/keyed-reader.ts'
import { blockColumns, blockLayout } from './block-layout.ts'
import { type ArrivingRows, openBlockWriter } from './block-writer.ts'
import type { Contents } from './contents.ts'
import type { Segment } from './segment.ts'
import { type Block, DIGEST_BYTES } from './segment-layout.ts'
import type { SegmentWriter } from './segment-writer.ts'

/** A digest is asked for in hexadecimal digits. */
export const DIGEST_DIGITS = DIGEST_BYTES * 2

/**
 * Writes the blocks of an older segment with the arriving rows appended to those of the same key. Both come in the order of
 * digests, so one block of each is in memory. Batches number the arriving groups from 0; in the new segment they come
 * after the groups of the older one.
 */
export async function mergeInto(
  writer: SegmentWriter,
  segment: Segment | undefined,
  { digests, batches }: RowsByKey,
  resource: Resource,
  groups: Contents['groups'],
  groupsBefore: number,
): Promise<void> {
  const append = openBlockWriter(blockLayout(resource, groups))
  const old: Iterator<Block, undefined> = segment === undefined ? [].values() : segment.blocks()
  let next = old.next()
  let held: Block | undefined
  for await (const batch of batches) {
    for (const { key, rows } of rowsByKey(batch, blockColumns(resource), groupsBefore)) {
      const digest = digests.subarray(key * DIGEST_BYTES, (key + 1) * DIGEST_BYTES)
      // Rows of one key may end one batch and begin the next.
      if (held?.digest.equals(digest)) {
        held = { digest, rows: append(held.rows, rows) }
        continue
      }
      if (held !== undefined) await writer.append(held)
      for (; !next.done && Buffer.compare(next.value.digest, digest) < 0; next = old.next()) {
        await writer.append(next.value)
      }
      const own = !next.done && next.value.digest.equals(digest) ? next.value.rows : undefined
      held = { digest, rows: append(own, rows) }
      if (own !== undefined) next = old.next()
    }
  }
  if (held !== undefined) await writer.append(held)
  for (; !next.done; next = old.next()) await writer.append(next.value)
}

interface RowsOfKey {
  readonly key: number
  readonly rows: ArrivingRows
}

function* rowsByKey(
  { keys, groups, columns }: KeyedBatch,
  names: readonly string[],
  groupsBefore: number,
): Generator<RowsOfKey> {
  const vectors = names.map((name) => columns[name])
  for (let first = 0, end = 0; first < keys.length; first = end) {
    const key = keys[first] as number
    do end += 1
    while (end < keys.length && keys[end] === key)
    const own = Array.from(groups.subarray(first, end), (group) => groupsBefore + group)
    yield { key, rows: { groups: own, columns: vectors, first } }
  }
}
