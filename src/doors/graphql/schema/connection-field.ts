import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLString,
} from 'graphql'
import type { Entry } from '../../../answers/records/entry.ts'
import type { RawQuery } from '../../../base/parameter-text.ts'
import { unlessGone } from '../../../base/unless-gone.ts'
import { Verbatim } from '../../../base/values/json-writer.ts'
import type { Feature } from '../../../catalog/feature.ts'
import { separateTurn } from '../../../engine/separate-turn.ts'
import type { GraphqlContext } from '../request/context.ts'
import { nodeWriter, UnwritableRows, writeRows } from '../rows/row-writer.ts'
import {
  cappedIn,
  listArguments,
  listReader,
  type PagingArguments,
  type ReadList,
} from './connection-arguments.ts'
import { needsOf } from './field-needs.ts'
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

/** Type of `nodes` in the schema of rows. */
const rowsScalar = new GraphQLScalarType<Verbatim, Verbatim>({
  name: 'Rows',
  serialize(value) {
    if (value instanceof Verbatim) return value
    throw new UnwritableRows()
  },
})

/** The rows of a connection as one scalar; `rowType` has the type of a row. */
function writtenNodes(rowType: GraphQLObjectType): GraphQLFieldConfig<ConnectionRows, unknown> {
  return {
    type: rowsScalar,
    extensions: { rowType },
    resolve({ nodes }, _given, _context, { fieldNodes: [selected] }) {
      const write = selected && nodeWriter(selected, rowType)
      return write && new Verbatim(writeRows(nodes, write), 'small')
    },
  }
}

/** Declaration of a list in the extensions of its query field, to be read without its resolver. */
export interface DeclaredList {
  readonly resource: GraphqlResource
  readonly features: readonly Feature[]
  readonly read: ReadList
}

/** Creates the query field of a list. */
export function connectionField(
  resource: GraphqlResource,
  nodeTypes: NodeTypes,
  form: RowForm,
): GraphQLFieldConfig<unknown, GraphqlContext> {
  const read = listReader(resource)
  const features = resource.rest?.needs ?? []
  const list: DeclaredList = { resource, features, read }
  return {
    extensions: { list },
    type: new GraphQLNonNull(connectionType(resource.graphql.node, nodeTypes.of(resource), form)),
    description: resource.doc,
    args: listArguments(resource),
    async resolve(_root, given: PagingArguments & RawQuery, context, info) {
      const { repository, snapshot, signal } = context
      context.requireFeatures(features)
      const { paging, ...asked } = read(given)
      context.capped.push(...cappedIn(given, String(info.path.key)))
      const at = await snapshot()
      const { filters } = await context.filtersAt(resource, asked, at)
      const needs = needsOf(info, resource)
      // Each list gets a turn of the event loop, so other requests run in between.
      await unlessGone(separateTurn(), signal)
      const reading = repository.connection(resource, filters, paging, needs, at, signal)
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
          hasNextPage: once(() => unlessGone(Promise.resolve(connection.hasNextPage()), signal)),
          hasPreviousPage: once(() => unlessGone(Promise.resolve(connection.hasPreviousPage()), signal)),
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
