import type { FlatColumn } from '../../derive/flat-columns.ts'
import { quoteJson } from '../../derive/json-writer.ts'
import type { FlatBatch, FlatValue, FormatOptions, WriteFormat } from './format.ts'
import { textOf } from './text-of.ts'
import { valueTypeOf } from './value-types.ts'

/** One JSON object a line, each with all columns. */
export const writeNdjson: WriteFormat = async function* (columns, batches, options) {
  const members = columns.map((column) => memberOf(column, options))
  for await (const batch of batches) yield Buffer.from(linesOf(members, batch))
}

interface Member {
  readonly name: string
  readonly write: (value: NonNullable<FlatValue>) => string
}

function memberOf(column: FlatColumn, { integersAsText }: FormatOptions): Member {
  return { name: `${quoteJson(column.name)}:`, write: writerOf(column, integersAsText) }
}

function writerOf(column: FlatColumn, integersAsText: boolean): Member['write'] {
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

function linesOf(members: readonly Member[], { rows, columns }: FlatBatch): string {
  let lines = ''
  for (let row = 0; row < rows; row += 1) {
    let line = ''
    for (let index = 0; index < members.length; index += 1) {
      const { name, write } = members[index] as Member
      const value = columns[index]?.[row] ?? null
      line += `${line === '' ? '{' : ','}${name}${value === null ? 'null' : write(value)}`
    }
    lines += `${line}}\n`
  }
  return lines
}
