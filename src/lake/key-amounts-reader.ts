import type { Resource } from '../catalog/resource.ts'
import type { FileToRead } from './data-file.ts'
import type { GroupKey } from './series.ts'

/** Reads amounts by key. */
export interface KeyAmountsReader {
  /** Reads the keys of some groups and their amounts; what goes wrong while it reads is thrown. */
  readKeyAmounts(resource: Resource, read: KeyAmountsRead): Promise<KeyAmounts>
}

/** Periods and types of which rows are read; rows without a key are left out. */
export interface KeyAmountsRead {
  readonly key: string
  /** The columns that are added up to the amount of a row; a null counts as 0. */
  readonly of: readonly string[]
  readonly files: readonly FileToRead[]
  readonly groups: readonly Pick<GroupKey, 'period' | 'type'>[]
}

export interface KeyAmounts {
  /** All keys, in the order of their SHA-256. */
  readonly keys: readonly string[]
  /** For each group that was asked for, in that order. They are read once. */
  readonly groups: AsyncIterable<AmountsOfKeys>
}

/** One for each row, in any order. */
export interface AmountsOfKeys {
  /** Its key, by the place among all keys. */
  readonly places: readonly number[]
  readonly amounts: readonly bigint[]
}
