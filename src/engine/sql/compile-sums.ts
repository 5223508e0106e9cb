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
  const read = unique(['source_file', ...summed, ...plan.groupBy, ...compared])
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
