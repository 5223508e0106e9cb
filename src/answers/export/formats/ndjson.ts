import { quoteJson } from '../../../base/values/json-writer.ts'
import type { FlatColumn } from '../../../catalog/records/flat-columns.ts'
import type { Escapes } from './escapes.ts'
import type { WriteFormat } from './flat-batch.ts'
import { type LineCell, writeLines } from './lines.ts'
import { valueTypeOf } from './value-types.ts'

/** Writes one JSON object per line, with all columns. */
export const writeNdjson: WriteFormat = async function* (columns, batches, { integersAsText }) {
  const cells = columns.map((column, index): LineCell => {
    const before = `${index === 0 ? '{' : ','}${quoteJson(column.name)}:`
    return {
      before,
      type: valueTypeOf(column),
      style: { none: 'null', isQuoted: isQuoted(column, integersAsText), escapes },
    }
  })
  yield* writeLines(cells, '}\n', batches)
}

/** Control characters, quotes and backslashes. */
const bytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte === 0x22 || byte === 0x5c ? 1 : 0,
)

const escapes: Escapes = { bytes, isForEmpty: false, write: (text) => quoteJson(text).slice(1, -1) }

function isQuoted(column: FlatColumn, integersAsText: boolean): boolean {
  const type = valueTypeOf(column)
  switch (type.as) {
    case 'boolean':
    case 'int32':
      return false
    case 'int64':
    case 'uint64':
      return integersAsText
    case 'decimal':
      return type.inJson === 'text' || (integersAsText && type.scale === 0)
    default:
      return true
  }
}
