import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { amount, type Column, optional, text } from '../../src/catalog/column.ts'
import type { l1Gateways } from '../../src/catalog/l1/gateways.ts'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import { openRowBlocks } from '../../src/index/row-blocks.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { compact } from '../../src/write/compact/compact.ts'
import { columnFields } from '../../src/write/wire/field.ts'
import { readExact } from '../support/exact-json.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { deriveAll } from '../support/lakes/derive-all.ts'
import { askAgain, keptBodies, keptLakes } from '../support/lakes/kept-lakes.ts'
import { craftArtifact } from '../support/messages/craft-artifacts.ts'
import { rawOf } from '../support/messages/wire-by-hand.ts'
import { openTestWriter } from '../support/open-test-writer.ts'
import { askGraphql, connectionOf } from '../support/servers/ask-graphql.ts'
import { askSql } from '../support/servers/ask-sql.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { readEntries } from '../support/tables/delta-table.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A build whose messages, records and ledger have a column that the builds before did not know. */
vi.mock('../../src/catalog/l2/iot-reward-shares.ts', async (original) => {
  const module = await original<{ iotRewardShares: typeof iotRewardShares }>()
  const { iotRewardShares: old } = module
  const { variants, totals, filters, columns, graphql } = old
  const cases = { ...variants.cases }
  const gateway_reward = { ...cases.gateway_reward, bonus_amount: 'bonus_amount', bonus_kind: 'bonus_kind' }
  return {
    ...module,
    iotRewardShares: {
      ...old,
      columns: {
        ...columns,
        bonus_amount: optional(amount('Reward of a kind to come, in bones.')),
        bonus_kind: optional(text('The kind.')),
      },
      variants: { ...variants, cases: { ...cases, gateway_reward }, mayLack: ['bonus_amount', 'bonus_kind'] },
      totals: { ...totals, total_bonus_amount: 'bonus_amount' },
      filters: { ...filters, bonus_kind: { column: 'bonus_kind', match: 'equals', doc: 'The kind.' } },
      graphql: { ...graphql, fields: { ...graphql.fields, bonus_amount: 'bonus_amount' } },
    },
  }
})
vi.mock('../../src/write/wire/messages/iot-reward-share.ts', async (original) => {
  const { iotRewardShareFields: old } = await original<{ iotRewardShareFields: Record<number, unknown> }>()
  const gateway = old[3] as { readonly fields: Record<number, unknown> }
  const fields = {
    ...gateway.fields,
    5: columnFields.amount('bonus_amount'),
    6: columnFields.text('bonus_kind'),
  }
  return { iotRewardShareFields: { ...old, 3: { ...gateway, fields } } }
})
const withCountry = vi.hoisted(
  () =>
    (old: Partial<Resource>, column: Column): Partial<Resource> => ({
      ...old,
      columns: { ...old.columns, country: column },
      record: { ...old.record, country: 'country' },
      filters: { ...old.filters, country: { column: 'country', match: 'equals', doc: 'Its country.' } },
    }),
)
vi.mock('../../src/catalog/l2/makers.ts', async (original) => {
  const { makers } = await original<{ makers: Resource }>()
  return { makers: withCountry(makers, optional(text('Country.'))) }
})
/** Sorted by the new column as well. */
vi.mock('../../src/catalog/l1/gateways.ts', async (original) => {
  const { l1Gateways: old } = await original<{ l1Gateways: typeof l1Gateways }>()
  const access = { ...old.access, counts: ['country'], sorted: ['country', ...old.access.sorted] }
  return { l1Gateways: { ...withCountry(old, optional(text('Country.'))), access } }
})
/** Whose indexes in the state folder were made before the columns. */
vi.mock('../../src/catalog/l1/rewards.ts', async (original) => {
  const { l1Rewards } = await original<{ l1Rewards: Resource }>()
  return { l1Rewards: withCountry(l1Rewards, optional(text('Country.'))) }
})

const [kept] = keptLakes
if (kept === undefined) throw new Error('no lake was kept')
const JANUARY = 'from=2025-01-28&to=2025-01-31'
/** More than a double holds. */
const BONUS = 2n ** 63n + 1n
const day = { start_period: 1_738_022_400_000_000n, end_period: 1_738_108_800_000_000n }

let home: string
let lake: string
let server: TestServer
const json = async (path: string) => readExact<Record<string, never>>((await server.get(path)).text)
const reopen = async () => {
  await server?.close()
  server = await buildTestServer(lake)
}

beforeAll(async () => {
  home = await temporaryFolder()
  kept.copyTo(home)
  lake = join(home, 'lake')
  await reopen()
})

describe('columns that are newer than the lake', () => {
  it('are null in stored rows, and other responses do not change', async () => {
    expect(Object.keys(iotRewardShares.columns)).toContain('bonus_amount')
    expect(await askAgain(server, kept.answers)).toEqual(keptBodies(kept.answers))
    const { records } = (await json(
      `/l2/iot-reward-shares?${JANUARY}&reward_type=gateway_reward`,
    )) as unknown as {
      records: { reward_detail: object }[]
    }
    expect(records.length).toBeGreaterThan(10)
    for (const { reward_detail } of records)
      expect(reward_detail).toMatchObject({ bonus_amount: null, bonus_kind: null })
  })

  it('are missing from older indexes, which are rebuilt', async () => {
    const missing = async () => {
      const blocks = openRowBlocks(join(lake, '_state'), openTestWriter, { worthwhileRows: 1 })
      const tables = await blocks.load(await new Lake(lake).latest())
      blocks.close()
      return tables.map(({ resource }) => resource.name)
    }
    expect(await missing()).toContain('l1_rewards')
    await deriveAll(lake)
    expect(await missing()).toEqual([])
  })

  it('match no row in a filter, and sum to 0', async () => {
    for (const path of [
      `/l2/iot-reward-shares?${JANUARY}&bonus_kind=early`,
      '/l1/gateways?country=FR',
      '/l2/makers?country=FR',
    ])
      expect((await json(path)).meta, path).toMatchObject({ count: 0n, total_pages: 1n })
    const all = await json(`/l2/iot-reward-shares/totals?${JANUARY}`)
    expect(all).toMatchObject({ total_bonus_amount: 0n })
    const some = await json(`/l2/iot-reward-shares/totals?${JANUARY}&bonus_kind=early`)
    expect(some).toMatchObject({ total_bonus_amount: 0n, total_beacon_amount: 0n })
  })
})

describe('rows with a new column and rows without it', () => {
  let hotspot: string
  let sums: Record<string, bigint>
  const ofHotspot = () => `/l2/iot-reward-shares?${JANUARY}&hotspot_key=${hotspot}&per_page=100`

  beforeAll(async () => {
    const { records } = (await json(
      `/l2/iot-reward-shares?${JANUARY}&reward_type=gateway_reward`,
    )) as unknown as {
      records: { reward_detail: { hotspot_key: string } }[]
    }
    hotspot = records[0]?.reward_detail.hotspot_key ?? ''
    sums = (await json(`/l2/iot-reward-shares/totals?${JANUARY}`)) as Record<string, bigint>
    const key = rawOf(hotspot)
    const file = craftArtifact(home, 'iot_reward_share', 1_738_110_600_999, [
      {
        ...day,
        reward_type: 'gateway_reward',
        hotspot_key: key,
        beacon_amount: 3n,
        bonus_amount: BONUS,
        bonus_kind: 'early',
      } as never,
      { ...day, reward_type: 'gateway_reward', hotspot_key: key, beacon_amount: 4n } as never,
    ])
    const [maker] = (await json('/l2/makers')).objects as unknown as Record<string, unknown>[]
    const makers = join(home, 'makers-new.ndjson')
    const digits = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)
    writeFileSync(makers, `${JSON.stringify({ ...maker, country: 'FR' }, digits)}\n`)
    const rewards = join(home, 'rewards', 'data_xab.csv.gz')
    mkdirSync(dirname(rewards))
    // One behind all rewards of its month, and one that closes the month.
    const lines = ['600000,late,1600100000,a,g,7,poc_witness\n', '700000,next,1620000000,a,g,7,poc_witness\n']
    writeFileSync(
      rewards,
      gzipSync(`block,transaction_hash,time,account,gateway,amount,type\n${lines.join('')}`),
    )
    expect(await ingestInto(lake, [file, makers, rewards])).toMatchObject({ stored: 3, failed: [] })
    await reopen()
  })

  it('are one list, one total and one set of GraphQL nodes', () => expectBoth())

  it('are still one list after a compaction and with indexes', async () => {
    const rewards = '/l1/rewards?from=2020-09-01&to=2020-10-01&per_page=100&page=3'
    const before = (await server.get(rewards)).text
    expect(before).toContain('"transaction_hash":"late"')
    const compacted = await compact({ lake, months: undefined, openWriter: openTestWriter })
    expect(compacted.map(({ table }) => table)).toEqual(
      expect.arrayContaining(['iot_reward_shares', 'l1_rewards']),
    )
    await reopen()
    expect((await server.get(rewards)).text).toBe(before)
    await expectBoth()
    await deriveAll(lake)
    await reopen()
    await expectBoth()
    const known = await server.get(ofHotspot())
    expect(known.headers['server-timing']).toMatch(/desc="index"$/)
  })

  it('are declared in the schema of the table', async () => {
    const table = await new Lake(lake).latest()
    expect(table.table(iotRewardShares).files.map((file) => file.lacks)).toContainEqual([])
    const actions = readEntries(join(lake, 'iot_reward_shares')).flatMap((entry) => entry.actions)
    expect(actions.flatMap(({ metaData }) => metaData?.schemaString ?? []).at(-1)).toContain('"bonus_amount"')
  })

  async function expectBoth(): Promise<void> {
    const { records } = (await json(ofHotspot())) as unknown as {
      records: { end_period: string; reward_detail: { beacon_amount: bigint; bonus_amount: bigint | null } }[]
    }
    const bonuses = records.map(({ reward_detail }) => reward_detail.bonus_amount)
    expect(bonuses.length).toBeGreaterThan(2)
    expect(bonuses.filter((bonus) => bonus !== null)).toEqual([BONUS, 0n])
    expect(await json(`/l2/iot-reward-shares/totals?${JANUARY}`)).toMatchObject({
      total_beacon_amount: (sums.total_beacon_amount ?? 0n) + 7n,
      total_bonus_amount: BONUS,
    })
    const found = await json(`/l2/iot-reward-shares?${JANUARY}&bonus_kind=early`)
    expect(found.meta).toMatchObject({ count: 1n })
    expect(await json(`/l2/iot-reward-shares/totals?${JANUARY}&hotspot_key=${hotspot}`)).toMatchObject({
      total_bonus_amount: BONUS,
    })
    const query = `{ iotRewardShares(startPeriod: "2025-01-28", endPeriod: "2025-01-31", hotspotKey: "${hotspot}") {
      nodes { bonusAmount } } }`
    const { nodes } = connectionOf<{ bonusAmount: string | null }>(
      await askGraphql(server.server, query),
      'iotRewardShares',
    )
    expect(nodes.map(({ bonusAmount }) => bonusAmount)).toEqual(
      bonuses.map((bonus) => bonus?.toString() ?? null),
    )
    expect((await json('/l2/makers?country=FR')).meta).toMatchObject({ count: 1n })
    expect((await json('/l2/makers')).meta).toMatchObject({ count: 6n })
    const [[count, bonus, formatted, makers] = []] = await askSql(
      lake,
      `SELECT count(bonus_amount), sum(bonus_amount), max(formatted_bonus_amount IS NULL),
         (SELECT count(country) FROM makers) FROM iot_rewards`,
    )
    expect([count, bonus, formatted, makers]).toEqual(['2', BONUS.toString(), 'true', '1'])
  }
})
