import type { Digits } from '../../../base/values/json-writer.ts'
import { isMembers } from '../../../lake/log/log-actions.ts'
import { elementsOfText } from './array-text.ts'

/** A node of a syntax tree, as DuckDB serializes it. */
export type Node = Record<string, unknown>

/** Returns the call of unnest in `x = ANY(list)`, as DuckDB parses it; undefined for other expressions. */
export function listOfAny(node: Node): Node | undefined {
  if (node.subquery_type !== 'ANY' || node.comparison_type !== 'COMPARE_EQUAL') return undefined
  const select = (node.subquery as Node).node as Node
  const [first, ...remaining] = (select.select_list ?? []) as readonly Node[]
  const isAlone = remaining.length === 0 && isMembers(select.from_table) && select.from_table.type === 'EMPTY'
  const isUnnest = first?.class === 'FUNCTION' && String(first.function_name).toLowerCase() === 'unnest'
  return isAlone && isUnnest ? first : undefined
}

/** Returns `x IN (a, b)` for `x = ANY('{a,b}')`: an array whose type the text does not say; undefined for others. */
export function inArrayOfText(node: Node): Node | undefined {
  const [array] = (listOfAny(node)?.children ?? []) as readonly Node[]
  const text = array?.class === 'CONSTANT' ? (array.value as Node).value : undefined
  const elements = typeof text === 'string' ? elementsOfText(text) : undefined
  if (elements === undefined || elements.length === 0) return undefined
  const constants = elements.map((element) => constant('VARCHAR', element))
  const { alias, query_location, child } = node
  return { class: 'OPERATOR', type: 'COMPARE_IN', alias, query_location, children: [child, ...constants] }
}

/** Columns of the catalog whose elements PostgreSQL counts from 0. Source: PostgreSQL 15, int2vector and oidvector. */
const vectors = new Set([
  'indkey',
  'indcollation',
  'indclass',
  'indoption',
  'proargtypes',
  'partattrs',
  'tgattr',
])

/** True for `indkey[i]`, as DuckDB parses it. */
export function isElementOfVector(node: Node): boolean {
  const [vector] = (node.children ?? []) as readonly Node[]
  const name = ((vector?.column_names ?? []) as readonly string[]).at(-1) ?? ''
  return node.type === 'ARRAY_EXTRACT' && vectors.has(name.toLowerCase())
}

/** Columns of the catalog with names of functions, which PostgreSQL compares with numbers too. Source: PostgreSQL 15, pg_type. */
const procedures = new Set([
  'typinput',
  'typoutput',
  'typreceive',
  'typsend',
  'typmodin',
  'typmodout',
  'typanalyze',
])

export function isProcedure({ column_names }: Node): boolean {
  return procedures.has(lower((column_names as readonly string[] | undefined)?.at(-1)))
}

/** True for DECIMAL(18,3), which DuckDB makes of NUMERIC. */
export function isBareNumeric({ type_info }: Node): boolean {
  const { width, scale } = (type_info ?? {}) as { width?: Digits; scale?: Digits }
  return width?.text === '18' && scale?.text === '3'
}

/** Decimals of a text that is a number; those of a price in dollars for anything else. */
export function decimalsOf({ class: kind, value }: Node): number {
  const text = kind === 'CONSTANT' ? (value as Node).value : undefined
  const [, decimals] = (typeof text === 'string' && /^\s*[-+]?\d*\.?(\d*)\s*$/.exec(text)) || []
  return decimals === undefined || decimals.length > 38 ? 16 : decimals.length
}

/** Name of a column without a table, in lower case; else empty. */
export function bareName(node: Node): string {
  const [name = '', ...remaining] = node.column_names as readonly string[]
  return remaining.length === 0 ? name.toLowerCase() : ''
}

export const castToList = (child: Node, element: string): Node => ({
  ...{ class: 'CAST', type: 'OPERATOR_CAST', alias: '', query_location: 0, child, try_cast: false },
  cast_type: {
    id: 'LIST',
    type_info: {
      ...{ type: 'LIST_TYPE_INFO', alias: '', extension_info: null },
      child_type: { id: element, type_info: null },
    },
  },
})

const constant = (id: string, value: unknown): Node => ({
  ...{ class: 'CONSTANT', type: 'VALUE_CONSTANT', alias: '', query_location: 0 },
  value: { type: { id, type_info: null }, is_null: value === null, value },
})
export const ignoringCase = constant('VARCHAR', 'i')
export const ONE = constant('INTEGER', 1)

export const lower = (value: unknown) => String(value ?? '').toLowerCase()

/** Name of a type that DuckDB does not know, in lower case. */
export function typeName(type: unknown): string {
  const { id, type_info } = (type ?? {}) as Node
  return id === 'UNBOUND' && isMembers(type_info) ? lower((type_info as Node).name) : ''
}

/** True for an expression that is a name rather than an oid. */
export function isTextual(node: Node): boolean {
  const isText = node.class === 'CAST' && (node.cast_type as Node)?.id === 'VARCHAR'
  const isConcat =
    node.class === 'FUNCTION' && ['||', 'format', 'concat', 'quote_ident'].includes(lower(node.function_name))
  const { value } = node as { value?: Node }
  return (
    isText ||
    isConcat ||
    node.class === 'PARAMETER' ||
    (node.class === 'CONSTANT' && typeof value?.value === 'string')
  )
}
