import type { Value } from '../../catalog/column.ts'
import {
  emptyKey,
  type ReadColumn,
  readAmount,
  readChoice,
  readDecimalColumn,
  reading,
  readKey,
  readLong,
  readNanoseconds,
  readNonEmpty,
  readScaled,
} from './column-readers.ts'
import type { ColumnField } from './field.ts'
import { LENGTH_DELIMITED, VARINT, type WireType } from './reader.ts'

/** Value of an absent field; a function throws for a required field. */
export type AbsentValue = Value | (() => never)

/** Conversion of one kind of field to a column. */
interface FieldKind<F extends ColumnField> {
  readonly wireType: WireType
  readonly absent: (field: F) => AbsentValue
  readonly read: ReadColumn<F>
}

type FieldKinds = { readonly [A in ColumnField['as']]: FieldKind<Extract<ColumnField, { as: A }>> }

const uint64 = { wireType: VARINT, absent: () => 0n } as const
const binary = { wireType: LENGTH_DELIMITED } as const

/** An instant in units of `scale` microseconds. */
const scaled = (scale: bigint) => ({ ...uint64, read: readScaled(scale) }) as const

/** Wire type, absent value and reader of each kind of field. */
export const fieldKinds: FieldKinds = {
  seconds: scaled(1_000_000n),
  optionalSeconds: { ...scaled(1_000_000n), absent: () => null, read: readScaled(1_000_000n, true) },
  milliseconds: scaled(1000n),
  nanoseconds: { ...uint64, read: readNanoseconds },
  amount: { ...uint64, read: readAmount },
  long: { ...uint64, read: readLong },
  uint32: { ...uint64, read: reading((reader) => BigInt(reader.uint32())) },
  int32: { wireType: VARINT, absent: () => 0, read: reading((reader) => reader.int32()) },
  sint32: { wireType: VARINT, absent: () => 0, read: reading((reader) => reader.sint32()) },
  text: { ...binary, absent: () => '', read: reading((reader) => reader.string()) },
  bytes: { ...binary, absent: () => new Uint8Array(0), read: reading((reader) => reader.bytes()) },
  optionalBytes: { ...binary, absent: () => null, read: reading(readNonEmpty) },
  key: {
    ...binary,
    absent:
      ({ column }) =>
      () =>
        emptyKey(column),
    read: readKey,
  },
  choice: { wireType: VARINT, absent: ({ choices }) => choices[0] ?? '0', read: readChoice },
  decimal: { ...binary, absent: () => '0', read: readDecimalColumn },
}
