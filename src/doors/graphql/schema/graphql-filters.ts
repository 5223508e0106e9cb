import type { ParamFault } from '../../../base/errors.ts'
import type { RawQuery } from '../../../base/parameter-text.ts'
import type { Kind } from '../../../catalog/column.ts'
import { paidDayParameters } from '../../../catalog/query/paid-days.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { daysOf, filtersOf, type Operation } from '../../contract/query-schema.ts'
import { camelCase } from './graphql-fields.ts'

/** An argument of GraphQL that is a filter of REST under another name. */
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

/** The filters that an operation of REST takes, and days instead of their range, as arguments. */
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

/** The arguments that are given, as parameters of REST. */
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

/** Arguments that name days. */
export const dayArguments: readonly FilterArgument[] = Object.keys(paidDayParameters).map((param) => {
  return { name: camelCase(param), holds: 'text', isRequired: false, param }
})

/** The description of the argument of a parameter. */
export function meaningOf({ filters }: Resource, param: string): string | undefined {
  return filters?.[param]?.doc ?? Object.entries(paidDayParameters).find(([name]) => name === param)?.[1]
}

/** The fault with the name of the argument, with which its sentence begins, and with those of days. */
export function inCamelCase({ param, message }: ParamFault): ParamFault {
  const name = camelCase(param)
  const renamed = message.startsWith(param) ? name + message.slice(param.length) : message
  return { param: name, message: renamed.replace(/\b(?:first|last)_day\b/g, camelCase) }
}
