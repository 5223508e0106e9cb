import { BlockReading } from '../blocks/block-reading.ts'
import type { KeyFile } from './key-file.ts'

/** The column of blocks that has the key. */
const KEY_COLUMN = 1

/** Keys by their numbers. Errors: DamagedFile. */
export function keysOf({ blocks }: KeyFile, numbers: readonly number[]): readonly string[] {
  const reading = new BlockReading(blocks)
  return numbers.map((number) => reading.textOf(KEY_COLUMN, number))
}
