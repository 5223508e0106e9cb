/** The part of the package that is used: its types cannot be reached through its list of exports. */
declare module 'graphql-helix/process-request' {
  import type { DocumentNode, ExecutionArgs, ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql'

  export function processRequest(options: {
    readonly schema: GraphQLSchema
    readonly query: string | undefined
    readonly variables: Readonly<Record<string, unknown>>
    readonly operationName?: string
    readonly request: Readonly<Record<'method' | 'headers' | 'body' | 'query', unknown>>
    readonly parse: (text: string) => DocumentNode
    readonly validate: (schema: GraphQLSchema, document: DocumentNode) => readonly GraphQLError[]
    readonly contextFactory: () => unknown
    readonly execute: (args: ExecutionArgs) => Promise<ExecutionResult<unknown>>
  }): Promise<{ readonly type: string; readonly status: number; readonly payload: ExecutionResult<unknown> }>
}
