import type { Kind } from '../../catalog/column.ts'
import type { Filter, Resource } from '../../catalog/resource.ts'
import { LEAST_CELL, MOST_CELL } from '../h3-cell.ts'
import type { QueryHabits } from '../query-schema.ts'
import type { Described } from './document-types.ts'
import type { IntegerForm } from './integer-forms.ts'
import { anyText, timeText } from './parameter-texts.ts'
import type { Schema } from './schema.ts'

/** Bounds of integers that are given, and what their text looks like. */
const integers = {
  long: { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n, pattern: '^-?[0-9]{1,19}$' },
  cell: { minimum: LEAST_CELL, maximum: MOST_CELL, pattern: '^[56][0-9]{17}$' },
} as const

const integerGiven = (
  form: IntegerForm,
  { minimum, maximum, pattern }: (typeof integers)['long' | 'cell'],
) =>
  form === 'string'
    ? ({ type: 'string', pattern } as const)
    : ({ type: 'integer', format: 'int64', minimum, maximum } as const)

/** What the text of a filter is, by the kind of its column; all others are any text. */
const schemas: Readonly<Partial<Record<Kind, (habits: QueryHabits, form: IntegerForm) => Schema>>> = {
  instant: ({ utcInWords }) => timeText(utcInWords),
  seconds: ({ utcInWords }) => timeText(utcInWords),
  long: (_, form) => integerGiven(form, integers.long),
  whole: (_, form) => integerGiven(form, integers.long),
  cell: (_, form) => integerGiven(form, integers.cell),
}

/** A filter as a parameter: a closed set by its names, of which a list of texts takes several. */
export function filterParameter(
  { columns }: Resource,
  { column, doc, required }: Filter,
  habits: QueryHabits,
  form: IntegerForm,
): Described {
  const { kind = 'text', choices } = columns[column] ?? {}
  const common = { description: doc, ...(required && { required }) }
  const text = schemas[kind]?.(habits, form) ?? anyText
  if (choices === undefined) return { ...common, schema: text }
  // Where a name that is not known finds nothing, any other text is accepted too.
  if (!habits.refusesUnknown)
    return { ...common, schema: { type: 'string', anyOf: [{ enum: choices }, text] } }
  const known: Schema = { type: 'string', enum: choices }
  if (kind !== 'texts') return { ...common, schema: known }
  return { ...common, explode: false, schema: { type: 'array', items: known, minItems: 1 } }
}
