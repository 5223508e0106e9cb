import { isObject } from '../../../base/values/json-writer.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { type HostedOperation, hostedMembers, MOST_DAYS } from '../../contract/hosted-sums.ts'
import { exactly, type Schema } from './schema.ts'

export const hostedMeanings: Readonly<Record<HostedOperation, string>> = {
  daily: `The totals of each day: the UTC date on which periods end, which is the day after that of which they are the pay. Days without rows are left out; a range has at most ${MOST_DAYS} days.`,
  providers:
    'Totals of each service provider, by its name; rows without one are left out. They sum the columns of the totals, and what a provider was paid is in none: ' +
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
  const members = Object.fromEntries(sums.map((sum) => [sum, totals[sum] as Schema]))
  const record = exactly({ [name]: names[operation], ...members })
  return exactly({ records: { type: 'array', items: record } })
}
