import { isObject } from '../../../base/values/json-writer.ts'
import { groupingsOf, MOST_GROUPS } from '../../../catalog/query/series-parameters.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { intervals } from '../../../catalog/series.ts'
import { type HostedOperation, hostedMembers, MOST_DAYS } from '../../contract/hosted-sums.ts'
import { medianMembers, metaMembers, rowMembers, type SeriesMember } from '../../contract/series-members.ts'
import { type DocumentForms, isoInstant } from './reply-forms.ts'
import { described, exactly, integerSchema, orNull, type Schema, schemaIn } from './schema.ts'

/** Types whose schemas depend on resource or document. */
type ResourceMember = 'sum' | 'grouping' | 'medians'

type Forms = Readonly<Record<Exclude<SeriesMember['holds'], ResourceMember>, Schema>>

const forms: Forms = {
  text: { type: 'string' },
  date: { type: 'string', format: 'date', examples: ['2026-07-01'] },
  instant: isoInstant,
  decimal: { type: 'string', pattern: '^[0-9]+\\.[0-9]+$' },
  count: { type: 'integer', format: 'int32', minimum: 0 },
  limit: { type: 'integer', format: 'int32', minimum: 1, maximum: MOST_GROUPS },
  interval: { type: 'string', enum: intervals },
  names: { type: 'object', additionalProperties: { type: 'string' } },
  unknown: { type: 'object', additionalProperties: { type: ['array', 'null'], items: { type: 'string' } } },
}

function schemaOf(
  members: readonly SeriesMember[],
  ownSchemas: Readonly<Partial<Record<ResourceMember, Schema>>>,
  meaning?: string,
): Schema {
  const byType = { ...forms, ...ownSchemas }
  const schemas = members.map(({ name, holds, mayBeNull, doc = '' }) => {
    const schema = byType[holds] ?? {}
    return [name, described(mayBeNull ? orNull(schema) : schema, doc)]
  })
  return exactly(Object.fromEntries(schemas), meaning)
}

const grouping = (resource: Resource): Schema => ({ type: 'string', enum: groupingsOf(resource) })

export function seriesSchema(resource: Resource, { integers }: DocumentForms): Schema {
  const ownSchemas = { sum: integerSchema(integers, 'sum') }
  return schemaOf(
    rowMembers(resource),
    ownSchemas,
    `Sums of one step, token and group. Summed: ${resource.doc}`,
  )
}

export function seriesMetaSchema(resource: Resource, { integers }: DocumentForms): Schema {
  const median = schemaOf(medianMembers, { sum: integerSchema(integers, 'sum') })
  const medians = { type: 'array', items: median }
  return schemaOf(metaMembers, { grouping: grouping(resource), medians })
}

export const hostedMeanings: Readonly<Record<HostedOperation, string>> = {
  daily: `The totals of each UTC date on which periods end, one day after the paid day. Days without rows are left out; a range has at most ${MOST_DAYS} days.`,
  providers:
    'Totals of each service provider, by its name; rows without one are left out. They sum the columns of the totals, and no column has the pay of a provider: ' +
    'it is the total_amount of a series by service_provider.',
}

const names: Readonly<Record<HostedOperation, Schema>> = {
  daily: { type: 'string', format: 'date', description: 'UTC date on which the periods end.' },
  providers: { type: 'string', description: 'Service provider.' },
}

/** Schema of the hosted sums; members are those of the totals. */
export function hostedSchema(
  resource: Resource,
  operation: HostedOperation,
  { properties }: Schema = {},
): Schema {
  const { name, sums } = hostedMembers(resource, operation)
  const totals = isObject(properties) ? properties : {}
  const members = Object.fromEntries(sums.map((sum) => [sum, schemaIn(totals[sum])]))
  const record = exactly({ [name]: names[operation], ...members })
  return exactly({ records: { type: 'array', items: record } })
}
