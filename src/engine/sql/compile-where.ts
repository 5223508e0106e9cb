import type { Kind, Value } from '../../catalog/column.ts'
import type { CountPlan, Position, Predicate } from '../../catalog/query/plan.ts'
import type { OrderStep, Resource } from '../../catalog/resource.ts'
import type { SqlDialect } from './dialect.ts'

/** A bound value and its kind; lists bind file names and prices. */
export type BoundValue =
  | { readonly kind: Kind; readonly value: Value }
  | { readonly kind: 'files' | 'names'; readonly value: readonly string[] }
  | { readonly kind: 'amounts' | 'longs'; readonly value: readonly bigint[] }

const comparisons = { equals: '=', atLeast: '>=', atMost: '<=' } as const

/** WHERE clause of a plan; empty if all rows match. */
export function compileWhere(plan: CountPlan, values: BoundValue[], dialect: SqlDialect): string {
  const terms = compileTerms(plan, values, dialect)
  return terms.length === 0 ? '' : ` WHERE ${terms.join(' AND ')}`
}

/** Conditions of a plan. */
export function compileTerms(
  { resource, where, after, before }: CountPlan,
  values: BoundValue[],
  dialect: SqlDialect,
): readonly string[] {
  const terms = where.map((predicate) => compilePredicate(resource, predicate, values, dialect))
  if (after !== undefined) terms.push(compilePosition(resource, after, 'after', values, dialect))
  if (before !== undefined) terms.push(compilePosition(resource, before, 'before', values, dialect))
  return terms
}

type Side = 'after' | 'before'

/** Per step: beyond the value, or equal and beyond in the following steps. */
function compilePosition(
  resource: Resource,
  position: Position,
  side: Side,
  values: BoundValue[],
  dialect: SqlDialect,
): string {
  let term = 'false'
  for (const [index, step] of [...resource.order.entries()].toReversed()) {
    const value = position[index] ?? null
    const column = dialect.identifier(step.column)
    const kind = kindOfColumn(resource, step.column)
    const placeholder = value === null ? '' : dialect.bound(bind(values, { kind, value }), kind)
    const isNullable = resource.columns[step.column]?.nullable === true
    const beyond = compileBeyond(column, placeholder, isNullable, side, step)
    const equal = value === null ? `${column} IS NULL` : `${column} = ${placeholder}`
    term = index === resource.order.length - 1 ? beyond : `(${beyond} OR (${equal} AND ${term}))`
  }
  return term
}

/** Nulls come first in either direction. */
function compileBeyond(
  column: string,
  placeholder: string,
  isNullable: boolean,
  side: Side,
  { descending }: OrderStep,
): string {
  if (placeholder === '') return side === 'after' ? `${column} IS NOT NULL` : 'false'
  const isGreater = (side === 'after') === (descending === undefined)
  const compared = `${column} ${isGreater ? '>' : '<'} ${placeholder}`
  return side === 'before' && isNullable ? `(${compared} OR ${column} IS NULL)` : compared
}

function compilePredicate(
  resource: Resource,
  { column, match, value }: Predicate,
  values: BoundValue[],
  dialect: SqlDialect,
): string {
  const kind = kindOfColumn(resource, column)
  if (match === 'anyOf' && (kind === 'text' || kind === 'choice'))
    return dialect.oneOf(dialect.identifier(column), bind(values, { kind: 'texts', value }))
  const index = bind(values, { kind, value })
  if (kind === 'bytes') return dialect.equalBytes(dialect.identifier(column), index)
  if (match === 'anyOf') return dialect.anyOf(dialect.identifier(column), index)
  return `${dialect.identifier(column)} ${comparisons[match]} ${dialect.bound(index, kind)}`
}

export function bind(values: BoundValue[], bound: BoundValue): number {
  values.push(bound)
  return values.length - 1
}

export function kindOfColumn(resource: Resource, column: string): Kind {
  const kind = resource.columns[column]?.kind
  if (kind === undefined) throw new Error(`${resource.name} has no column ${column}`)
  return kind
}
