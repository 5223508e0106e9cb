import { fail } from '../../base/errors.ts'
import { clipped, quoted } from '../../base/parameter-text.ts'
import { nearest } from '../../base/unknown-parameters.ts'
import { isMembers } from '../../lake/log/log-actions.ts'
import { allowedFunctions } from './functions.ts'

/** Names that a statement may use, in lower case. */
export interface Allowed {
  readonly tables: ReadonlySet<string>
  /** Names of the engine that no statement may use, not even for a WITH query. */
  readonly reserved: ReadonlySet<string>
  /** Functions of a schema of ours, with it. */
  readonly functions?: ReadonlySet<string>
}

/** Table functions that read nothing. */
const tableFunctions = ['generate_series', 'range', 'repeat', 'repeat_row', 'unnest']

/** Names of `SHOW TABLES` and `SHOW ALL TABLES` in the tree. */
const shown = ['"tables"', '__show_tables_expanded']

/** Supported query nodes, table references and modifiers; a new release may add others. */
const kinds: ReadonlySet<string> = new Set([
  ...['SELECT_NODE', 'SET_OPERATION_NODE', 'RECURSIVE_CTE_NODE', 'CTE_NODE'],
  ...['BASE_TABLE', 'EMPTY', 'EXPRESSION_LIST', 'JOIN', 'PIVOT', 'SHOW_REF', 'SUBQUERY', 'TABLE_FUNCTION'],
  ...['DISTINCT_MODIFIER', 'LIMIT_MODIFIER', 'LIMIT_PERCENT_MODIFIER', 'ORDER_MODIFIER'],
  ...['ASCENDING', 'DESCENDING', 'ORDER_DEFAULT'],
])

type Node = Readonly<Record<string, unknown>>

/**
 * Checks the serialized syntax tree of a SELECT: tables and WITH queries must be allowed, and functions must only
 * compute values.
 * Errors: `malformed_request`.
 */
export function checkTree(tree: unknown, allowed: Allowed): void {
  const nodes = [...nodesOf(tree)]
  const tables = new Set([...allowed.tables, ...nodes.flatMap((node) => withNames(node, allowed))])
  const called = new Set(nodes.filter(({ type }) => type === 'TABLE_FUNCTION').map((node) => node.function))
  for (const node of nodes) {
    if (typeof node.function_name === 'string') checkFunction(node, called.has(node), allowed)
    // Expressions have a class; the type of a value is an object.
    else if (typeof node.type === 'string' && node.class === undefined) checkKind(node, node.type, tables)
  }
}

function* nodesOf(tree: unknown): Generator<Node> {
  const open = [tree]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue
    if (isMembers(value)) yield value
    open.push(...Object.values(value).filter((inner) => inner !== undefined))
  }
}

/** Names of WITH queries of a node. Outside its scope DuckDB would look for a table or file of that name. */
function withNames({ cte_map, cte_name }: Node, { reserved }: Allowed): readonly string[] {
  const entries = (cte_map as { map?: readonly { key: string }[] } | undefined)?.map ?? []
  const names = [...entries.map(({ key }) => key), ...(typeof cte_name === 'string' ? [cte_name] : [])]
  for (const name of names) {
    if (!/^\w+$/.test(name) || reserved.has(name.toLowerCase()))
      refuse(
        `${quoted(name)} is not accepted as the name of a WITH query; use letters, digits and _, and no name of the engine`,
      )
  }
  return names.map((name) => name.toLowerCase())
}

function checkKind(node: Node, kind: string, tables: ReadonlySet<string>): void {
  if (kind.endsWith('_TYPE_INFO')) return
  if (!kinds.has(kind)) refuse(`${kind} is not accepted in a statement`)
  if (kind === 'BASE_TABLE') checkTable(node, tables)
  // `DESCRIBE` and `SUMMARIZE` have their table in a query below them.
  if (kind === 'SHOW_REF' && node.query === null && !shown.includes(String(node.table_name)))
    refuse('this SHOW is not accepted; use SHOW TABLES, DESCRIBE or SUMMARIZE')
}

function checkTable({ table_name, schema_name, catalog_name }: Node, tables: ReadonlySet<string>): void {
  const name = qualified(catalog_name, schema_name, table_name)
  if (tables.has(name.toLowerCase())) return
  const meant = nearest(name, [...tables])
  const hint = meant === undefined ? 'SHOW TABLES lists those that are' : `did you mean ${meant}`
  refuse(`there is no table ${quoted(name)} here; ${hint}`)
}

function checkFunction(
  { function_name, schema, catalog }: Node,
  isTable: boolean,
  { functions }: Allowed,
): void {
  const name = qualified(catalog, schema, function_name)
  const lowerName = name.toLowerCase()
  const isAllowed = allowedFunctions.has(lowerName) || functions?.has(lowerName) === true
  if (isTable ? tableFunctions.includes(lowerName) : isAllowed) return
  const advice = isTable
    ? `in FROM, use tables and ${tableFunctions.join(', ')}`
    : 'use functions that compute values'
  refuse(`the function ${clipped(name)} is not accepted; ${advice}`)
}

/** Name with catalog and schema, without the default schema. */
function qualified(catalog: unknown, schema: unknown, name: unknown): string {
  return [catalog, schema === 'main' ? '' : schema, name].filter(Boolean).join('.')
}

function refuse(sentence: string): never {
  return fail('malformed_request', `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`)
}
