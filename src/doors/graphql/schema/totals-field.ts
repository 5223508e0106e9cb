import { type GraphQLFieldConfig, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql'
import { refuse } from '../../../base/parameter-text.ts'
import { unlessGone } from '../../../base/unless-gone.ts'
import { camelCase } from '../../../base/values/camel-case.ts'
import { totalMeaning } from '../../../catalog/records/member-meaning.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { operationsOf } from '../../contract/operations.ts'
import { type CheckedQuery, queryCheck } from '../../contract/query-schema.ts'
import { knownNames } from '../../known-names.ts'
import type { GraphqlContext } from '../request/context.ts'
import { sumsTypeName } from './graphql-fields.ts'
import {
  type FilterArgument,
  filterArguments,
  inCamelCase,
  meaningOf,
  restParameters,
} from './graphql-filters.ts'
import { ownScalars } from './scalars.ts'
import { tellUnknownFilters } from './tell-unknown.ts'

const inputs = { text: GraphQLString, instant: ownScalars.ISO8601DateTime, integer: ownScalars.BigInt }

/** Creates the field of totals, with the features, look-back and errors of REST. */
export function totalsField(resource: Resource): GraphQLFieldConfig<unknown, GraphqlContext> {
  const needs = operationsOf([resource]).find(({ kind }) => kind === 'totals')?.needs ?? []
  const check = argumentsCheck(resource)
  const refuseUnknownNames = knownNames(resource)
  return {
    type: new GraphQLNonNull(totalsType(resource)),
    description: `Sums over a range; each is one column. Summed: ${resource.doc}`,
    args: Object.fromEntries(filterArguments(resource, 'totals').map(argumentOf(resource))),
    async resolve(_root, given: Readonly<Record<string, string | null | undefined>>, context, info) {
      context.requireFeatures(needs)
      const checked = check(given)
      const at = await context.snapshot()
      const { filters } = await context.filtersAt(resource, checked, at)
      refuseUnknownNames(filters, at.table(resource))
      const { by, peek, read } = context.repository.totals(resource, filters, at)
      context.answeredBy.push(by)
      const sums = peek() ?? (await unlessGone(read(context.signal), context.signal))
      if (Object.values(sums).every((sum) => sum === 0n))
        await tellUnknownFilters(context, info, resource, filters, at)
      return sums
    },
  }
}

/** Creates the check of the arguments. Errors: `malformed_request` with the sentences of REST. */
function argumentsCheck(resource: Resource) {
  const check = queryCheck(resource, 'totals')
  const taken = filterArguments(resource, 'totals')
  return (given: Readonly<Record<string, string | null | undefined>>): CheckedQuery => {
    const { query, faults } = check(restParameters(taken, given))
    refuse(faults.map(inCamelCase))
    return query
  }
}

function totalsType(resource: Resource): GraphQLObjectType<Readonly<Record<string, bigint>>, GraphqlContext> {
  const fields = Object.entries(resource.totals ?? {}).map(([name, member]) => [
    camelCase(name),
    {
      type: new GraphQLNonNull(ownScalars.BigInt),
      description: `Sum of ${totalMeaning(member, camelCase)}.`,
      resolve: (sums: Readonly<Record<string, bigint>>) => sums[name],
    },
  ])
  return new GraphQLObjectType({ name: sumsTypeName(resource, 'totals'), fields: Object.fromEntries(fields) })
}

function argumentOf(resource: Resource) {
  return ({ name, holds, isRequired, param }: FilterArgument) => {
    const type = isRequired ? new GraphQLNonNull(inputs[holds]) : inputs[holds]
    return [name, { type, description: meaningOf(resource, param) }] as const
  }
}
