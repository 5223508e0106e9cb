import { listWords } from '../../../base/list-words.ts'
import type { Json } from '../../../base/values/json-writer.ts'
import { plainFormats } from '../../../catalog/export-formats.ts'
import { paidDayParameters } from '../../../catalog/query/paid-days.ts'
import { exportColumns } from '../../../catalog/records/flat-columns.ts'
import type { Filter, Resource } from '../../../catalog/resource.ts'
import { LOCALE_MEANING, locales } from '../../../catalog/spreadsheet-locale.ts'
import { formatNames } from '../../contract/export-parameters.ts'
import type { RestOperation } from '../../contract/operations.ts'
import { pageParameters } from '../../contract/page-parameters.ts'
import { daysOf, parametersOf, type QueryDialect } from '../../contract/query-schema.ts'
import type { IntegerForm } from '../schemas/schema.ts'
import type { Described, DocumentStyle, OperationExample, Parameter } from './document-types.ts'
import { filterParameter } from './filter-parameters.ts'
import { anyText, daySchema, namesText, snapshotName } from './parameter-texts.ts'
import { seriesParameters } from './series-parameters.ts'

const titles = plainFormats.map(({ title }) => title)

/** Describes parameters that are not filters. */
export function commonParameters(
  { perPage }: QueryDialect,
  integers: IntegerForm,
): Readonly<Record<string, Described>> {
  const paging = Object.entries(pageParameters(perPage)).map(([name, { description, ...limits }]) => {
    const format = limits.maximum < 2 ** 31 ? 'int32' : 'int64'
    return [name, { description, schema: { type: 'integer', format, ...limits } }]
  })
  return {
    ...Object.fromEntries(paging),
    first_day: dayOf(`${paidDayParameters.first_day} With last_day, instead of from and to.`),
    last_day: dayOf(paidDayParameters.last_day),
    integers: integersParameters[integers],
    as_of: snapshotName,
    format: {
      description: `Gives the whole list as a file, without pages: ${listWords(titles, 'or')}; \`json\` is a page. It wins over \`Accept\`.`,
      schema: { type: 'string', enum: formatNames('list'), default: 'json' },
    },
    locale: { description: LOCALE_MEANING, schema: { type: 'string', enum: locales } },
    columns: {
      description:
        'Columns of a file, separated by commas, in this order; all of its flat table unless given.',
      schema: anyText,
    },
    coverage: {
      description: 'Adds a member `coverage`: which days and manifests the range has, and which it lacks.',
      schema: { type: 'string', enum: ['true', 'false'], default: 'false' },
    },
  }
}

const dayOf = (description: string): Described => ({ description, schema: daySchema })

export const integersParameters: Readonly<Record<IntegerForm, Described>> = {
  number: {
    description:
      'How 64-bit integers are written: `number` as bare digits, as in `/openapi.json`; `string` as strings of digits, for readers that ' +
      'would round them, as in `/openapi.json?integers=string`.',
    schema: { type: 'string', enum: ['number'], default: 'number' },
  },
  string: {
    description: 'Has 64-bit integers written as strings of digits, which the schemas here describe.',
    required: true,
    schema: { type: 'string', enum: ['string'] },
    example: 'string',
  },
}

/** Describes the parameters of an operation, with the values of its example. */
export function parametersFor(
  { resource, kind, rest }: RestOperation,
  { queries, forms }: DocumentStyle,
  example: OperationExample,
): readonly Parameter[] {
  const common = commonParameters(queries, forms.integers)
  const series = kind === 'series' ? seriesParameters(resource) : {}
  const hasDays = daysOf(resource, kind, queries) !== undefined
  const parameters = parametersOf(resource, kind, queries).map((name): Parameter => {
    const filter = resource.filters?.[name]
    const base =
      series[name] ??
      (filter === undefined
        ? common[name]
        : filterParameter(resource, hasDays ? unlessDays(filter) : filter, queries, forms.integers))
    if (base === undefined) throw new Error(`the parameter ${name} of ${resource.name} has no description`)
    const described = forOperation(name, base, kind, resource)
    const mayBeEmpty = base.required !== true && filter?.required !== true
    return { name, in: 'query', ...(mayBeEmpty && { allowEmptyValue: true }), ...described }
  })
  const id = idParameter(rest.find?.by ?? [])
  return (kind === 'find' ? [id, ...parameters] : parameters).map((parameter) => {
    const value = example.parameters[parameter.name]
    return value === undefined ? parameter : { ...parameter, example: typedExample(value, parameter) }
  })
}

/** Describes a required end of a range that days may replace. */
function unlessDays({ required, ...filter }: Filter): Filter {
  return required
    ? { ...filter, doc: `${filter.doc} Required unless first_day and last_day are given.` }
    : filter
}

/** Adds details of an operation to a common parameter. */
function forOperation(
  name: string,
  common: Described,
  kind: RestOperation['kind'],
  resource: Resource,
): Described {
  if (name === 'format' && kind === 'series')
    return {
      description: 'Returns the rows as a file; `json` is the usual response.',
      schema: { type: 'string', enum: formatNames('series'), default: 'json' },
    }
  if (name === 'columns') {
    const names = exportColumns(resource).map((column) => column.name)
    const description = `${common.description} They are \`${names.join('`, `')}\`.`
    return { ...common, description, schema: namesText(names) }
  }
  if (name !== 'coverage' || kind !== 'list') return common
  const more = 'A file has counts of them in the header `Ledgerlake-Coverage` instead.'
  return { ...common, description: `${common.description} ${more}` }
}

function idParameter(by: readonly string[]): Parameter {
  const keys = ['its id', ...by].join(', or its ')
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: `Identifies the record by ${keys}. An id may be in any letter case.`,
    schema: { type: 'string', minLength: 1 },
  }
}

function typedExample(value: string, { schema: { type, format } }: Parameter): Json {
  if (type !== 'integer') return value
  return format === 'int64' ? BigInt(value) : Number(value)
}
