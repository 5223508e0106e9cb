import { isMembers } from '../../../lake/log/log-actions.ts'
import { macroNames } from './macros.ts'
import {
  bareName,
  castToList,
  decimalsOf,
  ignoringCase,
  inArrayOfText,
  isBareNumeric,
  isElementOfVector,
  isProcedure,
  isTextual,
  listOfAny,
  lower,
  type Node,
  ONE,
  typeName,
} from './tree-nodes.ts'

/** Names of the catalog, and of the tables of the session. */
export interface CatalogNames {
  readonly pg: string
  readonly information: string
  /** Tables of the catalog, with their schema. */
  readonly tables: ReadonlySet<string>
  readonly database: string
  /** True if a function that matches whole texts stands for the operator `~`, which matches parts in PostgreSQL. */
  readonly matchesParts: boolean
  /** True if DECIMAL(18,3) stands for NUMERIC, which has all digits in PostgreSQL. */
  readonly hasBareNumerics: boolean
  /** Types of DuckDB of the parameters that the client declared. */
  readonly parameterTypes: readonly (string | undefined)[]
}

/** Types of PostgreSQL that are texts or numbers here. */
const types: Readonly<Record<string, string>> = {
  ...{
    name: 'VARCHAR',
    regproc: 'VARCHAR',
    cstring: 'VARCHAR',
    bpchar: 'VARCHAR',
    pg_node_tree: 'VARCHAR',
    aclitem: 'VARCHAR',
  },
  ...{
    regclass: 'VARCHAR',
    regtype: 'VARCHAR',
    regnamespace: 'VARCHAR',
    regrole: 'VARCHAR',
    regprocedure: 'VARCHAR',
    inet: 'VARCHAR',
  },
  ...{ xid: 'BIGINT', cid: 'BIGINT', unknown: 'VARCHAR', citext: 'VARCHAR', anyarray: 'VARCHAR' },
}

/** Functions of DuckDB that do the same under another name. */
const alike: Readonly<Record<string, string>> = {
  ...{ json_build_object: 'json_object', json_build_array: 'json_array', jsonb_build_object: 'json_object' },
  ...{ json_agg: 'json_group_array', jsonb_agg: 'json_group_array', to_jsonb: 'to_json' },
}

const REG = /^reg(class|type|namespace|role|proc)$/

/** Functions that PostgreSQL writes without brackets. */
const bare = new Set([
  'current_user',
  'session_user',
  'current_role',
  'current_catalog',
  'current_schema',
  'user',
])

/**
 * Moves names of PostgreSQL's catalog in a syntax tree to the schemas that have it here, and the schema `public` to the
 * tables themselves. Changes the tree, and returns true if it did; `usesCatalog` is set for names of the catalog.
 */
export function rewriteTree(
  tree: unknown,
  names: CatalogNames,
): { isChanged: boolean; usesCatalog: boolean } {
  const outcome = { isChanged: false, usesCatalog: false }
  const change = (node: Node, members: Node, isOfCatalog = false) => {
    Object.assign(node, members)
    outcome.isChanged = true
    outcome.usesCatalog ||= isOfCatalog
  }
  const call = (name: string, children: readonly unknown[], alias: unknown): Node => ({
    ...{
      class: 'FUNCTION',
      type: 'FUNCTION',
      alias,
      query_location: 0,
      function_name: name,
      schema: names.pg,
      children,
    },
    ...{
      filter: null,
      order_bys: { type: 'ORDER_MODIFIER', orders: [] },
      distinct: false,
      is_operator: false,
      export_state: false,
      catalog: '',
    },
  })
  const callOfEngine = (name: string, children: readonly unknown[], alias: unknown = ''): Node => ({
    ...call(name, children, alias),
    schema: '',
  })
  const replace = (node: Node, other: Node) => {
    for (const key of Object.keys(node)) delete node[key]
    change(node, other, other.schema === names.pg)
  }

  function table(node: Node): void {
    const [schema, name] = [lower(node.schema_name), lower(node.table_name)]
    const catalog = lower(node.catalog_name)
    if (catalog === names.database) change(node, { catalog_name: '' })
    if (schema === 'public') change(node, { schema_name: '' })
    const inPg = `${names.pg}.${name}`
    const inInformation = `${names.information}.${name}`
    if (schema === 'information_schema' && names.tables.has(inInformation))
      change(node, { schema_name: names.information }, true)
    else if ((schema === '' || schema === 'pg_catalog') && name.startsWith('pg_') && names.tables.has(inPg))
      change(node, { schema_name: names.pg }, true)
  }

  function cast(node: Node): void {
    const [, kind] = REG.exec(typeName(node.cast_type)) ?? []
    const child = node.child as Node
    if (names.hasBareNumerics && isBareNumeric(node.cast_type as Node))
      change((node.cast_type as Node).type_info as Node, { width: 38, scale: decimalsOf(child) })
    if (kind !== undefined) {
      const isText = isTextual(child)
      if (isText && child.class === 'CAST') node.child = child.child
      replace(node, call(`reg${kind}_${isText ? 'oid' : 'name'}`, [node.child], node.alias))
      return
    }
    const literal = child.class === 'CONSTANT' ? (child.value as Node) : {}
    const { value } = literal
    if (typeof value !== 'string') return
    const { id } = node.cast_type as Node
    if (id === 'LIST' && /^\{.*\}$/s.test(value)) change(literal, { value: `[${value.slice(1, -1)}]` })
    // The hex format of PostgreSQL has one prefix; the engine has one for each byte.
    else if (id === 'BLOB' && /^\\x(?:[0-9a-f]{2})*$/i.test(value))
      change(literal, { value: value.slice(2).replace(/../g, '\\x$&') })
  }

  function visit(node: Node): void {
    if (node.type === 'BASE_TABLE') table(node)
    else if (node.type === 'TABLE_FUNCTION') nameColumn(node)
    else if (node.type === 'SELECT_NODE') selectList(node.select_list as readonly Node[])
    else if (isElementOfVector(node)) countFromZero(node)
    else if (node.class === 'SUBQUERY') replaceBy(node, inArrayOfText(node))
    else if (node.type === 'JOIN') condition(node.condition)
    else if (node.class === 'COMPARISON') comparison(node)
    else if (node.class === 'CAST') cast(node)
    else if (node.class === 'FUNCTION') called(node)
    else if (node.class === 'COLUMN_REF') column(node)
    const type = types[typeName(node)]
    if (typeName(node) === 'jsonb') change(node.type_info as Node, { name: 'json' })
    if (type !== undefined) change(node, { id: type, type_info: null })
    for (const value of Object.values(node))
      for (const inner of Array.isArray(value) ? value : [value]) if (isMembers(inner)) visit(inner as Node)
  }

  function called(node: Node): void {
    const name = lower(node.function_name)
    if (macroNames.has(name) && node.is_operator !== true)
      change(node, { schema: names.pg, catalog: '' }, true)
    else if (name === 'unnest') typeParameter(node)
    else if (alike[name] !== undefined) change(node, { function_name: alike[name] })
    else if (name === 'regexp_full_match' && names.matchesParts)
      change(node, { function_name: 'regexp_matches' })
    else if (name === '~*') {
      const children = [...(node.children as readonly Node[]), ignoringCase]
      change(node, { function_name: 'regexp_matches', is_operator: false, children })
    }
  }

  /** Compares a function by its number, unless the other side is a name. */
  function comparison(node: Node): void {
    const [left, right] = [node.left, node.right] as [Node, Node]
    if (isProcedure(left) === isProcedure(right) || isTextual(left) || isTextual(right)) return
    const side = isProcedure(left) ? 'left' : 'right'
    change(node, { [side]: call('regproc_oid', [node[side]], '') }, true)
  }

  function replaceBy(node: Node, other: Node | undefined): void {
    if (other !== undefined) replace(node, other)
  }

  /** Outer joins of the engine take no `= ANY(list)`, which is a subquery. In their conditions, false is like NULL. */
  function condition(node: unknown): void {
    if (!isMembers(node)) return
    const list = listOfAny(node)
    if (list !== undefined && inArrayOfText(node) === undefined) {
      typeParameter(list)
      const [values] = list.children as readonly Node[]
      replace(node, callOfEngine('list_contains', [values, node.child], node.alias))
    } else if (node.class === 'CONJUNCTION')
      for (const one of node.children as readonly unknown[]) condition(one)
  }

  /** `= ANY($1)` unnests a parameter, whose type the engine cannot infer. */
  function typeParameter(node: Node): void {
    const [parameter] = node.children as readonly Node[]
    if (parameter?.class !== 'PARAMETER') return
    const declared = names.parameterTypes[Number(parameter.identifier) - 1] ?? ''
    const element = declared.endsWith('[]') ? declared.slice(0, -2) : 'VARCHAR'
    change(node, { children: [castToList(parameter, element)] })
  }

  /** An alias of a function in FROM also names its column. */
  function nameColumn(node: Node): void {
    const { function_name } = node.function as Node
    const isNamed = (node.column_name_alias as readonly unknown[]).length > 0 || node.alias === ''
    if (!isNamed && ['generate_series', 'unnest'].includes(lower(function_name)))
      change(node, { column_name_alias: [node.alias] })
  }

  /** A column without a name has that of its function. A series gives rows, not a list. */
  function selectList(list: readonly Node[]): void {
    for (const one of list) {
      const name = one.class === 'COLUMN_REF' ? bareName(one) : lower(one.function_name)
      if (one.class === 'FUNCTION' && name === 'generate_series')
        replace(one, callOfEngine('unnest', [{ ...one, alias: '' }], one.alias || name))
      if (one.alias === '' && (bare.has(name) || (one.class === 'FUNCTION' && macroNames.has(name))))
        change(one, { alias: name })
    }
  }

  function countFromZero(node: Node): void {
    const [vector, index] = node.children as readonly Node[]
    change(node, { children: [vector, callOfEngine('+', [index, ONE])] })
  }

  function column(node: Node): void {
    const [first = '', ...remaining] = node.column_names as readonly string[]
    const isOfSchema = ['public', 'information_schema', names.database].includes(first.toLowerCase())
    if (bare.has(bareName(node))) replace(node, call(bareName(node), [], node.alias))
    else if (remaining.length > 1 && isOfSchema) change(node, { column_names: remaining })
  }

  visit(tree as Node)
  return outcome
}
