import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { openLake } from '../../../src/lake/snapshot/lake.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { key, makeNetwork, olderLake } from '../../support/lakes/retry-network.ts'
import { copySmallLake } from '../../support/lakes/small-lake.ts'
import { liveRows } from '../../support/read-answers.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { some } from '../../support/some.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let folder: string
let lake: string

beforeAll(async () => {
  folder = await temporaryFolder()
  lake = join(folder, 'lake')
  await copySmallLake(lake)
})

/** Lists of shares need days. */
const always = ['--from', '2025-01-01', '--to', '2026-01-01']

async function exported(
  list: string,
  name: string,
  flags: readonly string[] = list.endsWith('_shares') ? always : [],
  of = lake,
): Promise<string> {
  const out = join(folder, name)
  const args = ['export', list, '--lake', of, '--out', out, '--force', ...flags]
  expect(await runMain(args, { cwd: folder })).toMatchObject({ code: 0, stderr: '' })
  return out
}

const newLake = async () => join(await temporaryFolder(), 'lake')

async function tableOf(of: string, table: string) {
  const at = await (await openLake(of)).latest()
  const found = at.tables.find(({ resource }) => resource.name === table)
  const rows = Object.entries(await liveRows(of)).filter(([name]) => name.startsWith(`${table} `))
  return {
    sources: [...(found?.sources ?? [])].sort(),
    rows: rows.map(([name, own]) => [name, own.map((row) => Object.entries(row).join())]),
  }
}

const tables = [
  ...['iot_reward_shares', 'mobile_reward_shares', 'hotspots', 'makers'],
  ...['l1_rewards', 'l1_transactions', 'l1_accounts', 'l1_gateways', 'l1_packets', 'l1_dc_burns'],
]

describe('ingest of the Parquet file of a list', () => {
  it.each(tables)('restores every row and source of %s', async (table) => {
    const file = await exported(table, `${table}.parquet`)
    const copy = await newLake()
    expect(await ingestInto(copy, [file])).toMatchObject({ skipped: 0, failed: [] })
    const expected = await tableOf(lake, table)
    expect(some(expected.sources).length).toBeGreaterThan(0)
    expect(await tableOf(copy, table)).toEqual(expected)
    const again = await ingestInto(copy, [file])
    expect([again.stored, again.skipped]).toEqual([0, expected.sources.length])
  })

  it('names the sources that it has a part of, and those with refused messages', async () => {
    const older = await olderLake(key(2), [(await makeNetwork()).input])
    // Both files of IoT shares have three periods.
    // The pay of some rows is too wide for Parquet.
    const columns = ['--columns', Object.keys(iotRewardShares.columns).join()]
    const days = [...columns, '--from', '2025-01-30', '--to', '2025-01-31']
    const part = await exported('iot_reward_shares', 'part.parquet', days, older.lake)
    const { stored, failed } = await ingestInto(await newLake(), [part])
    expect(stored).toBe(0)
    const partial = /^it has [1-9]\d* rows of (\S+), a part of it; export it without limits/
    expect(failed.map(({ reason }) => partial.exec(reason)?.[1]).sort()).toEqual([
      'iot_reward_share.1738371600001.gz',
      'iot_reward_share.1738371600002.gz',
    ])
    const whole = await exported('iot_reward_shares', 'refused.parquet', [...columns, ...always], older.lake)
    const refusing = await ingestInto(await newLake(), [whole])
    expect(some(refusing.failed).map(({ reason }) => reason)).toContainEqual(
      expect.stringMatching(/^it has 0 of the \d+ refused messages of iot_reward_share/),
    )
  })

  it.each([
    ['fewer columns', [...always, '--columns', 'id,hotspot_key,beacon_amount']],
    ['another filter', [...always, '--reward-type', 'gateway_reward']],
  ])('refuses a file with %s', async (_, flags) => {
    const file = await exported('iot_reward_shares', 'filtered.parquet', flags)
    const copy = await newLake()
    const { stored, failed } = await ingestInto(copy, [file])
    expect([stored, failed]).toEqual([
      0,
      [
        {
          path: file,
          reason: expect.stringMatching(/^it does not record the sources of its rows; expected/),
        },
      ],
    ])
  })
})
