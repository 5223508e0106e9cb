import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql'

/**
 * Returns true if each `nodes` of a valid query selects plain values only: no fragment, no directive, no nested object, no name twice.
 * Then a row is its values in the order of the selection.
 */
export function isRowsQuery(schema: GraphQLSchema, document: DocumentNode): boolean {
  const [operation, ...others] = document.definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION || others.length > 0) return false
  const roots = plainFields(operation.selectionSet)
  if (roots === undefined) return false
  const queryFields = schema.getQueryType()?.getFields() ?? {}
  let hasRows = false
  for (const root of roots) {
    if (root.name.value === '__schema' || root.name.value === '__type') return false
    const nodesField = fieldOf(queryFields[root.name.value], 'nodes')
    if (nodesField === undefined) continue
    const selected = plainFields(root.selectionSet)
    if (selected === undefined) return false
    for (const field of selected) {
      if (field.name.value !== 'nodes') continue
      if (!hasPlainValues(nodesField, field)) return false
      hasRows = true
    }
  }
  return hasRows
}

/** Returns the fields of a selection; undefined if it has anything else, or a name twice. */
function plainFields(set: SelectionSetNode | undefined): readonly FieldNode[] | undefined {
  const fields: FieldNode[] = []
  for (const one of set?.selections ?? []) {
    if (one.kind !== Kind.FIELD || (one.directives?.length ?? 0) > 0) return undefined
    fields.push(one)
  }
  const names = new Set(fields.map(({ alias, name }) => (alias ?? name).value))
  return names.size === fields.length ? fields : undefined
}

function hasPlainValues(nodesField: GraphQLField<unknown, unknown>, nodes: FieldNode): boolean {
  const fields = plainFields(nodes.selectionSet)
  return (
    fields?.every(({ name }) => {
      const type = fieldOf(nodesField, name.value)?.type
      return type !== undefined && isLeafType(getNullableType(type))
    }) ?? false
  )
}

/** Returns a field of the object type that a field returns. */
function fieldOf(field: GraphQLField<unknown, unknown> | undefined, name: string) {
  const type = field && getNamedType(field.type)
  return isObjectType(type) ? type.getFields()[name] : undefined
}
