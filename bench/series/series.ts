import { deepStrictEqual } from 'node:assert'
import { parseArgs } from 'node:util'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import type { SeriesRequest } from '../../src/derive/series-parameters.ts'
import { duckdbDialect } from '../../src/engine/duckdb/duckdb-dialect.ts'
import { filesOf } from '../../src/engine/prune.ts'
import { openServices } from '../../src/services.ts'
import { readSettings } from '../../src/settings.ts'
import { at as instantOf } from '../../test/support/make-lake.ts'
import { openRawDuckdb } from '../totals/raw-duckdb.ts'

/** Series over an existing lake beside plain SQL over its files: answers are compared first, then both are timed. */

const { lake = 'data/lake', rounds = '15' } = parseArgs({
  options: { lake: { type: 'string' }, rounds: { type: 'string' } },
}).values
const settings = readSettings({}, { lake })
const services = await openServices(settings)
const raw = await openRawDuckdb(settings)
const at = await services.lake.latest()
await services.warm(at)
const table = at.table(iotRewardShares)
const last = table.statistics.newestPeriod ?? 0n
const DAY = 86_400_000_000n
const earned = (iotRewardShares.earned ?? []).map((column) => `coalesce(sum(${column}), 0)`).join(' + ')

interface Sql {
  readonly text: string
  readonly keys: readonly string[]
}

/** Runs SQL with the files of a range as $1 and keys as $2. */
async function sql(days: bigint, { text, keys }: Sql): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const value = instantOf(new Date(Number((last - days * DAY) / 1000n)).toISOString())
  const plan = {
    resource: iotRewardShares,
    where: [{ column: 'end_period', match: 'atLeast', value }],
  } as const
  const files = filesOf(plan, at).map(({ path }) => path)
  const values = [
    { kind: 'files', value: files },
    { kind: 'instant', value },
    ...(keys.length > 0 ? [{ kind: 'names' as const, value: keys }] : []),
  ] as const
  return await raw.run({ text: text.replace('FILES', duckdbDialect.files(0)), values })
}

const byDay = (keys: boolean) =>
  `SELECT end_period, (${earned})::VARCHAR AS earned FROM FILES WHERE end_period >= $2` +
  `${keys ? ' AND hotspot_key IN (SELECT unnest($3))' : ''} GROUP BY ALL ORDER BY end_period`
const byHotspot =
  `SELECT hotspot_key, (${earned})::VARCHAR AS earned FROM FILES WHERE end_period >= $2 AND hotspot_key IS NOT NULL ` +
  `GROUP BY ALL ORDER BY ${earned} DESC, hotspot_key LIMIT 100`

const known = await sql(400n, {
  text: 'SELECT DISTINCT hotspot_key FROM FILES WHERE end_period >= $2 AND hotspot_key IS NOT NULL ORDER BY hotspot_key',
  keys: [],
})
const all = known.map((row) => String(row.hotspot_key))

const cases = [
  { name: 'network, 90 days by day', days: 89n, keys: [], groupBy: null },
  { name: '100 hotspots, 365 days by day', days: 364n, keys: all.slice(0, 100), groupBy: null },
  {
    name: `${Math.min(5000, all.length)} hotspots, 365 days by day`,
    days: 364n,
    keys: all.slice(0, 5000),
    groupBy: null,
  },
  { name: 'top 100 hotspots of 30 days', days: 29n, keys: [], groupBy: 'hotspot' },
] as const

for (const { name, days, keys, groupBy } of cases) {
  const request: SeriesRequest = {
    ...{ interval: groupBy === null ? 'day' : 'all', tz: 'UTC', groupBy, limit: 100 },
    ...(keys.length > 0 && { hotspotKeys: keys }),
  }
  const filters = { from: last - days * DAY, to: last }
  const ask = async () => {
    const asked = services.repository.series(iotRewardShares, filters, request, at)
    return { by: asked.by, series: asked.known() ?? (await asked.read()) }
  }
  const plain: Sql = { text: groupBy === null ? byDay(keys.length > 0) : byHotspot, keys }
  const { by, series } = await ask()
  const rows = series.rows.filter(({ group }) => groupBy === null || group !== null)
  deepStrictEqual(
    rows.map((row) => String(row.earned)),
    (await sql(days, plain)).map((row) => String(row.earned)),
  )
  const [ours, theirs] = [await timed(ask), await timed(() => sql(days, plain))]
  const ratio = (theirs / ours).toFixed(1)
  console.log(
    `${name}: ${rows.length} rows, by ${by}; ${ours.toFixed(2)} ms, plain SQL ${theirs.toFixed(2)} ms (${ratio} times)`,
  )
}
raw.close()
await services.close()

/** The median of some rounds, in milliseconds. */
async function timed(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < Number(rounds); round += 1) {
    const begun = performance.now()
    await run()
    times.push(performance.now() - begun)
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}
