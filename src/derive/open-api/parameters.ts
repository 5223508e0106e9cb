import type { Kind } from '../../catalog/column.ts'
import type { Filter, Resource } from '../../catalog/resource.ts'
import type { Json } from '../json-writer.ts'
import type { RestOperation } from '../operations.ts'
import { MOST_PAGE, MOST_PER_PAGE, parametersOf } from '../query-schema.ts'
import type { OperationExample, Parameter } from './document-types.ts'
import type { Schema } from './schema.ts'

/** What the text of a filter is, by the kind of its column; all others are text. */
const filterSchemas: Readonly<Partial<Record<Kind, Schema>>> = {
  long: { type: 'integer', format: 'int64' },
  whole: { type: 'integer', format: 'int64' },
  cell: { type: 'integer', format: 'int64' },
  uuid: { type: 'string', format: 'uuid' },
}

/** Parameters that are no filters. */
const commonParameters = (perPage: number): Readonly<Record<string, Omit<Parameter, 'name' | 'in'>>> => ({
  page: {
    description: 'Number of the page.',
    schema: { type: 'integer', minimum: 1, maximum: MOST_PAGE, default: 1 },
  },
  per_page: {
    description: 'Records in a page.',
    schema: { type: 'integer', minimum: 1, maximum: MOST_PER_PAGE, default: perPage },
  },
  integers: {
    description:
      'How 64-bit integers are written: bare digits, or strings of them for readers that would round them. The ' +
      'schemas describe bare digits.',
    schema: { type: 'string', enum: ['number', 'string'], default: 'number' },
  },
  as_of: {
    description:
      'Snapshot to answer from, by the id in the header Ledgerlake-Snapshot; the newest unless given.',
    schema: { type: 'string' },
  },
})

/** The parameters of an operation with their limits, and the values that lead to its example. */
export function parametersFor(
  { resource, kind, rest }: RestOperation,
  perPage: number,
  example: OperationExample,
): readonly Parameter[] {
  const common = commonParameters(perPage)
  const taken = parametersOf(resource, kind).map((name): Parameter => {
    const filter = resource.filters?.[name]
    const own = filter === undefined ? common[name] : filterParameter(resource, filter)
    if (own === undefined) throw new Error(`the parameter ${name} of ${resource.name} has no description`)
    return { name, in: 'query', ...own }
  })
  const keys = ['its id', ...(rest.find?.by ?? [])].join(', or its ')
  const id: Parameter = {
    name: 'id',
    in: 'path',
    required: true,
    description: `What names the record: ${keys}. An id may be in any letter case.`,
    schema: { type: 'string' },
  }
  return (kind === 'find' ? [id, ...taken] : taken).map((parameter) => {
    const value = example.parameters[parameter.name]
    return value === undefined ? parameter : { ...parameter, example: typed(value, parameter.schema) }
  })
}

function filterParameter({ columns }: Resource, filter: Filter): Omit<Parameter, 'name' | 'in'> {
  const { kind = 'text', choices } = columns[filter.column] ?? {}
  // A filter by a name that is not known finds nothing, which is no fault of the request.
  const known = choices === undefined ? {} : { examples: choices }
  return {
    description: filter.doc,
    ...(filter.required && { required: true }),
    schema: { ...(filterSchemas[kind] ?? { type: 'string' }), ...known },
  }
}

function typed(value: string, { type }: Schema): Json {
  return type === 'integer' ? BigInt(value) : value
}
