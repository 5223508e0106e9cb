import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  type GraphQLFieldResolver,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql'
import type { Series } from '../../../answers/series/series.ts'
import { camelCase } from '../../../base/values/camel-case.ts'
import type { JsonObject } from '../../../base/values/json-writer.ts'
import { groupingsOf, MOST_HOTSPOTS } from '../../../catalog/query/series-parameters.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { intervals } from '../../../catalog/series.ts'
import { medianMembers, metaMembers, rowMembers, type SeriesMember } from '../../contract/series-members.ts'
import { seriesParameters } from '../../open-api/paths/series-parameters.ts'
import type { GraphqlContext } from '../request/context.ts'
import { sumsTypeName } from './graphql-fields.ts'
import { meaningOf } from './graphql-filters.ts'
import { type SeriesArgument, seriesArguments } from './graphql-series.ts'
import { ownScalars } from './scalars.ts'

type Fields = GraphQLFieldConfigMap<JsonObject, GraphqlContext>

/** Creates an enum; `reward_type` becomes REWARD_TYPE. */
function choiceType(name: string, description: string, names: readonly string[]): GraphQLEnumType {
  const values = Object.fromEntries(names.map((value) => [value.toUpperCase(), { value }]))
  return new GraphQLEnumType({ name, description, values })
}

const intervalType = choiceType(
  'SeriesInterval',
  'Length of the steps of a series; ALL is the whole range in one step.',
  intervals,
)

const medianType = recordType('SeriesMedian', 'Median earnings of hotspots in a token.', medianMembers)

const outputs: Readonly<Record<SeriesMember['holds'], GraphQLOutputType>> = {
  text: GraphQLString,
  unknown: GraphQLString,
  names: GraphQLString,
  date: GraphQLString,
  decimal: GraphQLString,
  interval: GraphQLString,
  grouping: GraphQLString,
  instant: ownScalars.ISO8601DateTime,
  sum: ownScalars.BigInt,
  count: GraphQLInt,
  limit: GraphQLInt,
  medians: new GraphQLList(new GraphQLNonNull(medianType)),
}

/** Creates a type with the members of a REST record as fields. */
function recordType(name: string, description: string, members: readonly SeriesMember[]): GraphQLObjectType {
  const fieldOf = ({ name: member, holds, mayBeNull, doc }: SeriesMember) => {
    const type = mayBeNull ? outputs[holds] : new GraphQLNonNull(outputs[holds])
    return [camelCase(member), { type, description: doc, resolve: (record: JsonObject) => record[member] }]
  }
  const fields = () => Object.fromEntries(members.map(fieldOf)) as Fields
  return new GraphQLObjectType({ name, description, fields })
}

const metaType = recordType(
  'SeriesMeta',
  'Parameters and units of a series.',
  // Unknown values are in `extensions.unknown`. `names` has arbitrary member names, which GraphQL types cannot have.
  metaMembers.filter(({ holds }) => holds !== 'unknown' && holds !== 'names'),
)

/** Creates the type of a series; `rows` resolves its rows. */
export function seriesType(
  resource: Resource,
  rows: GraphQLFieldResolver<Series, GraphqlContext>,
): GraphQLObjectType<Series, GraphqlContext> {
  const name = sumsTypeName(resource, 'series')
  const row = recordType(
    `${name}Row`,
    `Sums of one step, token and group. Summed: ${resource.doc}`,
    rowMembers(resource),
  )
  const rowsType = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(row)))
  return new GraphQLObjectType<Series, GraphqlContext>({
    name,
    fields: {
      meta: { type: new GraphQLNonNull(metaType) },
      rows: {
        type: rowsType,
        description: 'In order of start, token and earnings of the group.',
        resolve: rows,
      },
    },
  })
}

/** Returns the arguments of a series. */
export function argumentTypes(resource: Resource): GraphQLFieldConfigArgumentMap {
  const inputs: Readonly<Record<SeriesArgument['holds'], GraphQLInputType>> = {
    text: GraphQLString,
    texts: new GraphQLList(new GraphQLNonNull(GraphQLString)),
    instant: ownScalars.ISO8601DateTime,
    integer: ownScalars.BigInt,
    count: GraphQLInt,
    yesOrNo: GraphQLBoolean,
    interval: intervalType,
    grouping: choiceType(
      `${sumsTypeName(resource, 'series')}Group`,
      'Grouping of a series.',
      groupingsOf(resource),
    ),
  }
  const docs = seriesParameters(resource)
  const docOf = (holds: SeriesArgument['holds'], param: string) =>
    holds === 'texts'
      ? `Keys of hotspots, at most ${MOST_HOTSPOTS}.`
      : (docs[param]?.description ?? meaningOf(resource, param))
  const named = seriesArguments(resource).map(({ name, holds, isRequired, param }) => {
    const type = isRequired ? new GraphQLNonNull(inputs[holds]) : inputs[holds]
    return [name, { type, description: docOf(holds, param) }]
  })
  return Object.fromEntries(named)
}
