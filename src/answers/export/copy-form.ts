import { sentenceOf } from '../../base/errors.ts'
import type { FlatColumn } from '../../catalog/records/flat-columns.ts'
import type { Resource } from '../../catalog/resource.ts'
import { typeName } from '../../engine/duckdb/catalog-sql.ts'
import { compiled, name, type Sql, sql } from '../../engine/duckdb/sql.ts'
import type { CopyForm } from '../../engine/engine.ts'
import { parquetOptions, partRowsOf } from '../../engine/parquet/flat-parts.ts'
import { flatStorage } from '../../engine/parquet/flat-storage.ts'
import type { GroupKey } from '../../lake/facts/group-series.ts'
import type { RowFacts } from '../records/manifests.ts'
import { duckdbViews } from '../sql/dialects/duckdb-views.ts'
import { unitOf } from '../sql/dialects/view-dialect.ts'
import { expressionOf } from '../sql/views/reward-view.ts'
import { tooWide } from './formats/typed.ts'

/** Returns the SQL of a part of a file, whose rows are of these groups. */
type FormOfPart = (groups: readonly GroupKey[]) => CopyForm

/**
 * Builds SQL for a Parquet file that DuckDB writes from data files. Returns undefined if a column needs more than its
 * row and group.
 */
export function copyForm(
  resource: Resource,
  columns: readonly FlatColumn[],
  isGrouped: boolean,
  facts: RowFacts,
): FormOfPart | undefined {
  if (!columns.every((column) => isCopied(column, resource, isGrouped))) return undefined
  const items = columns.map((column) => sql`${cellOf(column, resource)} AS ${name(column.name)}`)
  const needsFacts = columns.some(({ from }) => !ofRow.includes(from.as))
  const joinedBy = needsFacts ? ['source_file', resource.statistics?.type ?? ''] : []
  return (groups) => {
    const join = needsFacts ? factsOf(groups, resource, facts) : sql``
    return {
      joinedBy,
      select: (rows) => sql`SELECT ${items} FROM (${compiled(rows)}) s${join}`.text,
      options: parquetOptions(partRowsOf(columns)).text,
    }
  }
}

const ofRow: readonly string[] = ['column', 'day', 'sum'] satisfies FlatColumn['from']['as'][]

/** Ids by key are no SQL. */
function isCopied({ from }: FlatColumn, { key }: Resource, isGrouped: boolean): boolean {
  return ofRow.includes(from.as) || (isGrouped && (from.as !== 'id' || key === undefined))
}

function cellOf(column: FlatColumn, resource: Resource): Sql {
  const type = typeName(flatStorage[column.type].type)
  if (column.from.as === 'id') return sql`m.head || printf('%010x', s.ordinal)`
  const value = compiled(expressionOf(column, resource, duckdbViews))
  if (column.type === 'bytes') return sql`to_base64(${value})`
  if (column.type === 'texts') return sql`to_json(${value})::VARCHAR`
  if (column.type !== 'amount') return sql`(${value})::${type}`
  const error = sql`error(${`${column.name} `} || (${value}) || ${` ${WIDE}`})`
  const isWide = sql`${value} > 18446744073709551615`
  const checked = sql`CASE WHEN ${isWide} THEN ${error} ELSE (${value})::${type} END`
  // DuckDB divides to cast a decimal of more than 18 digits, which takes 140 ns.
  return sql`coalesce(TRY_CAST(${value} AS DECIMAL(18,0))::${type}, ${checked})`
}

const WIDE = 'needs more than 64 bits'

/** Errors: `malformed_request` for a sum that the format cannot store; otherwise the error. */
export function refuseCopy(error: unknown): never {
  const [, column, value] = new RegExp(`(\\w+) (\\d+) ${WIDE}`).exec(sentenceOf(error)) ?? []
  if (column === undefined) throw error
  return tooWide(column, value)
}

/** LEFT JOIN of the facts that rows of a source share: the start of their ids, and the values of the manifest. */
function factsOf(groups: readonly GroupKey[], { statistics }: Resource, facts: RowFacts): Sql {
  if (statistics === undefined) throw new Error('rows without groups have no facts')
  const distinct = new Map(groups.map((group) => [`${group.source}\0${group.type}`, group]))
  const rows = [...distinct.values()].map(({ source, type }) => {
    const { epoch, token, price, tokenDecimals } = facts.manifestOf(source)
    const id = facts.idOf({ source_file: source, [statistics.type]: type, ordinal: 0n })
    const unit = tokenDecimals === null ? null : unitOf(tokenDecimals)
    const values = [
      ...[typedAs('VARCHAR', source), typedAs('VARCHAR', type), typedAs('VARCHAR', id.slice(0, -10))],
      ...[typedAs('BIGINT', epoch), typedAs('VARCHAR', token)],
      ...[typedAs('DECIMAL(9,8)', unit), typedAs('DECIMAL(20,0)', price)],
    ]
    return sql`(${values})`
  })
  const on = sql`m.source = s.source_file AND m.type = s.${name(statistics.type)}`
  return sql` LEFT JOIN (SELECT *, price * unit AS price_usd
    FROM (VALUES ${rows}) AS f(source, type, head, epoch, token, unit, price)) m ON ${on}`
}

function typedAs(type: string, value: string | bigint | null): Sql {
  return sql`${value ?? sql`NULL`}::${compiled(type)}`
}
