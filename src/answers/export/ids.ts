import { Texts } from '../../base/values/strings.ts'
import { uint16At, uint32At } from '../../base/values/typed-at.ts'
import { Longs } from '../../base/values/vector.ts'
import type { Value } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { RowFacts } from '../records/manifests.ts'
import type { ListBatch } from '../rows/group-rows.ts'
import { textsOf } from './formats/typed.ts'

/** Bytes of a row id, and the bytes of the ordinal at its end as pairs of digits. */
const ID_LENGTH = 36
const ORDINAL_PAIRS = 5
const hexPairs = new Uint16Array(
  Uint8Array.from(Buffer.from(Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('hex')))
    .buffer,
)

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
  const pairs = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
  const words = new Uint32Array(items.buffer, items.byteOffset, items.length * 2)
  const offsets = new Int32Array(items.length + 1)
  for (let row = 0; row < items.length; row += 1) {
    const end = (row + 1) * ID_LENGTH
    offsets[row + 1] = end
    let word = uint32At(words, row * 2)
    for (let pair = 1; pair <= ORDINAL_PAIRS; pair += 1) {
      if (pair === 5) word = uint32At(words, row * 2 + 1)
      pairs[end / 2 - pair] = uint16At(hexPairs, word & 0xff)
      word >>>= 8
    }
  }
  return new Texts(bytes, offsets, undefined)
}
