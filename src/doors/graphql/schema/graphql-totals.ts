import { refuse } from '../../../base/parameter-text.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { type CheckedQuery, queryCheck } from '../../contract/query-schema.ts'
import { camelCase } from './graphql-fields.ts'
import { filterArguments, inCamelCase } from './graphql-filters.ts'

/** The type of totals, such as `IotRewardShareTotals`. */
export function totalsTypeName({ name }: Resource): string {
  return camelCase(`_${name.replace(/s$/, '')}_totals`)
}

/** Their field of the query type, such as `iotRewardShareTotals`. */
export function totalsFieldName({ name }: Resource): string {
  return camelCase(`${name.replace(/s$/, '')}_totals`)
}

/** The check of the arguments. Errors: `malformed_request` with the sentences of REST. */
export function totalsArgumentsCheck(resource: Resource) {
  const check = queryCheck(resource, 'totals')
  const taken = filterArguments(resource, 'totals')
  return (given: Readonly<Record<string, string | null | undefined>>): CheckedQuery => {
    const texts = taken.flatMap(({ name, param }) => {
      const value = given[name] ?? null
      return value === null ? [] : [[param, String(value)]]
    })
    const { query, faults } = check(Object.fromEntries(texts))
    refuse(faults.map(inCamelCase))
    return query
  }
}
