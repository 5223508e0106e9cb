import type { Json } from '../json-writer.ts'
import type { RestOperation } from '../operations.ts'
import { MOST_PAGE, MOST_PER_PAGE, parametersOf, type QueryDialect } from '../query-schema.ts'
import type { Described, DocumentStyle, OperationExample, Parameter } from './document-types.ts'
import { filterParameter } from './filter-parameters.ts'
import type { IntegerForm } from './integer-forms.ts'
import { snapshotName } from './parameter-texts.ts'

/** Parameters that are no filters. */
const commonParameters = (
  { perPage }: QueryDialect,
  integers: IntegerForm,
): Readonly<Record<string, Described>> => ({
  page: {
    description: 'Number of the page.',
    schema: { type: 'integer', format: 'int64', minimum: 1, maximum: MOST_PAGE, default: 1 },
  },
  per_page: {
    description: 'Records in a page.',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: MOST_PER_PAGE, default: perPage },
  },
  integers: integersParameters[integers],
  as_of: snapshotName,
})

const integersParameters: Readonly<Record<IntegerForm, Described>> = {
  number: {
    description:
      'How 64-bit integers are written: bare digits, which the schemas here describe, or strings of them for ' +
      'readers that would round them, which `/openapi.json?integers=string` describes.',
    schema: { type: 'string', enum: ['number', 'string'], default: 'number' },
  },
  string: {
    description: 'Has 64-bit integers written as strings of digits, which the schemas here describe.',
    required: true,
    schema: { type: 'string', enum: ['string'] },
    example: 'string',
  },
}

/** The parameters of an operation with their limits, and the values that lead to its example. */
export function parametersFor(
  { resource, kind, rest }: RestOperation,
  { queries, forms }: DocumentStyle,
  example: OperationExample,
): readonly Parameter[] {
  const common = commonParameters(queries, forms.integers)
  const taken = parametersOf(resource, kind, queries).map((name): Parameter => {
    const filter = resource.filters?.[name]
    const own =
      filter === undefined ? common[name] : filterParameter(resource, filter, queries, forms.integers)
    if (own === undefined) throw new Error(`the parameter ${name} of ${resource.name} has no description`)
    return { name, in: 'query', ...(own.required !== true && { allowEmptyValue: true }), ...own }
  })
  const id = idParameter(rest.find?.by ?? [])
  return (kind === 'find' ? [id, ...taken] : taken).map((parameter) => {
    const value = example.parameters[parameter.name]
    return value === undefined ? parameter : { ...parameter, example: typed(value, parameter) }
  })
}

function idParameter(by: readonly string[]): Parameter {
  const keys = ['its id', ...by].join(', or its ')
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: `What names the record: ${keys}. An id may be in any letter case.`,
    schema: { type: 'string', minLength: 1 },
  }
}

function typed(value: string, { schema: { type, format } }: Parameter): Json {
  if (type !== 'integer') return value
  return format === 'int64' ? BigInt(value) : Number(value)
}
