import { camelCase } from '../../../base/values/camel-case.ts'
import type { Member, Members, Nested } from '../../../catalog/members.ts'
import { type GraphqlFace, namesOf, type Resource } from '../../../catalog/resource.ts'

/** A resource with a GraphQL interface. */
export type GraphqlResource = Resource & { readonly graphql: GraphqlFace }

function hasGraphql(resource: Resource): resource is GraphqlResource {
  return resource.graphql !== undefined
}

const derived = new WeakMap<Resource, GraphqlResource>()

/**
 * Returns a resource with its GraphQL interface: the declared one, or one derived from the members and filters of REST.
 * Undefined without both.
 */
export function withGraphql(resource: Resource): GraphqlResource | undefined {
  const { rest } = resource
  if (hasGraphql(resource)) return resource
  if (rest === undefined) return undefined
  const withFace = derived.get(resource) ?? { ...resource, graphql: faceOf(resource) }
  derived.set(resource, withFace)
  return withFace
}

function faceOf({ name, record = {}, filters = {} }: Resource): GraphqlFace {
  const members = Object.entries(record)
  const flat = members.filter((entry): entry is [string, Member] => !isNested(entry[1]))
  const nested = members.flatMap(([member, own]): readonly [string, Members][] =>
    isNested(own) ? [[member, own.members]] : [],
  )
  return {
    query: camelCase(name),
    node: camelCase(`_${name.replace(/s$/, '')}`),
    fields: Object.fromEntries(flat),
    nested: Object.fromEntries(nested),
    arguments: Object.fromEntries(namesOf(filters).map((filter) => [camelCase(filter), { filter }])),
  }
}

function isNested(member: Member | Nested): member is Nested {
  return typeof member === 'object' && 'members' in member
}
