import { type GraphQLResolveInfo, isObjectType } from 'graphql'
import { parseResolveInfo, type ResolveTree } from 'graphql-parse-resolve-info'
import type { Resource } from '../../catalog/resource.ts'

/** What a field of a node is read from; stands in the extensions of its type. */
export interface FieldNeeds {
  readonly columns: readonly string[]
  readonly manifests: boolean
  /** Its own fields are read from the same row. */
  readonly sameRow?: true
}

interface Needs {
  readonly columns: readonly string[]
  readonly manifests: boolean
}

type Selected = ResolveTree['fieldsByTypeName']

/** What the selected fields of a connection need, so that no other column is read. */
export function needsOf(info: GraphQLResolveInfo, resource: Resource): Needs {
  const fields = Object.values((parseResolveInfo(info) as ResolveTree).fieldsByTypeName).flatMap(
    Object.values<ResolveTree>,
  )
  const within = (name: string, parents: readonly ResolveTree[]) =>
    parents
      .flatMap((parent) => Object.values(parent.fieldsByTypeName))
      .flatMap(Object.values<ResolveTree>)
      .filter((field) => field.name === name)
  const named = (name: string) => fields.filter((field) => field.name === name)
  const nodes = [...named('nodes'), ...within('node', named('edges'))]
  const pageInfo = named('pageInfo')
  const cursors = [
    ...within('cursor', named('edges')),
    ...within('startCursor', pageInfo),
    ...within('endCursor', pageInfo),
  ]
  const needs = nodes.flatMap((node) => fieldNeeds(info, node.fieldsByTypeName))
  const ordering = cursors.length === 0 ? [] : resource.order.map((step) => step.column)
  return {
    columns: [...new Set([...needs.flatMap((need) => need.columns), ...ordering])],
    manifests: needs.some((need) => need.manifests),
  }
}

function fieldNeeds(info: GraphQLResolveInfo, selected: Selected): readonly FieldNeeds[] {
  return Object.entries(selected).flatMap(([typeName, fields]) => {
    const type = info.schema.getType(typeName)
    const declared = isObjectType(type) ? type.getFields() : {}
    return Object.values(fields).flatMap((field) => {
      const needs = declared[field.name]?.extensions.needs as FieldNeeds | undefined
      if (needs === undefined) return []
      return needs.sameRow ? [needs, ...fieldNeeds(info, field.fieldsByTypeName)] : [needs]
    })
  })
}
