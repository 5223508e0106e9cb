import { hotspots } from '../../../catalog/l2/hotspots.ts'
import { makers } from '../../../catalog/l2/makers.ts'
import { rewardManifests } from '../../../catalog/l2/reward-manifests.ts'
import { rewardTokens } from '../../../catalog/networks.ts'
import {
  type FlatColumn,
  type FlatSource,
  flatColumns,
  PRICE_LIMIT,
} from '../../../catalog/records/flat-columns.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { cast, unitOf, type ViewDialect } from '../dialects/view-dialect.ts'

/** Ids exist in REST only. */
type InView = Exclude<FlatSource['as'], 'id'>

/** Last column of every reward view; days of a query are days of this column. */
export const paidDay: FlatColumn = {
  name: 'paid_day',
  type: 'date',
  doc: 'Day (UTC) that was paid: that in which the middle of the period lies.',
  from: { as: 'day' },
}

/** Builds SQL for one engine: its dialect, and a FROM item per table or view with all columns. */
export interface ViewsOf {
  readonly dialect: ViewDialect
  readonly table: (view: Pick<Resource, 'name'>) => string
  /** FROM item of a table of rewards, with `paid_day`. */
  readonly paid: (resource: Resource) => string
  /** FROM item of the manifest of each file; see `manifestOfFile`. */
  readonly manifests: string
  /** FROM item of the hotspot of each key; see `hotspotOfKey`. */
  readonly hotspots: string
}

/** `iot_reward_shares` -> `iot_rewards`. */
export function rewardViewName({ name }: Resource): string {
  return name.replace(/_shares$/, 's')
}

/** Day of a row of rewards `t`. */
export function paidDayOf({ partition, columns }: Resource, dialect: ViewDialect): string {
  const column = `t.${dialect.identifier(partition?.of ?? '')}`
  const day =
    columns[partition?.of ?? '']?.kind === 'seconds'
      ? dialect.dateAfter(dialect.quotient(column, '86400'))
      : dialect.middleDay('t.start_period', 't.end_period')
  return cast(day, dialect.types.date)
}

/**
 * SELECT of a joined reward view; `s` the share, `m` its manifest, `h` its hotspot, `k` the maker. Joined tables have
 * one row per key, so no share counts twice.
 */
export function rewardSelect(resource: Resource, views: ViewsOf): string {
  const { dialect, paid } = views
  const day = `s.${dialect.identifier(paidDay.name)}`
  const value = (column: FlatColumn) =>
    column.from.as === 'day' ? day : expressionOf(column, resource, dialect)
  const columns = [...flatColumns(resource), paidDay].map(
    (column) => `${value(column)} AS ${dialect.identifier(column.name)}`,
  )
  return `SELECT ${columns.join(', ')} FROM ${paid(resource)} s
    LEFT JOIN ${views.manifests} m ON m.written_file = s.source_file
    LEFT JOIN ${views.hotspots} h ON h.ecc_key = s.${dialect.identifier(resource.keyed ?? '')}
    LEFT JOIN (${makerOfId(views)}) k ON k.id = h.maker_id`
}

/** The value of a flat column over `s` and `m`; see `rewardSelect`. */
export function expressionOf({ type, from }: FlatColumn, resource: Resource, dialect: ViewDialect): string {
  const { identifier, types } = dialect
  const ofShare = (column: string) => `s.${identifier(column)}`
  const tokens = (of: readonly string[]) =>
    `${cast(paid(resource, of, dialect), types.amount)} * m.${identifier('unit')}`
  const price = `CASE WHEN m.price < ${PRICE_LIMIT} THEN m.price_usd END`
  const expressions: {
    readonly [As in InView]: (source: Extract<FlatSource, { as: As }>) => string
  } = {
    column: ({ of }) => ofShare(of),
    partition: ({ of }) => ofShare(of),
    day: () => dialect.middleDay('s.start_period', 's.end_period'),
    manifest: ({ of }) => `m.${identifier(of)}`,
    price: () => 'm.price_usd',
    sum: ({ of }) => paid(resource, of, dialect),
    tokens: ({ of }) => tokens(of),
    usd: ({ of }) => dialect.usd(cast(tokens(of), types.tokens), `(${price})`, 'm.unit'),
    offloaded_bytes: ({ of }) => dialect.offloadedBytes(ofShare(of), 'm.price'),
    hotspot: ({ of }) => `h.${identifier(of)}`,
    maker: ({ of }) => `k.${identifier(of)}`,
  }
  const expression = expressions[from.as as InView](from as never)
  return from.as === 'column' || from.as === 'partition' ? expression : cast(expression, types[type])
}

/** A single column unchanged; otherwise the sum, if the row pays a hotspot. */
function paid({ keyed = '' }: Resource, of: readonly string[], { identifier }: ViewDialect): string {
  const [only = '', ...remaining] = of.map((column) => `s.${identifier(column)}`)
  if (remaining.length === 0) return only
  const parts = [only, ...remaining].map((column) => `coalesce(${column}, 0)`)
  return `CASE WHEN s.${identifier(keyed)} IS NOT NULL THEN ${parts.join(' + ')} END`
}

/** SELECT of the manifest of each named file; the one with the latest time in its name wins. */
export function manifestOfFile({ dialect, table }: Pick<ViewsOf, 'dialect' | 'table'>): string {
  const { literal, optional, types } = dialect
  const units = [...rewardTokens].map(
    ([token, { decimals }]) => `WHEN ${literal(token ?? '')} THEN ${literal(unitOf(decimals))}`,
  )
  const unit = cast(`CASE token ${units.join(' ')} END`, types.unit)
  const time = dialect.matched('source_file', '[.]0*([0-9]*)[.]gz$')
  const manifestFile = dialect.eachText(table(rewardManifests), 'written_files', 'written_file')
  const manifestFields = [
    'epoch',
    'token',
    'unit',
    'price',
    'reward_type',
    'start_timestamp',
    'end_timestamp',
  ].map((column) => `any_value(${optional(`o.${column}`)}) AS ${column}`)
  return `SELECT o.written_file AS written_file, ${manifestFields.join(', ')}, any_value(o.price * o.unit) AS price_usd
    FROM (
      SELECT f.written_file AS written_file, f.epoch AS epoch, f.token AS token, f.unit AS unit, f.price AS price,
        f.reward_type AS reward_type, f.start_timestamp AS start_timestamp, f.end_timestamp AS end_timestamp,
        row_number() OVER (PARTITION BY f.written_file ORDER BY length(f.written_at) DESC, f.written_at DESC,
          f.source_file DESC, f.end_timestamp DESC, f.reward_type DESC, f.ordinal DESC) AS place
      FROM (
        SELECT written_file, epoch, token, ${unit} AS unit, nullif(price, 0) AS price, ${time} AS written_at,
          source_file, start_timestamp, end_timestamp, reward_type, ordinal
        FROM ${manifestFile}
      ) f
    ) o
    WHERE o.place = 1
    GROUP BY o.written_file`
}

/** First asset of a hotspot key; names depend on the key. */
export function hotspotOfKey({ dialect, table }: Pick<ViewsOf, 'dialect' | 'table'>): string {
  const first = { name: 'name', owner: 'owner', maker_id: `coalesce(maker_id, '')` }
  const columns = Object.entries(first).map(
    ([column, value]) => `${dialect.optional(dialect.leastBy(value, 'asset_id'))} AS ${column}`,
  )
  return `SELECT ecc_key, ${columns.join(', ')} FROM ${table(hotspots)} GROUP BY ecc_key`
}

export function makerOfId({ dialect, table }: ViewsOf): string {
  return `SELECT id, ${dialect.optional(dialect.leastBy('name', 'address'))} AS name FROM ${table(makers)} GROUP BY id`
}
