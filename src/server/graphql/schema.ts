import { GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString, printSchema } from 'graphql'
import type { Resource } from '../../catalog/resource.ts'
import { connectionField } from './connection-field.ts'
import type { GraphqlContext } from './context.ts'
import { hasGraphql, NodeTypes } from './node-types.ts'

/** The schema that follows from the resources: one connection for each that has a GraphQL face. */
export function buildGraphqlSchema(resources: readonly Resource[]): GraphQLSchema {
  const nodeTypes = new NodeTypes()
  const connections = resources
    .filter(hasGraphql)
    .map((resource) => [resource.graphql.query, connectionField(resource, nodeTypes)] as const)
  return new GraphQLSchema({
    query: new GraphQLObjectType<unknown, GraphqlContext>({
      name: 'Query',
      fields: {
        status: {
          type: new GraphQLNonNull(GraphQLString),
          description: 'Always "ok": the server can be asked.',
          resolve: () => 'ok',
        },
        echo: {
          type: new GraphQLNonNull(GraphQLString),
          description: 'Gives the message back as it is.',
          args: { message: { type: new GraphQLNonNull(GraphQLString) } },
          resolve: (_root, { message }: { message: string }) => message,
        },
        ...Object.fromEntries(connections),
      },
    }),
  })
}

/** The schema in its own language, as docs/reference has it. */
export function graphqlSchemaText(resources: readonly Resource[]): string {
  return `${printSchema(buildGraphqlSchema(resources))}\n`
}
