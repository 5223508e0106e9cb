import type { FastifyInstance } from 'fastify'
import type { Lookup, Resource, RestFace } from '../../catalog/resource.ts'
import { querySchema } from '../../derive/query-schema.ts'
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
  const { repository, habits } = context
  const list = answering(
    context,
    querySchema(resource, 'list', habits.queries),
    async (query, at, signal) => {
      const { meta, total, records } = await repository.list(resource, query.filters, query, at, signal)
      return { meta: habits.metaOf(meta, total), [habits.envelopeOf(rest)]: records }
    },
  )
  server.get(prefix + rest.path, list)

  if (rest.find !== undefined) addLookup(server, prefix + rest.path, resource, rest.find, context)
  if (rest.totals === undefined) return
  const totals = answering(context, querySchema(resource, 'totals', habits.queries), (query, at, signal) =>
    repository.totals(resource, query.filters, at, signal),
  )
  server.get(`${prefix}${rest.path}/totals`, totals)
}

function addLookup(
  server: FastifyInstance,
  path: string,
  resource: Resource,
  { thing }: Lookup,
  context: RestContext,
): void {
  const find = answering(
    context,
    querySchema(resource, 'find', context.habits.queries),
    async (_query, at, signal, request) => {
      const { id } = request.params as { readonly id: string }
      return (
        (await context.repository.find(resource, id, at, signal)) ?? fail('not_found', `${thing} not found`)
      )
    },
  )
  server.get(`${path}/:id`, find)
}
