import { deepStrictEqual } from 'node:assert'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { statementOf } from '../../src/answers/statement/statement.ts'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../src/catalog/l2/mobile-reward-shares.ts'
import { ALL_GROUPS } from '../../src/catalog/query/group-range.ts'
import type { SeriesRequest } from '../../src/catalog/query/series-parameters.ts'
import { duckdbDialect } from '../../src/engine/duckdb/duckdb-dialect.ts'
import { filesOf } from '../../src/engine/prune.ts'
import { buildDerived } from '../../src/services/derived.ts'
import { openServices } from '../../src/services/services.ts'
import { readSettings } from '../../src/services/settings/settings.ts'
import { at as instantOf } from '../../test/support/lakes/make-lake.ts'
import { bytesBelow } from '../peers/bytes.ts'
import { ingestNetwork } from '../support/make-lake.ts'
import { networkSizes, quickTry, type Workload } from '../support/network.ts'
import { median, spreadOf } from '../support/percentiles.ts'
import { openRawDuckdb } from '../support/raw-duckdb.ts'
import { report, resultOf } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type SeriesCase, type SeriesResult, seriesTables } from './table.ts'

/**
 * Series in process beside plain SQL over the same files: answers are compared first, then both take turns. `--lake` and `--owners` take
 * lakes that are there already: of size M, and of a year of 20,000 hotspots.
 */

const { values: flags } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    lake: { type: 'string' },
    owners: { type: 'string' },
    rounds: { type: 'string', default: '31' },
  },
})
const year: Workload = { name: '365 days x 20,000 hotspots', days: 365, hotspots: 20_000, seed: '1' }
const parent = temporaryFolder()
const earned = (iotRewardShares.earned ?? []).map((column) => `coalesce(sum(${column}), 0)`).join(' + ')
const cases: SeriesCase[] = []
const built: SeriesResult['built'][number][] = []

await measure(flags.small ? quickTry : networkSizes.M, flags.lake, async (bench) => {
  await bench.compare('network, 90 days by day', { days: 90 })
  await bench.compare('top 100 hotspots of a month', { month: true, groupBy: 'hotspot' })
  await bench.compare('top 100 hotspots of 29 days', { days: 29, groupBy: 'hotspot' })
  await bench.compare('top 100 hotspots of 80 days', { days: 80, groupBy: 'hotspot' })
})
await measure(flags.small ? quickTry : year, flags.owners, async (bench) => {
  await bench.compare('100 hotspots, a year by day', { days: 365, hotspots: 100 })
  await bench.compare('5,000 hotspots, a year by day', { days: 365, hotspots: 5000 })
  for (const hotspots of [75, 750]) await bench.compareStatement(hotspots)
})
const workloads = flags.small ? [quickTry] : [networkSizes.M, year]
const result: SeriesResult = { ...resultOf('series', workloads, cases), built }
report(result, seriesTables(result), !flags.small)

interface Asked {
  /** The newest days; or the month before that of the newest. */
  readonly days?: number
  readonly month?: true
  readonly hotspots?: number
  readonly groupBy?: 'hotspot'
}

interface Bench {
  compare(name: string, asked: Asked): Promise<void>
  /** A statement of hotspots over a year, beside their IoT rewards in SQL. */
  compareStatement(hotspots: number): Promise<void>
}

async function measure(
  workload: Workload,
  given: string | undefined,
  run: (bench: Bench) => Promise<void>,
): Promise<void> {
  const lake = given ?? (await ingestNetwork(parent, workload))
  const settings = readSettings({}, { lake })
  built.push(await buildSums(workload, lake))
  const services = await openServices(settings, { worthwhileRows: flags.small ? 1 : 10_000 })
  const raw = await openRawDuckdb(settings)
  const at = await services.lake.latest()
  await services.warm(at)
  const newest = at.table(iotRewardShares).statistics.newestPeriod ?? 0n
  const micros = (ms: number) => BigInt(ms) * 1000n

  async function sql(text: string, from: bigint, to: bigint, keys: readonly string[]) {
    const [first, last] = [from, to].map((value) => instantOf(new Date(Number(value / 1000n)).toISOString()))
    const where = [{ column: 'end_period', match: 'atLeast', value: from }] as const
    const files = filesOf({ resource: iotRewardShares, where }, at).map(({ path }) => path)
    const values = [
      { kind: 'files', value: files },
      ...[first ?? 0n, last ?? 0n].map((value) => ({ kind: 'instant', value }) as const),
      ...(keys.length > 0 ? [{ kind: 'names' as const, value: keys }] : []),
    ] as const
    return await raw.run({ text: text.replace('FILES', duckdbDialect.files(0)), values })
  }

  const inRange = 'end_period >= $2 AND end_period <= $3'
  const ofKeys = 'hotspot_key IN (SELECT unnest($4))'
  const rewards =
    'SELECT hotspot_key, end_period, reward_type, source_file, ordinal, ' +
    `(${(iotRewardShares.earned ?? []).join(' + ')})::VARCHAR AS earned FROM FILES`
  const dayOf = (instant: bigint) => new Date(Number(instant / 1000n)).toISOString().slice(0, 10)
  const byDay = (hasKeys: boolean) =>
    `SELECT end_period, (${earned})::VARCHAR AS earned FROM FILES WHERE ${inRange}` +
    `${hasKeys ? ` AND ${ofKeys}` : ''} GROUP BY ALL ORDER BY end_period`
  const byHotspot =
    `SELECT hotspot_key, (${earned})::VARCHAR AS earned FROM FILES WHERE ${inRange} AND hotspot_key IS NOT NULL ` +
    `GROUP BY ALL ORDER BY ${earned} DESC, hotspot_key LIMIT 100`
  const everyKey = `SELECT DISTINCT hotspot_key FROM FILES WHERE ${inRange} AND hotspot_key IS NOT NULL ORDER BY 1`
  const all = (await sql(everyKey, 0n, newest, [])).map((row) => String(row.hotspot_key))

  await run({
    async compare(name, { days = 0, month, hotspots, groupBy }) {
      const last = new Date(Number(newest / 1000n) - 1)
      const [y, m] = [last.getUTCFullYear(), last.getUTCMonth()]
      const to = month ? micros(Date.UTC(y, m, 1)) : newest
      // The epochs of a month end from its second day to the first of the next.
      const from = month ? micros(Date.UTC(y, m - 1, 2)) : newest - BigInt(days - 1) * 86_400_000_000n
      const keys = hotspots === undefined ? [] : all.slice(0, hotspots)
      const request: SeriesRequest = {
        ...{
          interval: groupBy === undefined ? 'day' : 'all',
          tz: 'UTC',
          groupBy: groupBy ?? null,
          limit: 100,
        },
        ...(keys.length > 0 && { hotspotKeys: keys }),
      }
      const ask = async () => {
        const asked = services.repository.series(iotRewardShares, { from, to }, request, at)
        return { by: asked.by, series: asked.peek() ?? (await asked.read()) }
      }
      const text = groupBy === undefined ? byDay(keys.length > 0) : byHotspot
      const plain = () => sql(text, from, to, keys)
      const { by, series } = await ask()
      const own = [...series.rows].filter(({ group }) => groupBy === undefined || group !== null)
      const sums = own.map((row) => [...(groupBy === undefined ? [] : [row.group]), String(row.earned)])
      const theirs = (await plain()).map((row) => [
        ...(groupBy === undefined ? [] : [String(row.hotspot_key)]),
        String(row.earned),
      ])
      deepStrictEqual(sums, theirs)
      await time(name, own.length, by, ask, plain)
    },

    async compareStatement(hotspots) {
      const keys = all.slice(0, hotspots)
      const year = 365n * 86_400_000_000n
      const days = { first: dayOf(newest - year), last: dayOf(newest - 1n) }
      const holder = { keys: keys.map((key) => ({ key, ...days })) }
      const ask = async () => {
        const parts = statementOf(services.repository, { holder, days, tz: 'UTC' }, at)
        let part = await parts.next()
        while (part.done !== true) part = await parts.next()
        return part.value
      }
      const plain = () =>
        sql(`${rewards} WHERE ${inRange} AND ${ofKeys} ORDER BY ALL`, newest - year + 1n, newest, keys)
      const rows = await plain()
      const { totals } = (await ask()) as { totals: readonly { network: string; earned: string }[] }
      const earnedOf = (one: (typeof rows)[number]) => BigInt(String(one.earned))
      deepStrictEqual(
        totals.filter(({ network }) => network === 'iot').map((one) => one.earned),
        [String(rows.reduce((sum, one) => sum + earnedOf(one), 0n))],
      )
      const by = services.index.covers(at.table(iotRewardShares), ALL_GROUPS) ? 'index' : 'engine'
      await time(`statement of ${hotspots} hotspots, a year`, rows.length, by, ask, plain)
    },
  })
  raw.close()
  await services.close()

  /** Times both in turns. */
  async function time(
    name: string,
    rows: number,
    by: string,
    ask: () => Promise<unknown>,
    plain: () => Promise<unknown>,
  ): Promise<void> {
    const times: { ours: number; sql: number }[] = []
    for (let round = 0; round < Number(flags.rounds); round += 1)
      times.push(
        round % 2 === 0
          ? { ours: await timed(ask), sql: await timed(plain) }
          : await timed(plain).then(async (taken) => ({ sql: taken, ours: await timed(ask) })),
      )
    const ratios = times.map((one) => one.sql / one.ours)
    cases.push({
      ...{ name, network: workload.name, rows, by, ratios, ratio: median(ratios) },
      ours: spreadOf(times.map((one) => one.ours)),
      sql: spreadOf(times.map((one) => one.sql)),
    })
  }
}

/** Builds the index by hotspot of a lake anew; what else is derived is there. */
async function buildSums({ name: network }: Workload, lake: string): Promise<SeriesResult['built'][number]> {
  const settings = readSettings({}, { lake })
  await buildDerived(settings, { onFailure: () => {} })
  const sums = join(lake, '_state', 'by-key')
  rmSync(sums, { recursive: true, force: true })
  const [cpu, begun] = [process.cpuUsage(), performance.now()]
  await buildDerived(settings, { onFailure: () => {} })
  const seconds = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const services = await openServices(settings)
  const at = await services.lake.latest()
  await services.close()
  const tables = [iotRewardShares, mobileRewardShares]
  const shares = tables.reduce((sum, table) => sum + at.table(table).rows, 0)
  const folders = tables.map(({ name }) => join(lake, name))
  const sumsBytes = bytesBelow(sums)
  const allBytes = folders.reduce((sum, folder) => sum + bytesBelow(folder), sumsBytes)
  return { network, shares, seconds, cpuSeconds: (user + system) / 1e6, sumsBytes, allBytes }
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await run()
  return performance.now() - begun
}
