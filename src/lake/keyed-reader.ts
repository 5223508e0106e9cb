import type { Value } from '../catalog/column.ts'
import type { Resource, Row } from '../catalog/resource.ts'
import type { Vector } from '../derive/vector.ts'
import type { FileToRead } from './data-file.ts'
import type { GroupKey } from './series.ts'

/** Reads rows in the order of an index by key. */
export interface KeyedReader {
  /** Reads the rows of some groups by the values of a column; what goes wrong while it reads is thrown. */
  readKeyed(resource: Resource, read: KeyedRead): Promise<RowsByKey>
}

/** Rows of the groups named that have a value in `key`. */
export interface KeyedRead {
  readonly key: string
  readonly columns: readonly string[]
  readonly files: readonly FileToRead[]
  readonly groups: readonly GroupKey[]
}

export interface RowsByKey {
  /** For each group that was asked for, the columns in which all its rows have the same. */
  readonly common: readonly Row[]
  /** The different keys in the order of their SHA-256. */
  readonly keys: readonly string[]
  /** Everything of the rows besides. It is read once. */
  readonly batches: AsyncIterable<KeyedBatch>
}

/** Rows in the order of their keys' digests, then of groups, then of ordinals. */
export interface KeyedBatch {
  /** The key of each row by its number; each key has a row. */
  readonly keys: Int32Array
  /** The group of each row, by its place among the groups that were asked for. */
  readonly groups: Int32Array
  /** Columns in which the rows of some group differ. */
  readonly columns: Readonly<Record<string, Vector<Value>>>
}
