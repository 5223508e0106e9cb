import type { Value } from '../catalog/column.ts'
import type { Resource, Row } from '../catalog/resource.ts'
import type { Vector } from '../derive/vector.ts'
import type { FileToRead } from './data-file.ts'
import type { GroupKey } from './series.ts'

/** Reads rows in the order of the hotspot index. */
export interface KeyedReader {
  /** Reads the rows of some groups by the values of a column; what goes wrong while it reads is thrown. */
  readKeyed(resource: Resource, read: KeyedRead): Promise<RowsByKey>
}

/** Rows of the groups named that have a value in `key`. */
export interface KeyedRead {
  readonly key: string
  /** So many hexadecimal digits of the SHA-256 of a key stand for it. */
  readonly digits: number
  readonly columns: readonly string[]
  readonly files: readonly FileToRead[]
  readonly groups: readonly GroupKey[]
}

export interface RowsByKey {
  /** For each group that was asked for, the columns in which all its rows have the same. */
  readonly common: readonly Row[]
  /** The digests of the different keys side by side in their order, half as many bytes each as digits were asked for. */
  readonly digests: Buffer
  /** Everything of the rows besides. It is read once. */
  readonly batches: AsyncIterable<KeyedBatch>
}

/** Rows in the order of their keys' digests, then of groups, then of ordinals. */
export interface KeyedBatch {
  /** The key of each row, by the place of its digest. */
  readonly keys: Int32Array
  /** The group of each row, by its place among the groups that were asked for. */
  readonly groups: Int32Array
  /** Columns in which the rows of some group differ. */
  readonly columns: Readonly<Record<string, Vector<Value>>>
}
