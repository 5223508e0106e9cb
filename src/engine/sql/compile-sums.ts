import type { SumsPlan } from '../../query/plan.ts'
import { type Compile, selectedColumn, unique } from './compile.ts'
import { type Bound, bind, compileWhere } from './compile-where.ts'
import type { Dialect } from './dialect.ts'
import { fromFiles, lacksNone } from './scan.ts'

export const compileSums: Compile<SumsPlan> = (plan, files, dialect, lacksOf = lacksNone) => {
  const values: Bound[] = []
  const sums = Object.entries(plan.sums)
  const summed = sums.map(([, { column }]) => column)
  const compared = plan.where.map(({ column }) => column)
  const stepOf = plan.steps === undefined ? [] : [plan.steps.of]
  const read = unique(['source_file', ...stepOf, ...summed, ...plan.groupBy, ...compared])
  const from = fromFiles(plan.resource, read, files, values, dialect, lacksOf)
  const needsPrice = sums.some(([, sum]) => sum.as === 'offloaded_bytes')
  const join = needsPrice ? ` LEFT JOIN ${bindPrices(plan, values, dialect)} p USING (source_file)` : ''
  const where = compileWhere(plan, values, dialect)
  const groups = plan.groupBy.map((column) => selectedColumn(plan.resource, column, dialect))
  const selected = sums.map(([name, sum]) => {
    const column = dialect.identifier(sum.column)
    const value =
      sum.as === 'amount' ? dialect.sum(column) : dialect.sumOffloadedBytes(column, 'p.manifest_price')
    return `${value} AS ${dialect.identifier(name)}`
  })
  const keys = [...plan.groupBy.map(dialect.identifier), ...(plan.steps === undefined ? [] : ['step'])]
  const groupBy = keys.length === 0 ? '' : ` GROUP BY ${keys.join(', ')}`
  const step = plan.steps === undefined ? [] : ['step']
  const rows = stepped(`${from}${join}${where}`, plan, values, dialect)
  const text = `SELECT ${[...groups, ...step, ...selected].join(', ')} FROM ${rows}${groupBy}`
  return { text: plan.greatest === undefined ? text : greatestOf(text, plan, plan.greatest, dialect), values }
}

function stepped(rows: string, { steps }: SumsPlan, values: Bound[], dialect: Dialect): string {
  if (steps === undefined) return rows
  const index = bind(values, { kind: 'longs', value: steps.starts })
  return dialect.withStep(`(SELECT * FROM ${rows})`, dialect.identifier(steps.of), index)
}

function greatestOf(
  text: string,
  { groupBy, steps }: SumsPlan,
  { of, limit }: NonNullable<SumsPlan['greatest']>,
  { identifier }: Dialect,
): string {
  const size = of.map(identifier).join(' + ')
  const groups = groupBy.map(identifier)
  if (steps === undefined)
    return `SELECT * FROM (${text}) ORDER BY ${[`${size} DESC`, ...groups].join(', ')} LIMIT ${limit}`
  // The rows are summed once, and those sums are ranked and looked up.
  const order = [`sum(${size}) DESC`, ...groups].join(', ')
  const chosen = `SELECT ${groups.join(', ')} FROM cells GROUP BY ${groups.join(', ')} ORDER BY ${order} LIMIT ${limit}`
  const same = groups.map((group) => `cells.${group} IS NOT DISTINCT FROM chosen.${group}`).join(' AND ')
  return `WITH cells AS MATERIALIZED (${text}) SELECT cells.* FROM cells JOIN (${chosen}) chosen ON ${same}`
}

function bindPrices(plan: SumsPlan, values: Bound[], dialect: Dialect): string {
  const fileIndex = bind(values, { kind: 'names', value: [...plan.prices.keys()] })
  const priceIndex = bind(values, { kind: 'amounts', value: [...plan.prices.values()] })
  return dialect.prices(fileIndex, priceIndex)
}
