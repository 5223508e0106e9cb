import { type FieldNode, type GraphQLObjectType, getNullableType, isLeafType, isNonNullType } from 'graphql'
import type { Entry } from '../../../answers/records/entry.ts'
import { writeJson } from '../../../base/values/json-writer.ts'
import { selectionWriter, type Write } from './selection-writer.ts'

/** Writes a row, or a value of it. */
export type WriteEntry = Write<Entry>

/** Thrown for a row with an error, or without a required value. graphql then executes the query, and finds the path of the error. */
export class UnwritableRows extends Error {}

const writers = new WeakMap<FieldNode, WriteEntry | null>()

/** Returns the writer of a row with the fields that a field selects; undefined unless all are plain values without arguments. */
export function nodeWriter(selected: FieldNode, row: GraphQLObjectType): WriteEntry | undefined {
  let writer = writers.get(selected)
  if (writer === undefined) {
    writer = selectionWriter(selected.selectionSet, row, (field) => valueWriter(field, row)) ?? null
    writers.set(selected, writer)
  }
  return writer ?? undefined
}

function valueWriter({ name, selectionSet }: FieldNode, row: GraphQLObjectType): WriteEntry | undefined {
  const field = row.getFields()[name.value]
  const type = field && getNullableType(field.type)
  const resolve = field?.resolve as ((entry: Entry) => unknown) | undefined
  if (field === undefined || !isLeafType(type) || resolve === undefined || selectionSet !== undefined)
    return undefined
  const isRequired = isNonNullType(field.type)
  const { write } = field.extensions
  if (typeof write === 'function') return write as WriteEntry
  return (entry) => {
    const value = resolve(entry) ?? null
    if (value !== null) return writeJson(type.serialize(value) as never)
    if (isRequired) throw new UnwritableRows('a required value is null')
    return 'null'
  }
}

/** Writes the rows of a list. Errors: `UnwritableRows`. */
export function writeRows(rows: readonly Entry[], write: WriteEntry): string {
  try {
    let text = '['
    let separator = ''
    for (const row of rows) {
      text += separator + write(row)
      separator = ','
    }
    return `${text}]`
  } catch (error) {
    throw new UnwritableRows('rows could not be written', { cause: error })
  }
}
