import type { PlacedPlan, PlacedRowsPlan, RowRange } from '../../catalog/query/plan.ts'
import { type Statement, selectedColumns, unique } from './compile.ts'
import { type BoundValue, bind, compileTerms } from './compile-where.ts'
import type { SqlDialect } from './dialect.ts'
import { type LacksOf, lacksNone, withAbsent } from './scan.ts'

type CompilePlaced<Plan> = (plan: Plan, dialect: SqlDialect, lacksOf?: LacksOf) => Statement

/**
 * A file is sorted, so row numbers order the rows of adjacent ranges. A single range needs no sort, which would take
 * as long as the read.
 */
export const compilePlacedRows: CompilePlaced<PlacedRowsPlan> = (plan, dialect, lacksOf = lacksNone) => {
  const { ranges, limit, offset } = plan
  const values: BoundValue[] = []
  const [only] = ranges
  const isOne = only !== undefined && ranges.length === 1
  const selected = `SELECT ${selectedColumns(plan, dialect)} FROM`
  const text = isOne
    ? `${selected} ${fromRange(only, plan, values, dialect, lacksOf)}`
    : `${selected} (${numberedPieces(plan, values, dialect, lacksOf)})`
  const order = isOne ? '' : `piece, ${dialect.rowNumber}`
  const rows = ranges.reduce((sum, { first, end }) => sum + end - first, 0)
  const bound = (number: number) => dialect.bound(bindWhole(values, number), 'long')
  // A limit stops the read of one range before further row groups.
  const limited = isOne || limit < rows ? ` LIMIT ${bound(limit)}` : ''
  const skipped = offset > 0 ? ` OFFSET ${bound(offset)}` : ''
  return { text: `${text}${order === '' ? '' : ` ORDER BY ${order}`}${limited}${skipped}`, values }
}

/** Rows of several ranges with their sort keys. */
function numberedPieces(
  plan: PlacedRowsPlan,
  values: BoundValue[],
  dialect: SqlDialect,
  lacksOf: LacksOf,
): string {
  const columns = unique(plan.columns).map(dialect.identifier)
  const pieces = plan.ranges.map((range, piece) => {
    const from = fromRange(range, plan, values, dialect, lacksOf)
    return `SELECT ${[...columns, `${piece} AS piece`, dialect.rowNumber].join(', ')} FROM ${from}`
  })
  return pieces.join(' UNION ALL ')
}

export const compilePlacedCount: CompilePlaced<PlacedPlan> = (plan, dialect, lacksOf = lacksNone) => {
  const values: BoundValue[] = []
  const pieces = plan.ranges.map(
    (range) => `SELECT 1 FROM ${fromRange(range, plan, values, dialect, lacksOf)}`,
  )
  return { text: `SELECT count(*) AS count FROM (${pieces.join(' UNION ALL ')})`, values }
}

/** FROM and WHERE of one range. Bound row numbers keep the text constant, so the statement is prepared once. */
function fromRange(
  { file, first, end }: RowRange,
  plan: PlacedPlan,
  values: BoundValue[],
  dialect: SqlDialect,
  lacksOf: LacksOf,
): string {
  const rowsOfFile = dialect.numberedRows(bind(values, { kind: 'files', value: [file] }))
  const from = withAbsent(plan.resource, lacksOf(file), rowsOfFile, dialect)
  const bound = (number: number) => dialect.bound(bindWhole(values, number), 'long')
  const rows = [`${dialect.rowNumber} >= ${bound(first)}`, `${dialect.rowNumber} < ${bound(end)}`]
  return `${from} WHERE ${[...rows, ...compileTerms(plan, values, dialect)].join(' AND ')}`
}

function bindWhole(values: BoundValue[], number: number): number {
  return bind(values, { kind: 'long', value: BigInt(number) })
}
