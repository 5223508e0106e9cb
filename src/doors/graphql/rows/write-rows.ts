import {
  type FieldNode,
  type GraphQLLeafType,
  type GraphQLObjectType,
  GraphQLScalarType,
  getNullableType,
  isLeafType,
  isNonNullType,
  Kind,
} from 'graphql'
import type { Entry } from '../../../answers/records/entry.ts'
import { quoteJson, Verbatim, writeJson } from '../../../base/values/json-writer.ts'
import type { Value } from '../../../catalog/column.ts'

/** Thrown for a row with an error, or without a required value. graphql then executes the query, and finds the path of the error. */
export class UnwritableRows extends Error {}

/** Type of `nodes` in the schema of rows. */
export const rowsScalar = new GraphQLScalarType<Verbatim, Verbatim>({
  name: 'Rows',
  serialize(value) {
    if (value instanceof Verbatim) return value
    throw new UnwritableRows()
  },
})

/** A selected value of a row. */
interface SelectedValue {
  /** Quoted name and colon. */
  readonly label: string
  readonly valueIn: (row: Entry) => unknown
  readonly type: GraphQLLeafType
  readonly isRequired: boolean
  /** The only column that the value depends on; undefined if it depends on more. */
  readonly column: string | undefined
  /** Reused for the next row if its stored value is the same: neighbours in a list often have equal values. */
  last: { readonly stored: Value | undefined; readonly text: string } | undefined
}

/** Writes the list of rows with the selected fields. The selection has plain values only. Errors: `UnwritableRows`. */
export function writeRows(rows: readonly Entry[], selected: FieldNode, node: GraphQLObjectType): Verbatim {
  const values = (selected.selectionSet?.selections ?? []).map((one) => selectedValue(one as FieldNode, node))
  try {
    let text = '['
    for (const row of rows) {
      if (text.length > 1) text += ','
      let separator = '{'
      for (const value of values) {
        text += separator + value.label + textOf(row, value)
        separator = ','
      }
      text += '}'
    }
    return new Verbatim(`${text}]`, 'small')
  } catch (error) {
    throw new UnwritableRows('rows could not be written', { cause: error })
  }
}

function selectedValue(one: FieldNode, node: GraphQLObjectType): SelectedValue {
  const field = one.kind === Kind.FIELD ? node.getFields()[one.name.value] : undefined
  const type = field && getNullableType(field.type)
  const resolve = field?.resolve as ((row: Entry) => unknown) | undefined
  if (field === undefined || resolve === undefined || !isLeafType(type)) throw new UnwritableRows()
  const label = `${quoteJson((one.alias ?? one.name).value)}:`
  const { column } = field.extensions
  return {
    ...{ label, valueIn: resolve, type, isRequired: isNonNullType(field.type) },
    column: typeof column === 'string' ? column : undefined,
    last: undefined,
  }
}

function textOf(row: Entry, selected: SelectedValue): string {
  const { column, last } = selected
  if (column === undefined) return writeValue(row, selected)
  const stored = row.row[column]
  if (last !== undefined && last.stored === stored) return last.text
  const text = writeValue(row, selected)
  selected.last = { stored, text }
  return text
}

function writeValue(row: Entry, { valueIn, type, isRequired }: SelectedValue): string {
  const value = valueIn(row) ?? null
  if (value !== null) return writeJson(type.serialize(value) as never)
  if (isRequired) throw new UnwritableRows()
  return 'null'
}
