import type { FastifyRequest } from 'fastify'
import type { RawQuery } from '../../base/parameter-text.ts'

/** The query string as the server's parser reads it. */
export function queryOf({ query }: Pick<FastifyRequest, 'query'>): RawQuery {
  return query as RawQuery
}

/** A parameter of the path; empty if the route has none of this name. */
export function pathParameter({ params }: Pick<FastifyRequest, 'params'>, name: string): string {
  return (params as Readonly<Record<string, string | undefined>>)[name] ?? ''
}
