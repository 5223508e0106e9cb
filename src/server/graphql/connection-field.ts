import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql'
import { argumentsSchema, type RawQuery } from '../../derive/query-schema.ts'
import { fail } from '../../errors.ts'
import { type ConnectionRequest, MOST_ROWS } from '../../query/connection.ts'
import { positionOf, readCursor, writeCursor } from '../../query/cursor.ts'
import type { Position } from '../../query/plan.ts'
import type { GraphqlContext, NodeSource } from './context.ts'
import { needsOf } from './field-needs.ts'
import type { GraphqlResource, NodeTypes } from './node-types.ts'
import { ownScalars } from './scalars.ts'

const pageInfoType = new GraphQLObjectType({
  name: 'PageInfo',
  description: 'Where a stretch of a list lies.',
  fields: {
    hasNextPage: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: 'Whether a row follows the last one.',
    },
    hasPreviousPage: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: 'Whether a row precedes the first one.',
    },
    startCursor: { type: GraphQLString, description: 'Cursor of the first row; null when there is none.' },
    endCursor: {
      type: GraphQLString,
      description: 'Cursor of the last row, for `after`; null when there is none.',
    },
  },
})

const pagingArguments: GraphQLFieldConfigArgumentMap = {
  first: {
    type: GraphQLInt,
    description: `Rows from the start, at most ${MOST_ROWS}, which is the default.`,
  },
  after: { type: GraphQLString, description: 'Only rows after the one of this cursor.' },
  last: {
    type: GraphQLInt,
    description: `Rows from the end, at most ${MOST_ROWS}; with first, the last of those.`,
  },
  before: { type: GraphQLString, description: 'Only rows before the one of this cursor.' },
}

interface PagingArguments {
  readonly first?: number | null
  readonly last?: number | null
  readonly after?: string | null
  readonly before?: string | null
}

/** The query field of a resource: one stretch of its list. */
export function connectionField(
  resource: GraphqlResource,
  nodeTypes: NodeTypes,
): GraphQLFieldConfig<unknown, GraphqlContext> {
  const { node, query, arguments: named } = resource.graphql
  const checkFilters = argumentsSchema(resource, named)
  return {
    type: new GraphQLNonNull(connectionType(node, nodeTypes.of(resource))),
    description: resource.doc,
    args: { ...filterArguments(resource), ...pagingArguments },
    async resolve(_root, given: PagingArguments & RawQuery, { repository, snapshot, signal }, info) {
      const filters = checkFilters(withoutNulls(given))
      const request = readRequest(resource, query, given)
      const at = await snapshot()
      const { columns, manifests: needsManifests } = needsOf(info, resource)
      const found = await repository.connection(resource, filters, request, columns, at, signal)
      const manifests = needsManifests ? await repository.manifests(at, signal) : undefined
      const sources = found.rows.map((row): NodeSource => ({ resource, row, at, manifests }))
      const cursorOf = (source: NodeSource | undefined) =>
        source === undefined ? null : writeCursor(resource, positionOf(resource, source.row))
      return {
        nodes: sources,
        edges: sources.map((source) => ({ node: source, cursor: () => cursorOf(source) })),
        pageInfo: {
          hasNextPage: () => found.hasNextPage(),
          hasPreviousPage: () => found.hasPreviousPage(),
          startCursor: () => cursorOf(sources[0]),
          endCursor: () => cursorOf(sources.at(-1)),
        },
      }
    },
  }
}

function connectionType(node: string, nodeType: GraphQLObjectType): GraphQLObjectType {
  const edge = new GraphQLObjectType({
    name: `${node}Edge`,
    fields: {
      cursor: {
        type: new GraphQLNonNull(GraphQLString),
        description: 'Names this row in every later reply.',
      },
      node: { type: nodeType },
    },
  })
  return new GraphQLObjectType({
    name: `${node}Connection`,
    fields: {
      nodes: { type: new GraphQLList(nodeType) },
      edges: { type: new GraphQLList(edge) },
      pageInfo: { type: new GraphQLNonNull(pageInfoType) },
    },
  })
}

function filterArguments({ filters = {}, columns, graphql }: GraphqlResource): GraphQLFieldConfigArgumentMap {
  const named = Object.entries(graphql.arguments).map(([argument, { filter, required }]) => {
    const declared = filters[filter]
    const isInstant = columns[declared?.column ?? '']?.kind === 'instant'
    const type = isInstant ? ownScalars.ISO8601DateTime : GraphQLString
    return [argument, { type: required ? new GraphQLNonNull(type) : type, description: declared?.doc }]
  })
  return Object.fromEntries(named)
}

function withoutNulls(given: Readonly<Record<string, unknown>>): RawQuery {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as RawQuery
}

/** Errors: `malformed_request` for a negative number and for a cursor that is none of this list. */
function readRequest(resource: GraphqlResource, query: string, given: PagingArguments): ConnectionRequest {
  const first = rowsOf('first', given.first)
  const last = rowsOf('last', given.last)
  return {
    first: first === undefined && last === undefined ? MOST_ROWS : first,
    last,
    after: placeOf(resource, query, 'after', given.after),
    before: placeOf(resource, query, 'before', given.before),
  }
}

function rowsOf(name: string, given: number | null | undefined): number | undefined {
  if (given === undefined || given === null) return undefined
  if (given < 0) fail('malformed_request', `${name} is ${given}; a whole number from 0 is accepted.`)
  return Math.min(given, MOST_ROWS)
}

function placeOf(
  resource: GraphqlResource,
  query: string,
  name: string,
  cursor: string | null | undefined,
): Position | undefined {
  if (cursor === undefined || cursor === null || cursor.trim() === '') return undefined
  const shown = JSON.stringify(cursor.length > 80 ? `${cursor.slice(0, 80)}…` : cursor)
  return (
    readCursor(resource, cursor) ??
    fail('malformed_request', `${name} is ${shown}; a cursor out of a reply of ${query} is accepted.`)
  )
}
