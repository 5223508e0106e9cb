import type { FlatColumn } from '../../derive/flat-columns.ts'
import { quoteJson } from '../../derive/json-writer.ts'
import type { WriteFormat } from './format.ts'
import { type Cell, linesOf } from './lines.ts'
import { textOf } from './text-of.ts'
import { valueTypeOf } from './value-types.ts'

/** One JSON object a line, each with all columns. */
export const writeNdjson: WriteFormat = async function* (columns, batches, { integersAsText }) {
  const cells = columns.map((column, index): Cell => {
    const before = `${index === 0 ? '{' : ','}${quoteJson(column.name)}:`
    return { before, none: 'null', write: writerOf(column, integersAsText) }
  })
  for await (const batch of batches) yield linesOf(cells, '}\n', batch)
}

function writerOf(column: FlatColumn, integersAsText: boolean): Cell['write'] {
  const type = valueTypeOf(column)
  const text = textOf(type)
  switch (type.as) {
    case 'boolean':
    case 'int32':
      return text
    case 'int64':
    case 'uint64':
      return integersAsText ? (value) => `"${value}"` : text
    case 'text':
      return (value) => quoteJson(value as string)
    case 'decimal':
      return type.inJson === 'number' && !(integersAsText && type.scale === 0)
        ? text
        : (value) => `"${text(value)}"`
    default:
      return (value) => `"${text(value)}"`
  }
}
