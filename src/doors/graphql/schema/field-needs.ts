import {
  type FieldNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  isObjectType,
  Kind,
  type SelectionNode,
} from 'graphql'
import type { FieldNeeds } from '../../../answers/rows/connection.ts'
import type { Resource } from '../../../catalog/resource.ts'

/** Columns and lookups of a field, in the extensions of its type. */
export interface DeclaredNeeds extends FieldNeeds {
  /** True if the nested fields come from the same row. */
  readonly sameRow?: true
}

/** The parts of a query, with its variables, that decide what is read. */
type QueryInfo = Pick<
  GraphQLResolveInfo,
  'schema' | 'parentType' | 'fieldNodes' | 'fragments' | 'variableValues'
>

/** A selected field and its parent type. */
interface Selected {
  readonly parent: GraphQLNamedType
  readonly node: FieldNode
}

/** Returns the direct selections of a field; each alias counts. */
export function selectedFields(info: QueryInfo): readonly FieldNode[] {
  const roots = info.fieldNodes.map((node) => ({ parent: info.parentType, node }))
  return selectedBelow(info, roots).map(({ node }) => node)
}

/** Collects the needs of the selected fields, so that no other column is read. */
export function needsOf(info: QueryInfo, resource: Resource): FieldNeeds {
  const roots = info.fieldNodes.map((node) => ({ parent: info.parentType, node }))
  const fields = selectedBelow(info, roots)
  const named = (name: string, among: readonly Selected[]) =>
    among.filter(({ node }) => node.name.value === name)
  const ofEdges = selectedBelow(info, named('edges', fields))
  const ofPageInfo = selectedBelow(info, named('pageInfo', fields))
  const cursors = [
    ...named('cursor', ofEdges),
    ...named('startCursor', ofPageInfo),
    ...named('endCursor', ofPageInfo),
  ]
  const needs = fieldNeeds(info, [...named('nodes', fields), ...named('node', ofEdges)])
  const ordering = cursors.length === 0 ? [] : resource.order.map((step) => step.column)
  return {
    columns: [...new Set([...needs.flatMap((need) => need.columns), ...ordering])],
    manifests: needs.some((need) => need.manifests),
    makers: needs.some((need) => need.makers),
  }
}

/** Returns the needs of all selections below some fields. */
function fieldNeeds(info: QueryInfo, above: readonly Selected[]): readonly DeclaredNeeds[] {
  const selected = selectedBelow(info, above).map((field) => ({ field, needs: declaredNeeds(field) }))
  const sameRow = selected.filter(({ needs }) => needs?.sameRow).map(({ field }) => field)
  const needs = selected.flatMap((one) => one.needs ?? [])
  return sameRow.length === 0 ? needs : [...needs, ...fieldNeeds(info, sameRow)]
}

function declaredNeeds(field: Selected): DeclaredNeeds | undefined {
  return declarationOf(field)?.extensions.needs as DeclaredNeeds | undefined
}

function declarationOf({ parent, node }: Selected) {
  return isObjectType(parent) ? parent.getFields()[node.name.value] : undefined
}

/**
 * Returns the direct selections of some fields. Visits each fragment once, since fragments may repeat each other
 * exponentially.
 */
function selectedBelow(info: QueryInfo, above: readonly Selected[]): readonly Selected[] {
  const fields: Selected[] = []
  const followed = new Set<string>()
  const collect = (selections: readonly SelectionNode[], parent: GraphQLNamedType) => {
    for (const selection of selections) {
      if (isLeftOut(info, selection)) continue
      if (selection.kind === Kind.FIELD) {
        fields.push({ parent, node: selection })
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const { typeCondition, selectionSet } = selection
        collect(selectionSet.selections, typeNamed(info, typeCondition?.name.value) ?? parent)
      } else if (!followed.has(selection.name.value)) {
        followed.add(selection.name.value)
        const fragment = info.fragments[selection.name.value]
        const type = typeNamed(info, fragment?.typeCondition.name.value)
        if (fragment !== undefined && type !== undefined) collect(fragment.selectionSet.selections, type)
      }
    }
  }
  for (const field of above) {
    const declared = declarationOf(field)
    if (declared !== undefined) collect(field.node.selectionSet?.selections ?? [], typeBelow(declared))
  }
  return fields
}

/** Returns the type of the selected fields; rows that are written as text declare theirs. */
function typeBelow({ type, extensions }: GraphQLField<unknown, unknown>): GraphQLNamedType {
  return isObjectType(extensions.rowType) ? extensions.rowType : getNamedType(type)
}

function typeNamed(info: QueryInfo, name: string | undefined): GraphQLNamedType | undefined {
  return name === undefined ? undefined : info.schema.getType(name)
}

function isLeftOut({ variableValues }: QueryInfo, selection: SelectionNode): boolean {
  return (
    getDirectiveValues(GraphQLSkipDirective, selection, variableValues)?.if === true ||
    getDirectiveValues(GraphQLIncludeDirective, selection, variableValues)?.if === false
  )
}
