import { networkOfName } from '../../../catalog/networks.ts'
import { isReward, PRICE_LIMIT } from '../../../catalog/records/flat-columns.ts'
import { resources } from '../../../catalog/resources.ts'
import { cast, type ViewText } from '../dialects/view-dialect.ts'
import { dailyEarningsView, symbolOf } from './earning-views.ts'
import { LOG_SUMS, type LogSums, typedSums } from './log-sums.ts'
import type { ViewsOf } from './reward-view.ts'

/** Views of DuckDB that read the sums of the log and the manifests, and no reward share. */

const DAY = '86400000000'

/** Start of a period in microseconds: that of its manifest, otherwise a day before its end. */
const START = `CASE WHEN epoch_us(m.end_timestamp) = l.end_micros AND m.start_timestamp < m.end_timestamp
  THEN epoch_us(m.start_timestamp) ELSE l.end_micros - ${DAY} END`

const dayOf = (micros: string) => `(DATE '1970-01-01' + CAST(${micros} // ${DAY} AS INTEGER))`
const middleOf = (start: string, end: string) => dayOf(`((${start} + ${end}) // 2)`)

/** `daily_earnings` by the log: a group of the log has one price. */
export function loggedDailyEarnings(views: ViewsOf): ViewText {
  const { dialect } = views
  const { types } = dialect
  const tokens = cast('l.earned * m.unit', types.tokens)
  const price = `CASE WHEN m.price < ${PRICE_LIMIT} THEN m.price_usd END`
  const rows = `SELECT ${middleOf(`(${START})`, 'l.end_micros')} AS day, l.network AS network, ${symbolOf('m.token', dialect)} AS token,
      l.reward_type AS reward_type, ${cast('m.price_usd', types.price)} AS price, l.shares AS shares, l.earned AS amount,
      ${tokens} AS formatted, ${cast(dialect.usd(tokens, `(${price})`, 'm.unit'), types.usd)} AS usd
    FROM ${typedSums} l LEFT JOIN ${views.manifests} m ON m.written_file = l.source_file
    WHERE l.earned IS NOT NULL`
  return dailyEarningsView(views, `(${rows})`)
}

/** Days of each network with their state, by the rules of `answers/coverage`. */
export function daysView(views: ViewsOf, sums: Readonly<Record<string, LogSums>>): ViewText {
  const { literal } = views.dialect
  const commits = resources.filter(isReward).map(({ name }) => {
    return `(${literal(networkOfName(name) ?? '')}, ${sums[name]?.committedAt ?? '0'})`
  })
  const unreadable = resources
    .filter(isReward)
    .flatMap(({ arrival }) => (arrival?.as === 'messages' ? Object.keys(arrival.unreadable ?? {}) : []))
  const select = `WITH manifests AS (SELECT * FROM ${views.manifests} m),
    commits AS (SELECT * FROM (VALUES ${commits.join(', ')}) c(network, committed)),
    files AS (
      SELECT l.network AS network, l.source_file AS file, m.written_file IS NULL AS is_unnamed, false AS is_absent, l.shares AS shares,
        coalesce(${START}, epoch_us(m.start_timestamp)) AS start, coalesce(l.end_micros, epoch_us(m.end_timestamp)) AS stop
      FROM ${typedSums} l LEFT JOIN manifests m ON m.written_file = l.source_file
      UNION ALL
      SELECT m.reward_type, m.written_file, false, true, NULL,
        CASE WHEN m.start_timestamp < m.end_timestamp THEN epoch_us(m.start_timestamp) ELSE epoch_us(m.end_timestamp) - ${DAY} END,
        epoch_us(m.end_timestamp)
      FROM manifests m
      WHERE NOT EXISTS (SELECT 1 FROM ${LOG_SUMS} l WHERE l.source_file = m.written_file)
        AND split_part(m.written_file, '.', 1) NOT IN (${unreadable.map(literal).join(', ')})
    ),
    dated AS (
      SELECT *, ${middleOf('start', 'stop')} AS day, stop - start > ${DAY} AND stop - start <= 62 * ${DAY} AS is_long
      FROM files WHERE stop IS NOT NULL
    ),
    counted AS (
      SELECT network, day, sum(shares) AS shares, count(DISTINCT file) FILTER (NOT is_absent) AS files,
        count(DISTINCT file) FILTER (is_absent) AS files_missing, count(DISTINCT file) FILTER (is_unnamed) AS files_without_manifest
      FROM dated GROUP BY network, day
    ),
    reached AS (
      SELECT DISTINCT network, CAST(unnest(generate_series(
        CASE WHEN is_long THEN ${dayOf(`(start + ${DAY} // 2)`)} ELSE day END,
        CASE WHEN is_long THEN ${dayOf(`(stop - ${DAY} // 2)`)} ELSE day END, INTERVAL 1 DAY)) AS DATE) AS day
      FROM dated WHERE NOT is_absent
    ),
    calendar AS (
      SELECT network, CAST(unnest(generate_series(min(day), greatest(max(day), max(${dayOf('committed')} - 1)), INTERVAL 1 DAY)) AS DATE) AS day
      FROM dated JOIN commits USING (network) GROUP BY network
    )
    SELECT day, network,
      CASE WHEN reached.day IS NULL THEN 'missing' WHEN files_missing > 0 THEN 'files missing'
        WHEN files_without_manifest > 0 THEN 'manifest missing' ELSE 'complete' END AS state,
      CAST(shares AS BIGINT) AS shares, coalesce(files, 0) AS files, coalesce(files_missing, 0) AS files_missing,
      coalesce(files_without_manifest, 0) AS files_without_manifest
    FROM calendar LEFT JOIN reached USING (network, day) LEFT JOIN counted USING (network, day)`
  return {
    name: 'days',
    doc: 'Days of each network and whether their data is complete, from the first day to the newest commit.',
    columns: [
      { name: 'day', doc: 'Day (UTC) that was paid.' },
      { name: 'network', doc: 'Network.' },
      {
        name: 'state',
        doc: 'complete; files missing: a manifest names files that are not ingested; manifest missing: no manifest names a file; missing: no file.',
      },
      { name: 'shares', doc: 'Reward shares, also those that pay no hotspot; null without any.' },
      { name: 'files', doc: 'Ingested files of the day.' },
      { name: 'files_missing', doc: 'Files that a manifest names and that are not ingested.' },
      { name: 'files_without_manifest', doc: 'Ingested files that no manifest names.' },
    ],
    select,
  }
}
