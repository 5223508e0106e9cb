import { byStorage } from '../../../catalog/by-storage.ts'
import type { FlatColumn, FlatType } from '../../../catalog/records/flat-columns.ts'

/**
 * Storage of a column. timestamp: microseconds since 1970. date: days since 1970. decimal: value times ten to its
 * scale, at most 38 digits.
 */
export type ValueType =
  | { readonly as: 'text' | 'boolean' | 'int32' | 'int64' | 'uint64' | 'timestamp' | 'date' }
  | { readonly as: 'decimal'; readonly scale: number; readonly inJson: 'text' | 'number' }

/** Amounts of money or tokens with this many decimals. */
export const decimalOf = (scale: number) => ({ as: 'decimal', scale, inJson: 'text' }) as const

const valueTypes: Readonly<Record<FlatType, ValueType>> = {
  ...byStorage<ValueType>({
    text: { as: 'text' },
    bytes: { as: 'text' },
    texts: { as: 'text' },
    amount: { as: 'uint64' },
    long: { as: 'int64' },
    integer: { as: 'int32' },
    boolean: { as: 'boolean' },
    instant: { as: 'timestamp' },
    decimal: { as: 'decimal', scale: 18, inJson: 'number' },
  }),
  date: { as: 'date' },
  tokens: decimalOf(8),
  price: decimalOf(8),
  usd: decimalOf(16),
  count: { as: 'decimal', scale: 0, inJson: 'number' },
}

export function valueTypeOf({ type }: Pick<FlatColumn, 'type'>): ValueType {
  return valueTypes[type]
}
