import { isMembers } from '../../../lake/log/log-actions.ts'

type Node = Record<string, unknown>

/** Returns the call of unnest in `x = ANY(list)`, as DuckDB parses it; undefined for other expressions. */
export function listOfAny(node: Node): Node | undefined {
  if (node.subquery_type !== 'ANY' || node.comparison_type !== 'COMPARE_EQUAL') return undefined
  const select = (node.subquery as Node).node as Node
  const [first, ...remaining] = (select.select_list ?? []) as readonly Node[]
  const isAlone = remaining.length === 0 && isMembers(select.from_table) && select.from_table.type === 'EMPTY'
  const isUnnest = first?.class === 'FUNCTION' && String(first.function_name).toLowerCase() === 'unnest'
  return isAlone && isUnnest ? first : undefined
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
