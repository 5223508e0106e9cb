import type { RangeCountPlan, RangeRowsPlan, RowRange } from '../../../catalog/query/plan.ts'
import { type Statement, selectedColumns } from '../../sql/compile.ts'
import { type BoundValue, bind, compileTerms } from '../../sql/compile-where.ts'
import { type LacksOf, lacksNone, withAbsent } from '../../sql/scan.ts'
import { duckdbDialect } from '../duckdb-dialect.ts'

/** Column of the row numbers of a file. */
const ROW = 'file_row_number'

type CompileRanges<Plan> = (plan: Plan, lacksOf?: LacksOf) => Statement

/**
 * A file is sorted, and DuckDB keeps the order of rows in files and of the parts of UNION ALL: a sort would hold all
 * rows. Source: "Order Preservation" of the DuckDB documentation.
 */
export const compileRangeRows: CompileRanges<RangeRowsPlan> = (plan, lacksOf = lacksNone) => {
  const { ranges, limit, offset } = plan
  const values: BoundValue[] = []
  const columns = selectedColumns(plan, duckdbDialect)
  const pieces = ranges.map((range) => `SELECT ${columns} FROM ${fromRange(range, plan, values, lacksOf)}`)
  const rows = ranges.reduce((sum, { first, end }) => sum + end - first, 0)
  // A limit stops the read of one range before further row groups.
  const limited = ranges.length === 1 || limit < rows ? ` LIMIT ${boundNumber(values, limit)}` : ''
  const skipped = offset > 0 ? ` OFFSET ${boundNumber(values, offset)}` : ''
  return { text: `${pieces.join(' UNION ALL ')}${limited}${skipped}`, values }
}

/**
 * All rows of ranges with their stored columns, in order for a COPY. DuckDB 1.5.6 writes the parts of UNION ALL on one
 * thread in another order at times.
 */
export const compileStoredRows: CompileRanges<RangeRowsPlan> = (plan, lacksOf = lacksNone) => {
  const { ranges, limit } = plan
  const values: BoundValue[] = []
  const columns = plan.columns.map(duckdbDialect.identifier).join(', ')
  const [only] = ranges
  if (only !== undefined && ranges.length === 1) {
    const from = fromRange(only, plan, values, lacksOf)
    return { text: `SELECT ${columns} FROM ${from} LIMIT ${boundNumber(values, limit)}`, values }
  }
  const pieces = ranges.map(
    (range, piece) =>
      `SELECT ${columns}, ${piece} AS piece, ${ROW} FROM ${fromRange(range, plan, values, lacksOf)}`,
  )
  const text = `SELECT ${columns} FROM (${pieces.join(' UNION ALL ')}) ORDER BY piece, ${ROW}`
  return { text, values }
}

export const compileRangeCount: CompileRanges<RangeCountPlan> = (plan, lacksOf = lacksNone) => {
  const values: BoundValue[] = []
  const pieces = plan.ranges.map((range) => `SELECT 1 FROM ${fromRange(range, plan, values, lacksOf)}`)
  return { text: `SELECT count(*) AS count FROM (${pieces.join(' UNION ALL ')})`, values }
}

/** FROM and WHERE of one range. Bound row numbers keep the text constant, so the statement is prepared once. */
function fromRange(
  { file, first, end }: RowRange,
  plan: RangeCountPlan,
  values: BoundValue[],
  lacksOf: LacksOf,
): string {
  const index = bind(values, { kind: 'files', value: [file] })
  const scan = `read_parquet($${index + 1}, hive_partitioning = false, file_row_number = true)`
  const from = withAbsent(plan.resource, lacksOf(file), scan, duckdbDialect)
  const rows = [`${ROW} >= ${boundNumber(values, first)}`, `${ROW} < ${boundNumber(values, end)}`]
  return `${from} WHERE ${[...rows, ...compileTerms(plan, values, duckdbDialect)].join(' AND ')}`
}

function boundNumber(values: BoundValue[], number: number): string {
  return duckdbDialect.bound(bind(values, { kind: 'long', value: BigInt(number) }), 'long')
}
