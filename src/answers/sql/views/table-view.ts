import { groupBy } from '../../../base/maps.ts'
import { dateOf, dayOf } from '../../../base/values/epoch-day.ts'
import { writeInstant } from '../../../base/values/instant.ts'
import { partitionColumns } from '../../../catalog/delta-schema.ts'
import { valuesOfPartition } from '../../../catalog/partition.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { nullColumns, scansOf } from '../../../engine/duckdb/catalog-sql.ts'
import { filePattern } from '../../../engine/duckdb/duckdb-dialect.ts'
import { compiled, joined, name, type Sql, sql, textList } from '../../../engine/duckdb/sql.ts'
import { duckdbViews } from '../dialects/duckdb-views.ts'
import { paidDay, paidDayOf } from './reward-view.ts'
import type { SqlFile } from './snapshot-files.ts'

/** SELECT over exactly these files, with the partition column. Missing columns are null. */
export function tableSelect(resource: Resource, files: readonly SqlFile[]): Sql {
  const [by] = partitionColumns(resource)
  if (files.length === 0) return emptySelect(resource, by)
  if (by === undefined) return selectOf(resource, files, sql`false`, [])
  return joined(
    branchesOf(by, files, () => '').map((branch) =>
      selectOf(resource, branch.files, branch.hive, [branch.value]),
    ),
    ' UNION ALL ',
  )
}

/**
 * Every row meets the bounds of its files. DuckDB expects that a fifth meets those on the column, and a fifth of these
 * that on the day: it would take rewards for few, and build hash tables over them.
 */
const PASSED_ROWS = 25

/** Months with a branch of their own; older ones share that of their year, which keeps plans small. */
const MONTHS = 12

/**
 * SELECT over the files of a table of rewards with `paid_day`: a branch for each month, with the bounds of its rows as
 * conditions. The optimizer drops the branches that contradict a statement, before their files are opened. `tellsRows`
 * tells it how many rows there are, by an option of DuckDB 1.1 or later.
 */
export function boundedSelect(
  resource: Resource,
  files: readonly SqlFile[],
  { tellsRows }: { readonly tellsRows: boolean },
): Sql {
  const [by = ''] = partitionColumns(resource)
  const day = compiled(paidDayOf(resource, duckdbViews))
  const dayColumn = sql`${day} AS ${name(paidDay.name)}`
  if (files.length === 0) return sql`SELECT *, ${dayColumn} FROM (${emptySelect(resource, by)}) t`
  const newest = [...new Set(files.map(({ partition }) => partition ?? ''))].sort().slice(-MONTHS)
  const branchOf = (month: string) => (newest.includes(month) ? month : month.slice(0, 4))
  const selects = branchesOf(by, files, branchOf).map((branch) => {
    const bounds = boundsOf(resource, branch.files, day)
    return selectOf(resource, branch.files, branch.hive, [branch.value, dayColumn], { bounds, tellsRows })
  })
  return joined(selects, ' UNION ALL ')
}

/** Conditions that all rows of files satisfy. */
function boundsOf(resource: Resource, files: readonly SqlFile[], day: Sql): readonly Sql[] {
  const partitions = files.map(({ partition }) => partition).sort()
  const [first, last] = [partitions[0], partitions.at(-1)].map((partition = null) =>
    valuesOfPartition(resource, partition),
  )
  if (!first || !last) throw new Error(`${resource.name} has no partitions`)
  const column = compiled(`t.${name(first.column).text}`)
  const isSeconds = resource.columns[first.column]?.kind === 'seconds'
  const value = (bound: bigint) => (isSeconds ? sql`${bound}` : sql`${writeInstant(bound)}::TIMESTAMPTZ`)
  const bounds = [sql`${column} >= ${value(first.first)}`, sql`${column} < ${value(last.end)}`]
  const dayOfSeconds = (bound: bigint) => dateOf(dayOf(bound * 1_000_000n))
  const days = isSeconds
    ? [[dayOfSeconds(first.first), dayOfSeconds(last.end - 1n)]]
    : files.map((file) => file.days ?? [])
  if (days.some((span) => span.length === 0)) return bounds
  const [firstDay = '', lastDay = ''] = [days.flat().sort()[0], days.flat().sort().at(-1)]
  return [...bounds, sql`${day} BETWEEN ${firstDay}::DATE AND ${lastDay}::DATE`]
}

/** Files with the same partition column, and how they get it. */
interface Branch {
  readonly files: readonly SqlFile[]
  readonly hive: Sql
  readonly value: Sql
}

function branchesOf(
  by: string,
  files: readonly SqlFile[],
  branchOf: (partition: string) => string,
): readonly Branch[] {
  // The engine reads the value from the path and prunes files by it.
  if (files.every(({ path }) => path.split(`/${by}=`).length === 2)) {
    const hive = sql`true, hive_types = {${name(by)}: VARCHAR}`
    const groups = groupBy(files, ({ partition }) => branchOf(partition ?? ''))
    return [...groups.values()].map((group) => ({ files: group, hive, value: name(by) }))
  }
  // A folder above the lake may look like a partition.
  const partitions = groupBy(files, ({ partition }) => partition ?? '')
  return [...partitions].map(([partition, group]) => ({
    ...{ files: group, hive: sql`false`, value: sql`${partition} AS ${name(by)}` },
  }))
}

function selectOf(
  resource: Resource,
  files: readonly SqlFile[],
  hive: Sql,
  more: readonly Sql[],
  { bounds = [], tellsRows = false }: { readonly bounds?: readonly Sql[]; readonly tellsRows?: boolean } = {},
): Sql {
  const rowsOf = new Map(files.map(({ path, rows }) => [path, rows]))
  const scan = (paths: readonly string[]) => {
    const rows = paths.reduce((sum, path) => sum + (rowsOf.get(path) ?? 0), 0)
    const expected = tellsRows ? sql`, explicit_cardinality = ${rows * PASSED_ROWS}` : sql``
    return sql`read_parquet(${textList(paths.map(filePattern))}, hive_partitioning = ${hive}${expected})`
  }
  const where = bounds.length === 0 ? sql`` : sql` WHERE ${joined(bounds, ' AND ')}`
  const selected = [...columnsToCompare(resource), ...more]
  const selects = scansOf(resource, files, scan).map((from) => sql`SELECT ${selected} FROM ${from} t${where}`)
  return joined(selects, ' UNION ALL ')
}

/**
 * Columns in comparable form. DuckDB 1.5 misreads older Bloom filters of BLOB columns; an expression bypasses them.
 */
function columnsToCompare({ columns }: Resource): readonly Sql[] {
  return Object.entries(columns).map(([column, { kind }]) =>
    kind === 'bytes' ? sql`${name(column)} || ''::BLOB AS ${name(column)}` : name(column),
  )
}

function emptySelect(resource: Resource, by: string | undefined): Sql {
  const partition = by === undefined ? [] : [sql`NULL::VARCHAR AS ${name(by)}`]
  return sql`SELECT ${[...nullColumns(resource), ...partition]} WHERE false`
}
