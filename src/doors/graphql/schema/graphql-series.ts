import type { ParamFault } from '../../../base/errors.ts'
import { refuse } from '../../../base/parameter-text.ts'
import { camelCase } from '../../../base/values/camel-case.ts'
import {
  faultOfKeyList,
  keyFilterOf,
  type SeriesRequest,
  seriesChecks,
} from '../../../catalog/query/series-parameters.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { type CheckedQuery, queryCheck } from '../../contract/query-schema.ts'
import { filterArguments, inCamelCase, restParameters } from './graphql-filters.ts'

/** A parameter of a REST series as a GraphQL argument. */
export interface SeriesArgument {
  readonly name: string
  readonly holds: 'text' | 'instant' | 'integer' | 'count' | 'interval' | 'grouping' | 'texts' | 'yesOrNo'
  readonly isRequired: boolean
  /** The parameter of REST. */
  readonly param: string
}

/** Argument with hotspot keys. */
export const KEYS_ARGUMENT = 'hotspotKeys'

const ownKinds: Readonly<Record<string, SeriesArgument['holds']>> = {
  interval: 'interval',
  group_by: 'grouping',
  limit: 'count',
  median: 'yesOrNo',
}

/** Returns the arguments of a series: filters, steps and grouping. */
export function seriesArguments(resource: Resource): readonly SeriesArgument[] {
  const key = keyFilterOf(resource)
  const parameters = Object.keys(seriesChecks(resource)).map((param): SeriesArgument => {
    const [name, holds = 'text'] =
      param === key ? [KEYS_ARGUMENT, 'texts' as const] : [camelCase(param), ownKinds[param]]
    return { name, holds, isRequired: false, param }
  })
  return [...filterArguments(resource, 'series'), ...parameters]
}

/** Argument values of a query. */
export type GivenArguments = Readonly<
  Record<string, string | number | boolean | readonly string[] | null | undefined>
>

type AskedSeries = Pick<CheckedQuery, 'filters' | 'days'> & { readonly series: SeriesRequest }

/** Creates the check of the arguments. Errors: `malformed_request` with the sentences of REST. */
export function seriesArgumentsCheck(resource: Resource): (given: GivenArguments) => AskedSeries {
  const check = queryCheck(resource, 'series')
  const taken = seriesArguments(resource).filter(({ name }) => name !== KEYS_ARGUMENT)
  return (given) => {
    const { query, faults } = check(restParameters(taken, given))
    const hotspotKeys = (given[KEYS_ARGUMENT] ?? undefined) as readonly string[] | undefined
    const fault = hotspotKeys && faultOfKeyList(hotspotKeys)
    const ofKeys: readonly ParamFault[] =
      fault === undefined ? [] : [{ param: KEYS_ARGUMENT, message: `${KEYS_ARGUMENT} ${fault}` }]
    refuse([...faults.map(inCamelCase), ...ofKeys])
    const { filters, days, series } = query
    if (series === undefined) throw new Error(`${resource.name} has no series`)
    return { filters, days, series: { ...series, hotspotKeys } }
  }
}
