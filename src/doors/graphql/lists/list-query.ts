import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql'
import type { FieldNeeds } from '../../../answers/rows/connection.ts'
import { MOST_NODES } from '../../contract/page-parameters.ts'
import { queryLimits } from '../request/limits.ts'
import { labelOf, plainFields, type Write } from '../rows/selection-writer.ts'
import type { DeclaredList } from '../schema/connection-field.ts'
import { needsOf } from '../schema/field-needs.ts'
import { connectionWriter, type WholeConnection } from './connection-writer.ts'

/** A list that a query selects. */
export interface SelectedList {
  /** Name in the response, quoted, and a colon. */
  readonly label: string
  readonly node: FieldNode
  readonly field: GraphQLField<unknown, unknown>
  readonly list: DeclaredList
  readonly needs: FieldNeeds
  readonly write: Write<WholeConnection>
}

/** A query of nothing but lists with plain values, which needs no resolver. */
export interface ListQuery {
  readonly text: string
  readonly operation: OperationDefinitionNode
  readonly lists: readonly SelectedList[]
}

/** The lists of a plan are read in one turn of the event loop; graphql reads each in a turn of its own. */
const MOST_LISTS = 4

/**
 * Returns undefined for any other document, and for one beyond the limits of a query. A document without variables is valid if it
 * is returned; the rules of graphql for others were checked before.
 */
export function listQueryOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  text: string,
): ListQuery | undefined {
  const [operation, ...others] = document.definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION || others.length > 0) return undefined
  if (operation.operation !== OperationTypeNode.QUERY || (operation.directives?.length ?? 0) > 0)
    return undefined
  const fields = plainFields(operation.selectionSet) ?? []
  if (fields.length === 0 || fields.length > MOST_LISTS || !isSmall(fields)) return undefined
  const hasVariables = (operation.variableDefinitions?.length ?? 0) > 0
  const query = schema.getQueryType()
  const lists: SelectedList[] = []
  for (const node of fields) {
    const list = query && selectedList(schema, query, node, hasVariables)
    if (!list) return undefined
    lists.push(list)
  }
  return { text, operation, lists }
}

/** Returns true if the query is within all limits of fields, aliases and cost, whatever its variables are. */
function isSmall(fields: readonly FieldNode[]): boolean {
  let [selected, aliases] = [0, 0]
  const count = (node: ASTNode) => {
    if (node.kind !== Kind.FIELD) return
    selected += 1
    if (node.alias !== undefined) aliases += 1
    for (const one of node.selectionSet?.selections ?? []) count(one)
  }
  for (const field of fields) count(field)
  return selected * MOST_NODES <= queryLimits.cost && aliases <= queryLimits.aliases
}

function selectedList(
  schema: GraphQLSchema,
  query: GraphQLObjectType,
  node: FieldNode,
  hasVariables: boolean,
): SelectedList | undefined {
  const field = query.getFields()[node.name.value]
  const list = field?.extensions.list as DeclaredList | undefined
  const type = field && getNamedType(field.type)
  if (field === undefined || list === undefined || !isObjectType(type)) return undefined
  if (!hasVariables && !hasValidArguments(field, node)) return undefined
  const write = connectionWriter(node, type)
  if (write === undefined) return undefined
  const info = { schema, parentType: query, fieldNodes: [node], fragments: {}, variableValues: {} }
  const needs = needsOf(info, list.resource)
  return { label: labelOf(node), node, field, list, needs, write }
}

/** Returns true if all arguments are literals of the declared types, each given once. */
function hasValidArguments(field: GraphQLField<unknown, unknown>, node: FieldNode): boolean {
  const declared = new Set(field.args.map(({ name }) => name))
  for (const { name, value } of node.arguments ?? [])
    if (value.kind === Kind.VARIABLE || !declared.delete(name.value)) return false
  try {
    getArgumentValues(field, node)
    return true
  } catch {
    return false
  }
}
