import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../src/catalog/l2/mobile-reward-shares.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import { openRowBlocks } from '../../src/index/row-blocks.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { deriveBlocks } from '../support/lakes/derive-all.ts'
import { dayBefore, hotspot, iotReward, makeLake, mobileReward } from '../support/lakes/make-lake.ts'
import { openTestWriter } from '../support/open-test-writer.ts'

const DAYS = ['2025-01-10', '2025-01-11']
/** More than a block has, so that keys are numbered across blocks. */
const HOTSPOTS = 300

const amountOf = (day: number, number: number) => BigInt(day * 1000 + number)
const eachOf = <T>(make: (date: string, number: number, amount: bigint) => T) =>
  DAYS.map((date, day) =>
    Array.from({ length: HOTSPOTS }, (_, number) => make(date, number, amountOf(day, number))),
  )

it.each([
  [
    'iot',
    'beacon_amount',
    iotRewardShares,
    eachOf((...given) => iotReward(given[0], given[1], { beacon_amount: given[2] })),
  ],
  [
    'mobile',
    'dc_transfer_reward',
    mobileRewardShares,
    eachOf((...given) => mobileReward(given[0], given[1], { dc_transfer_reward: given[2] })),
  ],
] as const)(
  'every row of %s shares is built with its key and its amount, in the order of the bytes of keys',
  async (network, column, resource: Resource, days) => {
    const lake = await makeLake(
      Object.fromEntries(
        days.map((shares, day) => [`${network}/${network}_reward_share.${day + 1}.gz`, shares]),
      ),
    )
    await deriveBlocks(lake.folder)
    const state = join(lake.folder, '_state')
    const blocks = openRowBlocks(state, openTestWriter, { worthwhileRows: 1 })
    onTestFinished(() => blocks.close())
    const at = await new Lake(lake.folder).latest()
    expect(await blocks.load(at)).toEqual([])

    const names = ['end_period', 'hotspot_key', column]
    const ranges = at.table(resource).files.map(({ path, rows }) => ({ file: path, first: 0, end: rows }))
    const found = blocks.rows(ranges, names)
    const byKey = Array.from({ length: HOTSPOTS }, (_, number) => number).sort((a, b) =>
      hotspot(a).text < hotspot(b).text ? -1 : 1,
    )
    const wanted = DAYS.flatMap((date, day) =>
      byKey.map((number) => ({
        end_period: dayBefore(date).end_period,
        hotspot_key: hotspot(number).text,
        [column]: amountOf(day, number),
      })),
    )
    expect(found).toHaveLength(2 * HOTSPOTS)
    expect(found).toEqual(wanted)
  },
)
