import type { Kind, Value } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { CountPlan, Predicate, RowsPlan, SumsPlan } from '../../query/plan.ts'
import type { Dialect } from './dialect.ts'

/** A bound value and its kind; lists bind file names and prices. */
export interface Bound {
  readonly kind: Kind | 'files' | 'names' | 'amounts'
  readonly value: Value | readonly string[] | readonly bigint[]
}

/** SQL text with placeholders. Identifiers come from the catalog only; every value is bound. */
export interface Statement {
  readonly text: string
  readonly values: readonly Bound[]
}

const comparisons = { equals: '=', atLeast: '>=', atMost: '<=' } as const

export function compileRows(plan: RowsPlan, files: readonly string[], dialect: Dialect): Statement {
  const values: Bound[] = []
  const ranges = plan.ranges
  const from =
    ranges === undefined
      ? [dialect.files(bind(values, { kind: 'files', value: files }))]
      : ranges.map((range) => dialect.range(bind(values, { kind: 'files', value: [range.file] }), range))
  const where = ranges === undefined ? compileWhere(plan, values, dialect) : ''
  const order = orderBy(plan.resource, dialect)
  const paged = ranges === undefined ? ` LIMIT ${plan.limit} OFFSET ${plan.offset}` : ''
  const selected = plan.columns.map((column) => {
    return `${dialect.selected(dialect.identifier(column), kindOf(plan.resource, column))} AS ${dialect.identifier(column)}`
  })
  const needed = unique([...plan.columns, ...plan.resource.order.map((step) => step.column)])
  const inner = from.map((item) => `SELECT ${needed.map(dialect.identifier).join(', ')} FROM ${item}${where}`)
  return {
    text: `SELECT ${selected.join(', ')} FROM (${inner.join(' UNION ALL ')}) ORDER BY ${order}${paged}`,
    values,
  }
}

export function compileCount(plan: CountPlan, files: readonly string[], dialect: Dialect): Statement {
  const values: Bound[] = []
  const from = dialect.files(bind(values, { kind: 'files', value: files }))
  return { text: `SELECT count(*) AS count FROM ${from}${compileWhere(plan, values, dialect)}`, values }
}

export function compileSums(plan: SumsPlan, files: readonly string[], dialect: Dialect): Statement {
  const values: Bound[] = []
  const from = dialect.files(bind(values, { kind: 'files', value: files }))
  const sums = Object.entries(plan.sums)
  const needsPrice = sums.some(([, sum]) => sum.as === 'offloaded_bytes')
  const join = needsPrice ? ` LEFT JOIN ${bindPrices(plan, values, dialect)} p USING (source_file)` : ''
  const where = compileWhere(plan, values, dialect)
  const groups = plan.groupBy.map(
    (column) =>
      `${dialect.selected(dialect.identifier(column), kindOf(plan.resource, column))} AS ${dialect.identifier(column)}`,
  )
  const selected = sums.map(([name, sum]) => {
    const column = dialect.identifier(sum.column)
    const value =
      sum.as === 'amount' ? dialect.sum(column) : dialect.sumOffloadedBytes(column, 'p.manifest_price')
    return `${value} AS ${dialect.identifier(name)}`
  })
  const groupBy =
    plan.groupBy.length === 0 ? '' : ` GROUP BY ${plan.groupBy.map(dialect.identifier).join(', ')}`
  return {
    text: `SELECT ${[...groups, ...selected].join(', ')} FROM ${from}${join}${where}${groupBy}`,
    values,
  }
}

function bindPrices(plan: SumsPlan, values: Bound[], dialect: Dialect): string {
  const fileIndex = bind(values, { kind: 'names', value: [...plan.prices.keys()] })
  const priceIndex = bind(values, { kind: 'amounts', value: [...plan.prices.values()] })
  return dialect.prices(fileIndex, priceIndex)
}

function compileWhere(plan: CountPlan, values: Bound[], dialect: Dialect): string {
  if (plan.where.length === 0) return ''
  const terms = plan.where.map((predicate) => compilePredicate(plan.resource, predicate, values, dialect))
  return ` WHERE ${terms.join(' AND ')}`
}

function compilePredicate(
  resource: Resource,
  { column, match, value }: Predicate,
  values: Bound[],
  dialect: Dialect,
): string {
  const kind = kindOf(resource, column)
  const index = bind(values, { kind, value })
  if (kind === 'bytes') return dialect.equalBytes(dialect.identifier(column), index)
  return `${dialect.identifier(column)} ${comparisons[match]} ${dialect.bound(index, kind)}`
}

/** The order of a resource as ORDER BY items. */
export function orderBy(resource: Resource, dialect: Dialect): string {
  const steps = resource.order.map(
    ({ column, descending }) => `${dialect.identifier(column)} ${descending ? 'DESC' : 'ASC'} NULLS FIRST`,
  )
  return steps.join(', ')
}

function bind(values: Bound[], bound: Bound): number {
  values.push(bound)
  return values.length - 1
}

function kindOf(resource: Resource, column: string): Kind {
  const kind = resource.columns[column]?.kind
  if (kind === undefined) throw new Error(`${resource.name} has no column ${column}`)
  return kind
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}
