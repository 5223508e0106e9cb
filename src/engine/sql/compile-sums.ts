import type { SumsPlan } from '../../catalog/query/plan.ts'
import type { SumGroup } from '../engine.ts'
import { type Compile, selectedColumn, unique } from './compile.ts'
import { type BoundValue, bind, compileWhere } from './compile-where.ts'
import type { SqlDialect } from './dialect.ts'
import { fromFiles, lacksNone } from './scan.ts'

export const compileSums: Compile<SumsPlan> = (plan, files, dialect, lacksOf = lacksNone) => {
  const values: BoundValue[] = []
  const sums = Object.entries(plan.sums)
  const summed = sums.map(([, { column }]) => column)
  const compared = plan.where.map(({ column }) => column)
  const stepOf = plan.steps === undefined ? [] : [plan.steps.of]
  const read = unique(['source_file', ...stepOf, ...summed, ...plan.groupBy, ...compared])
  const from = fromFiles(plan.resource, read, files, values, dialect, lacksOf)
  const needsPrice = sums.some(([, sum]) => sum.as === 'offloaded_bytes')
  const join = needsPrice ? ` LEFT JOIN ${bindPrices(plan, values, dialect)} p USING (source_file)` : ''
  const where = compileWhere(plan, values, dialect)
  const sqlOf = ([, sum]: (typeof sums)[number]) => {
    const column = dialect.identifier(sum.column)
    return sum.as === 'amount' ? dialect.sum(column) : dialect.sumOffloadedBytes(column, 'p.manifest_price')
  }
  const groups = plan.groupBy.map((column) => selectedColumn(plan.resource, column, dialect))
  const selected = sums.map((entry) => `${sqlOf(entry)} AS ${dialect.identifier(entry[0])}`)
  const rows = `${from}${join}${where}`
  const greatest = plan.greatest && {
    ...{ groups: plan.groupBy.map(dialect.identifier), limit: plan.greatest.limit },
    sizes: sums.filter(([name]) => plan.greatest?.of.includes(name)),
  }
  const identifierOf = ([name]: (typeof sums)[number]) => dialect.identifier(name)
  if (plan.steps === undefined) {
    const text = `SELECT ${[...groups, ...selected].join(', ')} FROM ${rows}${groupedBy(plan.groupBy.map(dialect.identifier))}`
    if (greatest === undefined) return { text, values }
    return { text: `SELECT * FROM (${text})${ranked(greatest, greatest.sizes.map(identifierOf))}`, values }
  }
  const [chosen, counted] =
    greatest === undefined
      ? ['', `(SELECT * FROM ${rows})`]
      : onlyGreatest(rows, greatest, greatest.sizes.map(sqlOf), dialect)
  const starts = bind(values, { kind: 'longs', value: plan.steps.starts })
  const stepped = dialect.withStep(counted, dialect.identifier(plan.steps.of), starts)
  const keys = groupedBy([...plan.groupBy.map(dialect.identifier), 'step'])
  return {
    text: `${chosen}SELECT ${[...groups, 'step', ...selected].join(', ')} FROM ${stepped}${keys}`,
    values,
  }
}

function groupedBy(keys: readonly string[]): string {
  return keys.length === 0 ? '' : ` GROUP BY ${keys.join(', ')}`
}

interface Greatest {
  readonly groups: readonly string[]
  readonly limit: number
}

function ranked({ groups, limit }: Greatest, sizes: readonly string[]): string {
  return ` ORDER BY ${[`${sizes.join(' + ')} DESC`, ...groups].join(', ')} LIMIT ${limit}`
}

/**
 * Selects the greatest groups first, as a common table, and their rows. For many groups this is several times faster
 * than summing every step.
 */
function onlyGreatest(
  rows: string,
  greatest: Greatest,
  sizes: readonly string[],
  { once }: SqlDialect,
): readonly [choice: string, rows: string] {
  const { groups } = greatest
  const choice = `SELECT ${groups.join(', ')} FROM ${rows}${groupedBy(groups)}${ranked(greatest, sizes)}`
  const keyComparisons = groups
    .map((group) => `own.${group} IS NOT DISTINCT FROM chosen.${group}`)
    .join(' AND ')
  return [
    `WITH chosen ${once} (${choice}) `,
    `(SELECT own.* FROM (SELECT * FROM ${rows}) own JOIN chosen ON ${keyComparisons})`,
  ]
}

function bindPrices(plan: SumsPlan, values: BoundValue[], dialect: SqlDialect): string {
  const fileIndex = bind(values, { kind: 'names', value: [...plan.prices.keys()] })
  const priceIndex = bind(values, { kind: 'amounts', value: [...plan.prices.values()] })
  return dialect.prices(fileIndex, priceIndex)
}

/** Columns of the groups of a plan. */
export function groupColumnsOf({ groupBy, steps }: SumsPlan): readonly string[] {
  return steps === undefined ? groupBy : [...groupBy, 'step']
}

/** The result over no rows: one group of zeros, or no group if the plan divides the rows. */
export function sumsOfNothing(plan: SumsPlan): readonly SumGroup[] {
  if (groupColumnsOf(plan).length > 0) return []
  return [{ group: {}, sums: Object.fromEntries(Object.keys(plan.sums).map((name) => [name, 0n])) }]
}
