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
import type { Entry } from '../../../answers/records/entry.ts'
import { camelCase } from '../../../base/values/camel-case.ts'
import { quoteJson } from '../../../base/values/json-writer.ts'
import type { ListShape } from '../../../catalog/column.ts'
import { rewardManifests } from '../../../catalog/l2/reward-manifests.ts'
import { asColumns, type Members } from '../../../catalog/members.ts'
import { idMeaning } from '../../../catalog/records/member-meaning.ts'
import { idColumns } from '../../../catalog/records/record.ts'
import type { GraphqlFace, Resource } from '../../../catalog/resource.ts'
import type { GraphqlContext } from '../request/context.ts'
import type { DeclaredNeeds } from './field-needs.ts'
import { type GraphqlResource, withGraphql } from './graphql-face.ts'
import { type FieldType, graphqlFields } from './graphql-fields.ts'
import { textWriter } from './member-text.ts'
import { ownScalars } from './scalars.ts'

type NodeField = GraphQLFieldConfig<Entry, GraphqlContext>
type NodeFields = Record<string, NodeField>

/** Creates each node type once; shares refer to the type of manifests. */
export class NodeTypes {
  readonly #types = new Map<Resource, GraphQLObjectType>()

  of(resource: GraphqlResource): GraphQLObjectType {
    const type = this.#types.get(resource) ?? this.#make(resource)
    this.#types.set(resource, type)
    return type
  }

  #make(resource: GraphqlResource): GraphQLObjectType {
    const { node, fields, nested = {}, unfilled = {}, detail } = resource.graphql
    const embeds = Object.values(resource.embeds ?? {})
    return new GraphQLObjectType<Entry, GraphqlContext>({
      name: node,
      description: resource.doc,
      fields: () => ({
        id: idField(resource),
        ...memberFields(resource, fields),
        ...Object.fromEntries(Object.entries(nested).map(nestedField(resource))),
        ...Object.fromEntries(Object.entries(unfilled).map(unfilledField)),
        ...(detail && { [camelCase(detail.as)]: detailField(resource, detail) }),
        ...(embeds.includes('manifest') && { rewardManifest: this.#manifestField() }),
        ...(embeds.includes('maker') && { maker: makerField }),
      }),
    })
  }

  #manifestField(): NodeField {
    const needs: DeclaredNeeds = { columns: ['source_file'], manifests: true }
    return {
      type: this.of(facedManifests),
      description: 'The manifest that names the source file; null while it is unknown.',
      extensions: { needs },
      resolve: ({ manifest }) => manifest,
    }
  }
}

const facedManifests = withGraphql(rewardManifests) as GraphqlResource

function idField(resource: Resource): NodeField {
  const needs: DeclaredNeeds = { columns: idColumns(resource), manifests: false }
  return {
    type: new GraphQLNonNull(GraphQLID),
    description: idMeaning(resource),
    extensions: { needs, write: ({ id }: Entry) => quoteJson(id) },
    resolve: ({ id }) => id,
  }
}

function memberFields(resource: Resource, members: Members): NodeFields {
  const fields = graphqlFields(resource, members).map(
    ({ name, doc, type, member, columns, needsManifest }) => {
      const needs: DeclaredNeeds = { columns, manifests: needsManifest }
      const field: NodeField = {
        type: outputType(type),
        description: doc,
        extensions: { needs, write: textWriter(resource, member) },
        resolve: (entry) => entry.valueOf(member),
      }
      return [name, field] as const
    },
  )
  return Object.fromEntries(fields)
}

const makerField: NodeField = {
  type: ownScalars.JSON,
  description: 'The record of its maker; null while it is unknown.',
  extensions: { needs: { columns: ['maker_id', 'maker'], manifests: false, makers: true } },
  resolve: ({ maker }) => maker,
}

/** Creates the field of a nested object, read from the same row. */
function nestedField(resource: GraphqlResource) {
  const needs: DeclaredNeeds = { columns: [], manifests: false, sameRow: true }
  return ([name, members]: readonly [string, Members]): readonly [string, NodeField] => {
    const type = new GraphQLObjectType<Entry, GraphqlContext>({
      name: `${resource.graphql.node}${camelCase(`_${name}`)}`,
      fields: memberFields(resource, members),
    })
    return [
      camelCase(name),
      { type: new GraphQLNonNull(type), extensions: { needs }, resolve: (entry) => entry },
    ]
  }
}

function unfilledField([name, description]: readonly [string, string]): readonly [string, NodeField] {
  return [camelCase(name), { type: GraphQLString, description, resolve: () => null }]
}

/** Creates the field of the variant as a union; each type has only the members of its variant. */
function detailField(
  resource: GraphqlResource,
  { before, behind }: NonNullable<GraphqlFace['detail']>,
): NodeField {
  const on = resource.variants?.on ?? ''
  const typeOf = (name: string) => `${before}${camelCase(`_${name}`)}${behind}`
  const variants = resource.variants?.cases ?? {}
  const cases = Object.entries(variants).map(([name, own]) => {
    const members = { ...asColumns(on), ...own }
    return new GraphQLObjectType<Entry, GraphqlContext>({
      name: typeOf(name),
      description: `Fields of a ${resource.graphql.node} of the type ${name}.`,
      fields: memberFields(resource, members),
    })
  })
  const needs: DeclaredNeeds = { columns: [on], manifests: false, sameRow: true }
  return {
    type: new GraphQLUnionType({
      name: `${resource.graphql.node}${camelCase(`_${resource.graphql.detail?.as}`)}`,
      description: `One of the variants; ${camelCase(on)} chooses.`,
      types: cases,
      resolveType: ({ row }: Entry) => typeOf(String(row[on])),
    }),
    description: `The variant that ${camelCase(on)} chooses; null for one that is not known.`,
    extensions: { needs },
    resolve: (entry) => (String(entry.row[on]) in variants ? entry : null),
  }
}

const listTypes = new WeakMap<ListShape, GraphQLOutputType>()

function outputType(type: FieldType): GraphQLOutputType {
  if (type === 'StringList') return new GraphQLList(new GraphQLNonNull(GraphQLString))
  if (type === 'String') return GraphQLString
  if (type === 'Boolean') return GraphQLBoolean
  if (typeof type === 'string') return ownScalars[type]
  const list = listTypes.get(type) ?? new GraphQLList(new GraphQLNonNull(shapeType(type)))
  listTypes.set(type, list)
  return list
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
