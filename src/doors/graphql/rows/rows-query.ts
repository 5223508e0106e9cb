import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
} from 'graphql'
import { nodeWriter } from './row-writer.ts'
import { plainFields } from './selection-writer.ts'

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
    const row = rowTypeOf(queryFields[root.name.value])
    if (row === undefined) continue
    const selected = plainFields(root.selectionSet)
    if (selected === undefined) return false
    for (const field of selected) {
      if (field.name.value !== 'nodes') continue
      if (nodeWriter(field, row) === undefined) return false
      hasRows = true
    }
  }
  return hasRows
}

/** Returns the type of the rows of a list; undefined for another field. */
function rowTypeOf(field: GraphQLField<unknown, unknown> | undefined): GraphQLObjectType | undefined {
  const type = field && getNamedType(field.type)
  const nodes = isObjectType(type) ? type.getFields().nodes : undefined
  const row = nodes && getNamedType(nodes.type)
  return isObjectType(row) ? row : undefined
}
