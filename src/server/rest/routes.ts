import type { FastifyInstance } from 'fastify'
import type { Lookup, Resource, RestFace } from '../../catalog/resource.ts'
import { fail } from '../../errors.ts'
import { answering, type RestContext } from './answer.ts'

/** Walks the catalog: every resource with a REST face gets its operations below `prefix`. */
export function addRestRoutes(
  server: FastifyInstance,
  prefix: string,
  resources: readonly Resource[],
  context: RestContext,
): void {
  for (const resource of resources) {
    if (resource.rest !== undefined) addOperations(server, prefix, resource, resource.rest, context)
  }
}

function addOperations(
  server: FastifyInstance,
  prefix: string,
  resource: Resource,
  rest: RestFace,
  context: RestContext,
): void {
  const { repository, dialect, gate } = context
  const list = answering(context, resource, 'list', ({ query, at }) => ({
    async find(signal) {
      const { meta, total, records } = await repository.list(resource, query.filters, query, at, signal)
      return { meta: dialect.metaOf(meta, total), [dialect.envelopeOf(rest)]: records }
    },
  }))
  server.get(prefix + rest.path, gate.route(rest.needs), list)

  if (rest.find !== undefined) addLookup(server, prefix, resource, rest, rest.find, context)
  if (rest.totals === undefined) return
  const totals = answering(context, resource, 'totals', ({ query, at }) => {
    const { choice, known, read } = repository.totals(resource, query.filters, at)
    return { by: choice.by, atOnce: known, find: read }
  })
  const needs = [...(rest.needs ?? []), ...(rest.totalsNeed ?? [])]
  server.get(`${prefix}${rest.path}/totals`, gate.route(needs), totals)
}

function addLookup(
  server: FastifyInstance,
  prefix: string,
  resource: Resource,
  { path, needs }: RestFace,
  { thing }: Lookup,
  context: RestContext,
): void {
  const find = answering(context, resource, 'find', ({ at, id }) => ({
    async find(signal) {
      const found = await context.repository.find(resource, id, at, signal)
      return found ?? fail('not_found', `${thing} not found`)
    },
  }))
  server.get(`${prefix}${path}/:id`, context.gate.route(needs), find)
}
