import { type GraphQLFieldConfig, GraphQLNonNull, type GraphQLResolveInfo } from 'graphql'
import type { Series } from '../../../answers/series/series.ts'
import { fail } from '../../../base/errors.ts'
import { unlessGone } from '../../../base/unless-gone.ts'
import { seriesRecord } from '../../../catalog/records/series-record.ts'
import { specifiedSpelling } from '../../../catalog/records/spelling.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { operationsOf } from '../../contract/operations.ts'
import { seriesMeta } from '../../contract/series-meta.ts'
import { workOf } from '../../gate/work-of.ts'
import { knownNames } from '../../known-names.ts'
import { readSeries } from '../../read-series.ts'
import type { GraphqlContext } from '../request/context.ts'
import { queryLimits } from '../request/limits.ts'
import type { EstimateField } from '../request/series-work.ts'
import { selectedFields } from './field-needs.ts'
import { type GivenArguments, KEYS_ARGUMENT, seriesArgumentsCheck } from './graphql-series.ts'
import { argumentTypes, seriesType } from './series-types.ts'
import { reportUnknown } from './tell-unknown.ts'

/** Creates the field of a series, with the features, look-back and errors of REST. */
export function seriesField(resource: Resource): GraphQLFieldConfig<unknown, GraphqlContext> {
  const needs = operationsOf([resource]).find(({ kind }) => kind === 'series')?.needs ?? []
  const check = seriesArgumentsCheck(resource)
  const refuseUnknownNames = knownNames(resource)
  const estimate: EstimateField = (given, repository, at) => {
    const { filters, series } = check(given as GivenArguments)
    return workOf('series', repository.series(resource, filters, series, at).estimate()).ms
  }
  return {
    extensions: { estimate },
    type: new GraphQLNonNull(seriesType(resource, rowsOf(resource))),
    description: `Sums by day, week, month or over the whole range. Summed: ${resource.doc}`,
    args: argumentTypes(resource),
    async resolve(_root, given: GivenArguments, context, info) {
      context.requireFeatures(needs)
      const checked = check(given)
      const { series: request } = checked
      const at = await context.snapshot()
      const { filters, from } = await context.filtersAt(resource, checked, at)
      refuseUnknownNames(filters, at.table(resource))
      const { repository, reach, signal } = context
      const series = repository.series(resource, filters, request, at)
      context.answeredBy.push(series.by)
      const whole = { resource, filters, request, series, reach, at, keysParam: KEYS_ARGUMENT }
      const immediate = series.peek()
      // Only sums of the whole network need no I/O.
      const read = immediate
        ? { series: immediate, unknown: {} }
        : await unlessGone(readSeries(repository, whole, signal), signal)
      reportUnknown(context, info, read.unknown)
      return { ...read.series, meta: seriesMeta(resource, request, from, read.series, specifiedSpelling) }
    },
  }
}

/** Creates the resolver of the rows. It rejects a series beyond the cost limit before it creates any record. */
function rowsOf(resource: Resource) {
  return ({ rows }: Series, _given: unknown, context: GraphqlContext, info: GraphQLResolveInfo) => {
    context.seriesValues += rows.length * selectedFields(info).length
    if (context.seriesValues > queryLimits.cost) fail('malformed_request', TOO_MANY)
    return Array.from(rows, (row) => seriesRecord(resource, row, specifiedSpelling))
  }
}

const TOO_MANY = `The series of the query have more than ${queryLimits.cost} values; ask for a shorter range, longer steps, a smaller limit or fewer fields.`
