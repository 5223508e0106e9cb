import type { Resource } from '../../catalog/resource.ts'
import type { CountPlan, RowRange, RowsPlan, Search, SumsPlan } from '../../query/plan.ts'
import type { ChunkCountPlan } from '../engine.ts'
import { type Bound, bind, compileTerms, compileWhere, kindOf } from './compile-where.ts'
import type { Dialect } from './dialect.ts'
import { fromFiles, type LacksOf, lacksNone, withAbsent } from './scan.ts'

/** SQL text with placeholders. Identifiers come from the catalog only; every value is bound. */
export interface Statement {
  readonly text: string
  readonly values: readonly Bound[]
}

export function compileRows(
  plan: RowsPlan,
  files: readonly string[],
  dialect: Dialect,
  lacksOf: LacksOf = lacksNone,
): Statement {
  if (plan.search !== undefined) return compileFound(plan, plan.search, dialect, lacksOf)
  return plan.ranges === undefined
    ? compileSearch(plan, files, dialect, lacksOf)
    : compileRanges(plan, plan.ranges, dialect, lacksOf)
}

/** Columns that a statement over the plan reads. */
export function columnsRead(plan: RowsPlan): readonly string[] {
  if (plan.ranges !== undefined) return plan.columns
  if (plan.search !== undefined)
    return unique([...plan.columns, ...plan.search.where.map(({ column }) => column)])
  return unique([...plan.columns, ...comparedColumns(plan)])
}

/** Columns by which rows are chosen and put in order. */
function comparedColumns({ resource, where }: CountPlan): readonly string[] {
  return unique([...resource.order.map((step) => step.column), ...where.map(({ column }) => column)])
}

function compileSearch(
  plan: RowsPlan,
  files: readonly string[],
  dialect: Dialect,
  lacksOf: LacksOf,
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

/** The rows of a page out of the ranges that hold it. */
function compileFound(
  plan: RowsPlan,
  { ranges, where, offset, interleaved }: Search,
  dialect: Dialect,
  lacksOf: LacksOf,
): Statement {
  const values: Bound[] = []
  const order = interleaved ? plan.resource.order.map((step) => step.column) : []
  const found = { resource: plan.resource, where }
  const rows = selectRanges(plan, ranges, found, order, values, dialect, lacksOf)
  const by = interleaved ? orderBy(plan.resource, dialect) : rows.order
  const limit = limited(plan.limit, values, dialect)
  const skipped = dialect.bound(bindWhole(values, offset), 'long')
  return { text: `${rows.text}${ordered(by)}${limit} OFFSET ${skipped}`, values }
}

/**
 * A file lies in the order of its resource, so its rows are put in order by their numbers alone. Whoever knows how many
 * they are has no look at the row groups after them.
 */
function compileRanges(
  plan: RowsPlan,
  ranges: readonly RowRange[],
  dialect: Dialect,
  lacksOf: LacksOf,
): Statement {
  const values: Bound[] = []
  const rows = selectRanges(plan, ranges, { ...plan, where: [] }, [], values, dialect, lacksOf)
  const [only] = ranges
  if (only === undefined || ranges.length > 1) return { text: `${rows.text}${ordered(rows.order)}`, values }
  return { text: `${rows.text}${limited(only.end - only.first, values, dialect)}`, values }
}

const ordered = (by: string) => (by === '' ? '' : ` ORDER BY ${by}`)

const limited = (rows: number, values: Bound[], dialect: Dialect) =>
  ` LIMIT ${dialect.bound(bindWhole(values, rows), 'long')}`

/**
 * SELECT of the rows of ranges that are `chosen`, and what puts them in order. Rows of a single range come in order by
 * themselves; nesting and sorting them would take as long as reading them.
 */
function selectRanges(
  plan: RowsPlan,
  ranges: readonly RowRange[],
  chosen: CountPlan,
  orderColumns: readonly string[],
  values: Bound[],
  dialect: Dialect,
  lacksOf: LacksOf,
): { readonly text: string; readonly order: string } {
  const selected = `SELECT ${selectedColumns(plan, dialect)} FROM`
  const [only] = ranges
  if (only !== undefined && ranges.length === 1)
    return { text: `${selected} ${fromRange(only, chosen, values, dialect, lacksOf)}`, order: '' }
  const columns = unique([...plan.columns, ...orderColumns]).map(dialect.identifier)
  const pieces = ranges.map((range, piece) => {
    const from = fromRange(range, chosen, values, dialect, lacksOf)
    return `SELECT ${[...columns, `${piece} AS piece`, dialect.rowNumber].join(', ')} FROM ${from}`
  })
  return { text: `${selected} (${pieces.join(' UNION ALL ')})`, order: `piece, ${dialect.rowNumber}` }
}

/**
 * FROM and WHERE of the chosen rows of one range. Rows are named by bound numbers, so that statements over other rows
 * have the same text and are prepared once.
 */
function fromRange(
  { file, first, end }: RowRange,
  chosen: CountPlan,
  values: Bound[],
  dialect: Dialect,
  lacksOf: LacksOf,
): string {
  const rowsOfFile = dialect.numberedRows(bind(values, { kind: 'files', value: [file] }))
  const from = withAbsent(chosen.resource, lacksOf(file), rowsOfFile, dialect)
  const bound = (number: number) => dialect.bound(bindWhole(values, number), 'long')
  const rows = [`${dialect.rowNumber} >= ${bound(first)}`, `${dialect.rowNumber} < ${bound(end)}`]
  return `${from} WHERE ${[...rows, ...compileTerms(chosen, values, dialect)].join(' AND ')}`
}

function bindWhole(values: Bound[], number: number): number {
  return bind(values, { kind: 'long', value: BigInt(number) })
}

/** Chunks are `size` rows. */
export function compileChunkCounts(
  { resource, ranges, where }: ChunkCountPlan,
  size: number,
  dialect: Dialect,
  lacksOf: LacksOf = lacksNone,
): Statement {
  const values: Bound[] = []
  const pieces = ranges.map((range, piece) => {
    const from = fromRange(range, { resource, where }, values, dialect, lacksOf)
    return (
      `SELECT ${piece} AS piece, ${dialect.rowNumber} // ${size} AS chunk, count(*) AS count ` +
      `FROM ${from} GROUP BY chunk`
    )
  })
  return { text: pieces.join(' UNION ALL '), values }
}

function selectedColumns(plan: RowsPlan, dialect: Dialect): string {
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
  const { ranges } = plan
  if (ranges === undefined) {
    const from = fromFiles(plan.resource, comparedColumns(plan), files, values, dialect, lacksOf)
    return { text: `SELECT count(*) AS count FROM ${from}${compileWhere(plan, values, dialect)}`, values }
  }
  const chosen = { ...plan, where: [] }
  const pieces = ranges.map((range) => `SELECT 1 FROM ${fromRange(range, chosen, values, dialect, lacksOf)}`)
  return { text: `SELECT count(*) AS count FROM (${pieces.join(' UNION ALL ')})`, values }
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

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}
