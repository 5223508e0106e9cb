import { GraphQLBoolean, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql'

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

/** Creates the connection type of a list, with its edge type. */
export function connectionType(node: string, nodeType: GraphQLObjectType): GraphQLObjectType {
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
