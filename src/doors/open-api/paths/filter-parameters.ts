import { LEAST_CELL, MOST_CELL } from '../../../base/values/h3-cell.ts'
import type { Kind } from '../../../catalog/column.ts'
import type { Filter, Resource } from '../../../catalog/resource.ts'
import type { QueryDialect } from '../../contract/query-schema.ts'
import type { IntegerForm, Schema } from '../schemas/schema.ts'
import type { Described } from './document-types.ts'
import { anyText, namesText, timeText } from './parameter-texts.ts'

/** Bounds of integer parameters, and the pattern of their text. */
const integers = {
  long: { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n, pattern: '^-?[0-9]{1,19}$' },
  cell: { minimum: LEAST_CELL, maximum: MOST_CELL, pattern: '^[56][0-9]{17}$' },
} as const

const integerParameter = (
  form: IntegerForm,
  { minimum, maximum, pattern }: (typeof integers)['long' | 'cell'],
) =>
  form === 'string'
    ? ({ type: 'string', pattern } as const)
    : ({ type: 'integer', format: 'int64', minimum, maximum } as const)

/** Schemas of filters by kind; others are any text. */
const schemas: Readonly<Partial<Record<Kind, (dialect: QueryDialect, form: IntegerForm) => Schema>>> = {
  instant: ({ utcInWords }) => timeText(utcInWords),
  seconds: ({ utcInWords }) => timeText(utcInWords),
  long: (_, form) => integerParameter(form, integers.long),
  whole: (_, form) => integerParameter(form, integers.long),
  cell: (_, form) => integerParameter(form, integers.cell),
}

const cellText = (resolution: bigint): Schema => ({
  type: 'string',
  pattern: `^8${resolution.toString(16)}[0-9A-Fa-f]{13}$`,
})

const withoutComma: Schema = { type: 'string', pattern: '^[^\\x00,]*$' }

/** Describes a filter as a parameter; a closed set lists its names. */
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
  const documented = kind === 'texts' ? choices : names
  const namesSentence = documented.length === 0 ? '' : ` There are ${documented.join(', ')}.`
  return { description: doc + namesSentence, ...(required && { required }), schema }
}

/**
 * Schema of one name, or of several with commas. Several are a text with a pattern, since generated clients
 * would repeat the parameter for a list. Any text is valid if the dialect accepts unknown names.
 */
function namesOf(choices: readonly string[], areSeveral: boolean, { refusesUnknown }: QueryDialect): Schema {
  if (!refusesUnknown)
    return areSeveral ? anyText : { type: 'string', anyOf: [{ type: 'string', enum: choices }, anyText] }
  if (!areSeveral) return { type: 'string', enum: choices }
  return namesText(choices)
}
