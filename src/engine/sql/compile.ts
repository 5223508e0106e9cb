import type { Resource } from '../../catalog/resource.ts'
import type { CountPlan, RowsPlan, SumsPlan } from '../../query/plan.ts'
import { type Bound, bind, compileWhere, kindOf } from './compile-where.ts'
import type { Dialect } from './dialect.ts'
import { fromFiles, type LacksOf, lacksNone } from './scan.ts'

/** SQL text with placeholders. Identifiers come from the catalog only; every value is bound. */
export interface Statement {
  readonly text: string
  readonly values: readonly Bound[]
}

/** Columns that a statement over the plan reads. */
export function columnsRead(plan: RowsPlan): readonly string[] {
  return unique([...plan.columns, ...comparedColumns(plan)])
}

/** Columns by which rows are chosen and put in order. */
function comparedColumns({ resource, where }: CountPlan): readonly string[] {
  return unique([...resource.order.map((step) => step.column), ...where.map(({ column }) => column)])
}

export function compileRows(
  plan: RowsPlan,
  files: readonly string[],
  dialect: Dialect,
  lacksOf: LacksOf = lacksNone,
): Statement {
  const values: Bound[] = []
  const from = fromFiles(plan.resource, columnsRead(plan), files, values, dialect, lacksOf)
  const needed = unique([...plan.columns, ...plan.resource.order.map((step) => step.column)])
  const inner = `SELECT ${needed.map(dialect.identifier).join(', ')} FROM ${from}${compileWhere(plan, values, dialect)}`
  const order = orderBy(plan.resource, dialect)
  const selected = `SELECT ${selectedColumns(plan, dialect)} FROM`
  if (!plan.fromEnd) {
    return {
      text: `${selected} (${inner}) ORDER BY ${order} LIMIT ${plan.limit} OFFSET ${plan.offset}`,
      values,
    }
  }
  const last = `${inner} ORDER BY ${orderBy(plan.resource, dialect, true)} LIMIT ${plan.limit} OFFSET ${plan.offset}`
  return { text: `${selected} (${last}) ORDER BY ${order}`, values }
}

export function selectedColumns(plan: Pick<RowsPlan, 'resource' | 'columns'>, dialect: Dialect): string {
  // A row without columns is still a row.
  if (plan.columns.length === 0) return '1 AS one'
  const selected = plan.columns.map((column) => {
    const name = dialect.identifier(column)
    return `${dialect.selected(name, kindOf(plan.resource, column))} AS ${name}`
  })
  return selected.join(', ')
}

export function compileCount(
  plan: CountPlan,
  files: readonly string[],
  dialect: Dialect,
  lacksOf: LacksOf = lacksNone,
): Statement {
  const values: Bound[] = []
  const from = fromFiles(plan.resource, comparedColumns(plan), files, values, dialect, lacksOf)
  return { text: `SELECT count(*) AS count FROM ${from}${compileWhere(plan, values, dialect)}`, values }
}

export function compileSums(
  plan: SumsPlan,
  files: readonly string[],
  dialect: Dialect,
  lacksOf: LacksOf = lacksNone,
): Statement {
  const values: Bound[] = []
  const sums = Object.entries(plan.sums)
  const summed = sums.map(([, { column }]) => column)
  const compared = plan.where.map(({ column }) => column)
  const read = unique(['source_file', ...summed, ...plan.groupBy, ...compared])
  const from = fromFiles(plan.resource, read, files, values, dialect, lacksOf)
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

/** The order of a resource as ORDER BY items. */
export function orderBy(resource: Resource, dialect: Dialect, backwards = false): string {
  const steps = resource.order.map(({ column, descending }) => {
    const direction = (descending === true) === backwards ? 'ASC' : 'DESC'
    return `${dialect.identifier(column)} ${direction} NULLS ${backwards ? 'LAST' : 'FIRST'}`
  })
  return steps.join(', ')
}

export function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}
