import type { PlacedPlan, PlacedRowsPlan, RowRange } from '../../catalog/query/plan.ts'
import { type Statement, selectedColumns, unique } from './compile.ts'
import { type Bound, bind, compileTerms } from './compile-where.ts'
import type { Dialect } from './dialect.ts'
import { type LacksOf, lacksNone, withAbsent } from './scan.ts'

type CompilePlaced<Plan> = (plan: Plan, dialect: Dialect, lacksOf?: LacksOf) => Statement

/**
 * A file lies in the order of its resource, so rows of ranges that follow each other are put in order by their numbers
 * alone. Rows of a single range come in order by themselves; nesting and sorting them would take as long as reading them.
 */
export const compilePlacedRows: CompilePlaced<PlacedRowsPlan> = (plan, dialect, lacksOf = lacksNone) => {
  const { ranges, limit, offset } = plan
  const values: Bound[] = []
  const [only] = ranges
  const isOne = only !== undefined && ranges.length === 1
  const selected = `SELECT ${selectedColumns(plan, dialect)} FROM`
  const text = isOne
    ? `${selected} ${fromRange(only, plan, values, dialect, lacksOf)}`
    : `${selected} (${numberedPieces(plan, values, dialect, lacksOf)})`
  const order = isOne ? '' : `piece, ${dialect.rowNumber}`
  const rows = ranges.reduce((sum, { first, end }) => sum + end - first, 0)
  const bound = (number: number) => dialect.bound(bindWhole(values, number), 'long')
  // A limit ends the reading of one range with its last row, before the row groups behind it are looked at.
  const limited = isOne || limit < rows ? ` LIMIT ${bound(limit)}` : ''
  const skipped = offset > 0 ? ` OFFSET ${bound(offset)}` : ''
  return { text: `${text}${order === '' ? '' : ` ORDER BY ${order}`}${limited}${skipped}`, values }
}

/** The rows of several ranges with what puts them in order. */
function numberedPieces(plan: PlacedRowsPlan, values: Bound[], dialect: Dialect, lacksOf: LacksOf): string {
  const columns = unique(plan.columns).map(dialect.identifier)
  const pieces = plan.ranges.map((range, piece) => {
    const from = fromRange(range, plan, values, dialect, lacksOf)
    return `SELECT ${[...columns, `${piece} AS piece`, dialect.rowNumber].join(', ')} FROM ${from}`
  })
  return pieces.join(' UNION ALL ')
}

export const compilePlacedCount: CompilePlaced<PlacedPlan> = (plan, dialect, lacksOf = lacksNone) => {
  const values: Bound[] = []
  const pieces = plan.ranges.map(
    (range) => `SELECT 1 FROM ${fromRange(range, plan, values, dialect, lacksOf)}`,
  )
  return { text: `SELECT count(*) AS count FROM (${pieces.join(' UNION ALL ')})`, values }
}

/**
 * FROM and WHERE of the matching rows of one range. Rows are named by bound numbers, so that statements over other rows
 * have the same text and are prepared once.
 */
function fromRange(
  { file, first, end }: RowRange,
  plan: PlacedPlan,
  values: Bound[],
  dialect: Dialect,
  lacksOf: LacksOf,
): string {
  const rowsOfFile = dialect.numberedRows(bind(values, { kind: 'files', value: [file] }))
  const from = withAbsent(plan.resource, lacksOf(file), rowsOfFile, dialect)
  const bound = (number: number) => dialect.bound(bindWhole(values, number), 'long')
  const rows = [`${dialect.rowNumber} >= ${bound(first)}`, `${dialect.rowNumber} < ${bound(end)}`]
  return `${from} WHERE ${[...rows, ...compileTerms(plan, values, dialect)].join(' AND ')}`
}

function bindWhole(values: Bound[], number: number): number {
  return bind(values, { kind: 'long', value: BigInt(number) })
}
