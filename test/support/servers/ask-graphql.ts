import type { FastifyInstance } from 'fastify'
import { readExact } from '../exact-json.ts'

export interface GraphqlReply {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, unknown>>
  /** Undefined when nothing was executed; numbers are exact. */
  readonly data: Readonly<Record<string, unknown>> | null | undefined
  readonly errors: readonly GraphqlFault[]
}

interface GraphqlFault {
  readonly message: string
  readonly path?: readonly unknown[]
  readonly extensions: { readonly code: string; readonly errors?: readonly unknown[] }
}

interface PageInfo {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly startCursor: string | null
  readonly endCursor: string | null
}

/** A stretch of a list as a reply has it. */
export interface Connection<Node = Readonly<Record<string, unknown>>> {
  readonly nodes: readonly Node[]
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[]
  readonly pageInfo: PageInfo
}

/** POST /graphql, without a socket. */
export async function askGraphql(
  server: FastifyInstance,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  url = '/graphql',
  headers: Readonly<Record<string, string>> = {},
): Promise<GraphqlReply> {
  const reply = await server.inject({ method: 'POST', url, headers, payload: { query, variables } })
  const body = readExact<Partial<GraphqlReply>>(reply.body)
  return {
    status: reply.statusCode,
    text: reply.body,
    headers: reply.headers,
    data: body.data,
    errors: body.errors ?? [],
  }
}

/** A connection of a reply that must have data. */
export function connectionOf<Node>({ data, text }: GraphqlReply, name: string): Connection<Node> {
  if (data === undefined || data === null) throw new Error(text)
  return data[name] as Connection<Node>
}

/** One connection, which must come without an error. `call` is the field with its arguments. */
export async function askConnection<Node = Readonly<Record<string, unknown>>>(
  server: FastifyInstance,
  call: string,
  fields: string,
): Promise<Connection<Node>> {
  const reply = await askGraphql(
    server,
    `{ list: ${call} { nodes { ${fields} } edges { cursor node { ${fields} } }
       pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
  )
  return connectionOf(reply, 'list')
}
