import type { ParamFault } from '../../../base/errors.ts'
import type { RawQuery } from '../../../base/parameter-text.ts'
import { camelCase } from '../../../base/values/camel-case.ts'
import type { Kind } from '../../../catalog/column.ts'
import { paidDayParameters } from '../../../catalog/query/paid-days.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { daysOf, filtersOf, type Operation } from '../../contract/query-schema.ts'

/** A filter of REST as a GraphQL argument. */
export interface FilterArgument {
  readonly name: string
  readonly holds: 'text' | 'instant' | 'integer'
  readonly isRequired: boolean
  /** The parameter of REST. */
  readonly param: string
}

const filterKinds: Readonly<Partial<Record<Kind, FilterArgument['holds']>>> = {
  ...{ instant: 'instant', seconds: 'instant' },
  ...{ long: 'integer', whole: 'integer' },
}

/** Returns the filters of a REST operation as arguments, with days that may replace the range. */
export function filterArguments(resource: Resource, operation: Operation): readonly FilterArgument[] {
  const hasDays = daysOf(resource, operation) !== undefined
  const filters = filtersOf(resource, operation).map(
    ([param, { column, required = false }]): FilterArgument => {
      const holds = filterKinds[resource.columns[column]?.kind ?? 'text'] ?? 'text'
      return { name: camelCase(param), holds, isRequired: required && !hasDays, param }
    },
  )
  return hasDays ? [...filters, ...dayArguments] : filters
}

/** Converts the arguments of a query to REST parameters. */
export function restParameters(
  taken: readonly { readonly name: string; readonly param: string }[],
  given: Readonly<Record<string, unknown>>,
): RawQuery {
  const texts = taken.flatMap(({ name, param }) => {
    const value = given[name] ?? null
    return value === null ? [] : [[param, String(value)] as const]
  })
  return Object.fromEntries(texts)
}

/** Arguments with paid days. */
export const dayArguments: readonly FilterArgument[] = Object.keys(paidDayParameters).map((param) => {
  return { name: camelCase(param), holds: 'text', isRequired: false, param }
})

/** Returns the description of a filter or day parameter. */
export function meaningOf({ filters }: Resource, param: string): string | undefined {
  return filters?.[param]?.doc ?? Object.entries(paidDayParameters).find(([name]) => name === param)?.[1]
}

/** Renames the parameters in a fault to arguments. */
export function inCamelCase({ param, message }: ParamFault): ParamFault {
  const name = camelCase(param)
  const renamed = message.startsWith(param) ? name + message.slice(param.length) : message
  return { param: name, message: renamed.replace(/\b(?:first|last)_day\b/g, camelCase) }
}
