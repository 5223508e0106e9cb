import { Texts } from '../../base/values/strings.ts'
import { byteAt, uint32At } from '../../base/values/typed-at.ts'
import { Longs } from '../../base/values/vector.ts'
import type { Value } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { RowFacts } from '../records/manifests.ts'
import type { ListBatch } from '../rows/group-rows.ts'
import { textsOf } from './formats/typed.ts'

/** Length of a row id, and of the ordinal at its end. */
const ID_LENGTH = 36
const ORDINAL_DIGITS = 10
const hex = Buffer.from('0123456789abcdef')

/** Ids of rows. Ids of one source differ only in the ordinal at the end. */
export function idsOf(batch: ListBatch, resource: Resource, idOf: RowFacts['idOf']): Texts {
  const { shared, columns, rows } = batch
  const { ordinal } = columns
  const isByPlace = resource.key === undefined && !('id' in resource.columns)
  if (isByPlace && 'source_file' in shared && ordinal instanceof Longs)
    return withOrdinals(Buffer.from(idOf({ ...shared, ordinal: 0n })), ordinal)
  const row: Record<string, Value> = { ...shared }
  const names = Object.keys(columns)
  const ids = Array.from({ length: rows }, (_, index) => {
    for (const name of names) row[name] = columns[name]?.at(index) ?? null
    return idOf(row)
  })
  return textsOf(ids)
}

function withOrdinals(first: Buffer, { items }: Longs): Texts {
  const bytes = Buffer.alloc(items.length * ID_LENGTH, first)
  const words = new Uint32Array(items.buffer, items.byteOffset, items.length * 2)
  for (let row = 0; row < items.length; row += 1) {
    const end = (row + 1) * ID_LENGTH
    let [word, digits] = [uint32At(words, row * 2), 0]
    for (; digits < ORDINAL_DIGITS; digits += 1) {
      if (digits === 8) word = uint32At(words, row * 2 + 1)
      bytes[end - 1 - digits] = byteAt(hex, word & 15)
      word >>>= 4
    }
  }
  return new Texts(
    bytes,
    Int32Array.from({ length: items.length + 1 }, (_, row) => row * ID_LENGTH),
    undefined,
  )
}
