import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
  GraphQLUnionType,
} from 'graphql'
import type { ListShape } from '../../catalog/column.ts'
import { rewardManifests } from '../../catalog/l2/reward-manifests.ts'
import { type GraphqlFace, type Members, type Resource, same } from '../../catalog/resource.ts'
import { camelCase, type FieldType, graphqlFields } from '../../derive/graphql-fields.ts'
import { memberOf, noFacts } from '../../derive/member.ts'
import { idColumns, idOf } from '../../repository/ids.ts'
import type { GraphqlContext, NodeSource } from './context.ts'
import type { FieldNeeds } from './field-needs.ts'
import { ownScalars } from './scalars.ts'

type NodeFields = Record<string, GraphQLFieldConfig<NodeSource, GraphqlContext>>

/** A resource that GraphQL can be asked for. */
export type GraphqlResource = Resource & { readonly graphql: GraphqlFace }

export function hasGraphql(resource: Resource): resource is GraphqlResource {
  return resource.graphql !== undefined
}

/** Makes the types of nodes, each once: those of shares lead to those of manifests. */
export class NodeTypes {
  readonly #types = new Map<Resource, GraphQLObjectType>()

  of(resource: GraphqlResource): GraphQLObjectType {
    const known = this.#types.get(resource) ?? this.#make(resource)
    this.#types.set(resource, known)
    return known
  }

  #make(resource: GraphqlResource): GraphQLObjectType {
    const { node, fields, unfilled = {}, detail } = resource.graphql
    const embeds = Object.values(resource.embeds ?? {})
    return new GraphQLObjectType<NodeSource, GraphqlContext>({
      name: node,
      description: resource.doc,
      fields: () => ({
        id: idField(resource),
        ...memberFields(resource, fields),
        ...Object.fromEntries(Object.entries(unfilled).map(unfilledField)),
        ...(detail && { [camelCase(detail.as)]: detailField(resource, detail) }),
        ...(embeds.includes('manifest') && { rewardManifest: this.#manifestField() }),
      }),
    })
  }

  #manifestField(): GraphQLFieldConfig<NodeSource, GraphqlContext> {
    const needs: FieldNeeds = { columns: ['source_file'], manifests: true }
    return {
      type: this.of(rewardManifests),
      description: 'The manifest that names the source file; null while it is unknown.',
      extensions: { needs },
      resolve({ row, at, manifests }): NodeSource | null {
        const manifest = manifests?.rowOf(String(row.source_file))
        return manifest === undefined ? null : { resource: rewardManifests, row: manifest, at, manifests }
      },
    }
  }
}

function idField(resource: Resource): GraphQLFieldConfig<NodeSource, GraphqlContext> {
  const needs: FieldNeeds = { columns: idColumns(resource), manifests: false }
  return {
    type: new GraphQLNonNull(GraphQLID),
    description: 'UUID that follows from the source file and the ordinal.',
    extensions: { needs },
    resolve: ({ row, at }) => idOf(resource, row, at),
  }
}

function memberFields(resource: Resource, members: Members): NodeFields {
  const fields = graphqlFields(resource, members).map(
    ({ name, doc, type, member, columns, needsManifest }) => {
      const needs: FieldNeeds = { columns, manifests: needsManifest }
      const field: GraphQLFieldConfig<NodeSource, GraphqlContext> = {
        type: outputType(type),
        description: doc,
        extensions: { needs },
        resolve: ({ row, manifests }) =>
          memberOf(resource, row, member, manifests?.factsOf(String(row.source_file)) ?? noFacts),
      }
      return [name, field] as const
    },
  )
  return Object.fromEntries(fields)
}

function unfilledField([name, description]: readonly [string, string]): readonly [
  string,
  NodeFields[string],
] {
  return [camelCase(name), { type: GraphQLString, description, resolve: () => null }]
}

/** The variant object as a union, of which each type knows only its own members. */
function detailField(
  resource: GraphqlResource,
  { before, behind }: NonNullable<GraphqlFace['detail']>,
): GraphQLFieldConfig<NodeSource, GraphqlContext> {
  const on = resource.variants?.on ?? ''
  const typeOf = (name: string) => `${before}${camelCase(`_${name}`)}${behind}`
  const known = resource.variants?.cases ?? {}
  const cases = Object.entries(known).map(([name, own]) => {
    const members = { ...same(on), ...own }
    return new GraphQLObjectType<NodeSource, GraphqlContext>({
      name: typeOf(name),
      description: `What a ${resource.graphql.node} of the type ${name} says.`,
      fields: memberFields(resource, members),
    })
  })
  const needs: FieldNeeds = { columns: [on], manifests: false, sameRow: true }
  return {
    type: new GraphQLUnionType({
      name: `${resource.graphql.node}${camelCase(`_${resource.graphql.detail?.as}`)}`,
      description: `One of the variants; ${camelCase(on)} chooses.`,
      types: cases,
      resolveType: ({ row }: NodeSource) => typeOf(String(row[on])),
    }),
    description: `The variant that ${camelCase(on)} chooses; null for one that is not known.`,
    extensions: { needs },
    resolve: (source) => (String(source.row[on]) in known ? source : null),
  }
}

const listTypes = new WeakMap<ListShape, GraphQLOutputType>()

function outputType(type: FieldType): GraphQLOutputType {
  if (type === 'StringList') return new GraphQLList(new GraphQLNonNull(GraphQLString))
  if (type === 'String') return GraphQLString
  if (type === 'Boolean') return GraphQLBoolean
  if (typeof type === 'string') return ownScalars[type]
  const known = listTypes.get(type) ?? new GraphQLList(new GraphQLNonNull(shapeType(type)))
  listTypes.set(type, known)
  return known
}

const shapeScalars = { text: 'String', long: 'BigInt', instant: 'ISO8601DateTime' } as const

function shapeType({ name, members }: ListShape): GraphQLObjectType {
  const fields = Object.entries(members).map(([member, type]) => [
    camelCase(member),
    {
      type: outputType(typeof type === 'string' ? shapeScalars[type] : type),
      resolve: (object: Readonly<Record<string, unknown>>) => object[member],
    },
  ])
  return new GraphQLObjectType({ name, fields: Object.fromEntries(fields) })
}
