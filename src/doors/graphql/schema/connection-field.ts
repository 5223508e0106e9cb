import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql'
import type { Entry } from '../../../answers/records/entry.ts'
import { type RawQuery, refuse } from '../../../base/parameter-text.ts'
import { unlessGone } from '../../../base/unless-gone.ts'
import { separateTurn } from '../../../engine/separate-turn.ts'
import type { GraphqlContext } from '../request/context.ts'
import { rowsScalar, writeRows } from '../rows/write-rows.ts'
import {
  cappedIn,
  listArguments,
  nonNullFilters,
  type PagingArguments,
  readPaging,
} from './connection-arguments.ts'
import { needsOf } from './field-needs.ts'
import { argumentsSchema } from './graphql-arguments.ts'
import type { GraphqlResource } from './graphql-face.ts'
import type { NodeTypes } from './node-types.ts'
import { tellUnknownFilters } from './tell-unknown.ts'

const pageInfoType = new GraphQLObjectType({
  name: 'PageInfo',
  description: 'Position of these rows in the list.',
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

/** How a schema returns `nodes`: as objects, or as JSON text. */
export type RowForm = 'objects' | 'text'

/** Creates the connection type of a list, with its edge type. */
function connectionType(node: string, nodeType: GraphQLObjectType, form: RowForm): GraphQLObjectType {
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
      nodes: form === 'objects' ? { type: new GraphQLList(nodeType) } : writtenNodes(nodeType),
      edges: { type: new GraphQLList(edge) },
      pageInfo: { type: new GraphQLNonNull(pageInfoType) },
    },
  })
}

interface ConnectionRows {
  readonly nodes: readonly Entry[]
}

/** The rows of a connection as one scalar; `rowType` has the type of a row. */
function writtenNodes(rowType: GraphQLObjectType): GraphQLFieldConfig<ConnectionRows, unknown> {
  return {
    type: rowsScalar,
    extensions: { rowType },
    resolve: ({ nodes }, _given, _context, { fieldNodes: [selected] }) =>
      selected && writeRows(nodes, selected, rowType),
  }
}

/** Creates the query field of a list. */
export function connectionField(
  resource: GraphqlResource,
  nodeTypes: NodeTypes,
  form: RowForm,
): GraphQLFieldConfig<unknown, GraphqlContext> {
  const { node, arguments: named } = resource.graphql
  const { needs: needed = [] } = resource.rest ?? {}
  const checkFilters = argumentsSchema(resource, named)
  return {
    type: new GraphQLNonNull(connectionType(node, nodeTypes.of(resource), form)),
    description: resource.doc,
    args: listArguments(resource),
    async resolve(_root, given: PagingArguments & RawQuery, context, info) {
      const { repository, snapshot, signal } = context
      context.requireFeatures(needed)
      const { faults, ...asked } = checkFilters(nonNullFilters(given))
      const paging = readPaging(resource, given)
      refuse([...faults, ...paging.faults])
      context.capped.push(...cappedIn(given, String(info.path.key)))
      const at = await snapshot()
      const { filters } = await context.filtersAt(resource, asked, at)
      const needs = needsOf(info, resource)
      // Each list gets a turn of the event loop, so other requests run in between.
      await unlessGone(separateTurn(), signal)
      const reading = repository.connection(resource, filters, paging.request, needs, at, signal)
      // `connection` chooses the access path synchronously. Other fields choose theirs before this one resolves.
      context.answeredBy.push(repository.workFor(signal).by ?? 'engine')
      const connection = await unlessGone(reading, signal)
      // Resolving the rows blocks the event loop, so other requests run first.
      await unlessGone(separateTurn(), signal)
      signal.throwIfAborted()
      const { nodes } = connection
      if (nodes.length === 0) await tellUnknownFilters(context, info, resource, filters, at)
      return {
        nodes,
        edges: nodes.map((node) => ({ node, cursor: () => node.cursor })),
        pageInfo: {
          hasNextPage: once(() => unlessGone(connection.hasNextPage(), signal)),
          hasPreviousPage: once(() => unlessGone(connection.hasPreviousPage(), signal)),
          startCursor: () => nodes[0]?.cursor ?? null,
          endCursor: () => nodes.at(-1)?.cursor ?? null,
        },
      }
    },
  }
}

/** A query may select a field under many aliases; the search runs once for all. */
function once<T>(look: () => Promise<T>): () => Promise<T> {
  let looked: Promise<T> | undefined
  return () => {
    looked ??= look()
    return looked
  }
}
