import type { CountPlan, ListPlan, RowsPlan } from '../../catalog/query/plan.ts'
import type { Resource } from '../../catalog/resource.ts'
import { type BoundValue, compileWhere, kindOfColumn } from './compile-where.ts'
import type { SqlDialect } from './dialect.ts'
import { fromFiles, type LacksOf, lacksNone } from './scan.ts'

/** SQL with placeholders. Identifiers come from the catalog; every value is bound. */
export interface Statement {
  readonly text: string
  /** A COPY to a file; otherwise a SELECT. */
  readonly isCopy?: true
  readonly values: readonly BoundValue[]
}

export type Compile<Plan extends CountPlan> = (
  plan: Plan,
  files: readonly string[],
  dialect: SqlDialect,
  lacksOf?: LacksOf,
) => Statement

function columnsRead(plan: ListPlan): readonly string[] {
  return unique([...plan.columns, ...comparedColumns(plan)])
}

/** Columns of predicates and of the order. */
function comparedColumns({ resource, where }: CountPlan): readonly string[] {
  return unique([...resource.order.map((step) => step.column), ...where.map(({ column }) => column)])
}

export const compileRows: Compile<RowsPlan> = (plan, files, dialect, lacksOf = lacksNone) => {
  const { inner, values } = compileMatching(plan, files, dialect, lacksOf)
  const cut = dialect.cut(plan.limit, plan.offset)
  if (!plan.fromEnd) return { text: `${selectInOrder(plan, inner, dialect)} ${cut}`, values }
  const last = `${inner} ORDER BY ${orderBy(plan.resource, dialect, true)} ${cut}`
  return { text: selectInOrder(plan, last, dialect), values }
}

export const compileList: Compile<ListPlan> = (plan, files, dialect, lacksOf = lacksNone) => {
  const { inner, values } = compileMatching(plan, files, dialect, lacksOf)
  return { text: selectInOrder(plan, inner, dialect), values }
}

/** Rows in table order. A selected text may have the name of its column; the order uses the column. */
function selectInOrder(plan: ListPlan, rows: string, dialect: SqlDialect): string {
  const order = orderBy(plan.resource, dialect, false, 'own.')
  return `SELECT ${selectedColumns(plan, dialect)} FROM (${rows}) own ORDER BY ${order}`
}

/** Matching rows with the columns of the plan and of its order. */
function compileMatching(plan: ListPlan, files: readonly string[], dialect: SqlDialect, lacksOf: LacksOf) {
  const values: BoundValue[] = []
  const from = fromFiles(plan.resource, columnsRead(plan), files, values, dialect, lacksOf)
  const needed = unique([...plan.columns, ...plan.resource.order.map((step) => step.column)])
  const where = compileWhere(plan, values, dialect)
  return { inner: `SELECT ${needed.map(dialect.identifier).join(', ')} FROM ${from}${where}`, values }
}

export function selectedColumns(plan: Pick<ListPlan, 'resource' | 'columns'>, dialect: SqlDialect): string {
  // A row without columns still counts.
  if (plan.columns.length === 0) return '1 AS one'
  return plan.columns.map((column) => selectedColumn(plan.resource, column, dialect)).join(', ')
}

export function selectedColumn(resource: Resource, column: string, dialect: SqlDialect): string {
  const name = dialect.identifier(column)
  return `${dialect.selected(name, kindOfColumn(resource, column))} AS ${name}`
}

export const compileCount: Compile<CountPlan> = (plan, files, dialect, lacksOf = lacksNone) => {
  const values: BoundValue[] = []
  const from = fromFiles(plan.resource, comparedColumns(plan), files, values, dialect, lacksOf)
  return { text: `SELECT count(*) AS count FROM ${from}${compileWhere(plan, values, dialect)}`, values }
}

/** ORDER BY items; `of` prefixes each column. */
export function orderBy(resource: Resource, dialect: SqlDialect, backwards = false, of = ''): string {
  const steps = resource.order.map(({ column, descending }) => {
    const direction = (descending === true) === backwards ? 'ASC' : 'DESC'
    return `${of}${dialect.identifier(column)} ${direction} NULLS ${backwards ? 'LAST' : 'FIRST'}`
  })
  return steps.join(', ')
}

export function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}
