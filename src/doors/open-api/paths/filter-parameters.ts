import { LEAST_CELL, MOST_CELL } from '../../../base/values/h3-cell.ts'
import type { Kind } from '../../../catalog/column.ts'
import type { Filter, Resource } from '../../../catalog/resource.ts'
import type { QueryDialect } from '../../contract/query-schema.ts'
import type { IntegerForm } from '../schemas/integer-forms.ts'
import type { Schema } from '../schemas/schema.ts'
import type { Described } from './document-types.ts'
import { anyText, namesText, timeText } from './parameter-texts.ts'

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
const schemas: Readonly<Partial<Record<Kind, (dialect: QueryDialect, form: IntegerForm) => Schema>>> = {
  instant: ({ utcInWords }) => timeText(utcInWords),
  seconds: ({ utcInWords }) => timeText(utcInWords),
  long: (_, form) => integerGiven(form, integers.long),
  whole: (_, form) => integerGiven(form, integers.long),
  cell: (_, form) => integerGiven(form, integers.cell),
}

const cellText = (resolution: bigint): Schema => ({
  type: 'string',
  pattern: `^8${resolution.toString(16)}[0-9A-Fa-f]{13}$`,
})

const withoutComma: Schema = { type: 'string', pattern: '^[^\\x00,]*$' }

/** A filter as a parameter; values of a closed set have names. */
export function filterParameter(
  { columns }: Resource,
  { column, doc, required, isOne, resolution, names = [] }: Filter,
  dialect: QueryDialect,
  form: IntegerForm,
): Described {
  const { kind = 'text', choices = [] } = columns[column] ?? {}
  const anyKey = isOne && dialect.refusesUnknown ? withoutComma : anyText
  const ofKind = schemas[kind]?.(dialect, form) ?? anyKey
  const text = resolution === undefined ? ofKind : cellText(resolution)
  const schema = choices.length === 0 ? text : namesOf(choices, kind === 'texts', dialect)
  const those = kind === 'texts' ? choices : names
  const known = those.length === 0 ? '' : ` There are ${those.join(', ')}.`
  return { description: doc + known, ...(required && { required }), schema }
}

/**
 * One of the names, or several with commas: those are a text with a pattern, as in the specification, since clients
 * generated for a list give each of its items a parameter of its own. Where other names find nothing, any text will do.
 */
function namesOf(choices: readonly string[], areSeveral: boolean, { refusesUnknown }: QueryDialect): Schema {
  if (!refusesUnknown)
    return areSeveral ? anyText : { type: 'string', anyOf: [{ type: 'string', enum: choices }, anyText] }
  if (!areSeveral) return { type: 'string', enum: choices }
  return namesText(choices)
}
