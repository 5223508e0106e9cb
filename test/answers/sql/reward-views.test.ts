import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SqlSession } from '../../../src/answers/sql/sql-session.ts'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../../src/catalog/l2/mobile-reward-shares.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import {
  dayBefore,
  hotspot,
  iotShare,
  type MadeLake,
  makeLake,
  manifest,
  mobileShare,
} from '../../support/lakes/make-lake.ts'
import { hotspotRecord, makerRecord, writeRecords } from '../../support/messages/record-files.ts'
import { openSqlSession, rowsOf, type SqlRow } from '../../support/servers/ask-sql.ts'

const DAY = '2025-02-14'
const MOST = 2n ** 64n - 1n
const gateway = { ...dayBefore(DAY), reward_type: 'gateway_reward' } as const
const ofMaker = makerRecord('m', { id: '0746cdbd-fec9-46d0-8dd4-b3c6e68cf06c', name: 'Maker M' })

const files = {
  'iot/iot_reward_share.1.gz': [
    iotShare({
      ...gateway,
      hotspot_key: hotspot(1).raw,
      beacon_amount: 123_456_789n,
      witness_amount: 1n,
      dc_transfer_amount: 10n,
    }),
    iotShare({
      ...gateway,
      hotspot_key: hotspot(2).raw,
      beacon_amount: MOST,
      witness_amount: MOST,
      dc_transfer_amount: MOST,
    }),
    iotShare({ ...dayBefore(DAY), reward_type: 'operational_reward', amount: 5n }),
  ],
  'iot/iot_reward_share.2.gz': [
    iotShare({ ...gateway, hotspot_key: hotspot(1).raw, beacon_amount: 1_500_000n }),
  ],
  'iot/iot_reward_share.3.gz': [iotShare({ ...gateway, hotspot_key: hotspot(3).raw, beacon_amount: 7n })],
  'iot/iot_reward_share.4.gz': [iotShare({ ...gateway, hotspot_key: hotspot(3).raw, beacon_amount: 8n })],
  'mobile/mobile_reward_share.5.gz': [
    mobileShare({
      ...dayBefore(DAY),
      reward_type: 'radio_reward_v2',
      hotspot_key: hotspot(1).raw,
      base_poc_reward: 100n,
      boosted_poc_reward: 20n,
    }),
    mobileShare({
      ...gateway,
      hotspot_key: hotspot(1).raw,
      dc_transfer_reward: 3n,
      rewardable_bytes: 9n,
      price: 8n,
    }),
    mobileShare({
      ...dayBefore(DAY),
      reward_type: 'promotion_reward',
      entity: 'e',
      service_provider_amount: 6n,
      matched_amount: 4n,
    }),
  ],
  // Of two manifests that name a file the later one counts, by the time in its name and not by the text of it.
  'iot/reward_manifest.10.gz': [
    manifest({
      written_files: ['iot_reward_share.1.gz'],
      reward_type: 'iot',
      token: 'iot_reward_token_main',
      price: 250_000_000n,
      epoch: 20133n,
    }),
  ],
  'iot/reward_manifest.9.gz': [
    manifest({
      written_files: ['iot_reward_share.1.gz', 'iot_reward_share.2.gz'],
      reward_type: 'iot',
      token: 'iot_reward_token_iot',
      price: 1_234n,
      epoch: 7n,
    }),
  ],
  'iot/reward_manifest.11.gz': [
    manifest({
      written_files: ['iot_reward_share.4.gz'],
      reward_type: 'iot',
      token: 'iot_reward_token_main',
      price: 0n,
    }),
  ],
  'mobile/reward_manifest.12.gz': [
    manifest({
      written_files: ['mobile_reward_share.5.gz'],
      token: 'mobile_reward_token_mobile',
      price: 2n ** 31n,
    }),
  ],
}

let made: MadeLake
let session: SqlSession
const ask = (statement: string) => rowsOf(session, statement)

beforeAll(async () => {
  made = await makeLake(files)
  const path = join(made.input, 'hotspots.ndjson')
  writeRecords(path, [
    hotspotRecord('b', { ecc_key: hotspot(1).text, name: 'brave-heron', owner: 'second', maker: ofMaker }),
    hotspotRecord('a', { ecc_key: hotspot(1).text, name: 'brave-heron', owner: 'first', maker: ofMaker }),
    hotspotRecord('c', { ecc_key: hotspot(2).text, name: 'calm-otter', owner: 'third' }),
  ])
  const makers = join(made.input, 'makers.ndjson')
  writeRecords(makers, [ofMaker])
  expect(await ingestInto(made.folder, [path, makers])).toMatchObject({ stored: 2, failed: [] })
  session = await openSqlSession(made.folder)
})
afterAll(() => session.close())

const inOrder = 'FROM iot_rewards ORDER BY source_file, ordinal'

describe('the joined view of IoT rewards', () => {
  it('has the token, epoch and price of the latest manifest of a file, and nulls without one', async () => {
    expect(await ask(`SELECT token, epoch, price_usd ${inOrder}`)).toEqual([
      ...Array<SqlRow>(3).fill(['iot_reward_token_main', '20133', '2.50000000']),
      ['iot_reward_token_iot', '7', '0.00123400'],
      [null, null, null],
      // A price that was left out is none.
      ['iot_reward_token_main', '0', null],
    ])
  })

  it('has every amount in whole tokens, by the digits of its token', async () => {
    expect(
      await ask(`SELECT formatted_beacon_amount, formatted_witness_amount, formatted_amount ${inOrder}`),
    ).toEqual([
      ['1.23456789', '0.00000001', null],
      ['184467440737.09551615', '184467440737.09551615', null],
      [null, null, '0.00000005'],
      ['1.50000000', '0.00000000', null],
      [null, null, null],
      ['0.00000008', '0.00000000', null],
    ])
  })

  it('has what a hotspot was paid to the last unit, and its value in USD', async () => {
    expect(await ask(`SELECT earned, formatted_earned, usd ${inOrder}`)).toEqual([
      ['123456800', '1.23456800', '3.0864200000000000'],
      ['55340232221128654845', '553402322211.28654845', '1383505805528.2163711250000000'],
      [null, null, null],
      ['1500000', '1.50000000', '0.0018510000000000'],
      ['7', null, null],
      ['8', '0.00000008', null],
    ])
  })

  it('names hotspot, owner and maker, and counts no share twice where two assets have one key', async () => {
    expect(await ask(`SELECT hotspot_name, owner, maker_name, day, month ${inOrder}`)).toEqual([
      ['brave-heron', 'first', 'Maker M', '2025-02-13', '2025-02'],
      ['calm-otter', 'third', null, '2025-02-13', '2025-02'],
      [null, null, null, '2025-02-13', '2025-02'],
      ['brave-heron', 'first', 'Maker M', '2025-02-13', '2025-02'],
      [null, null, null, '2025-02-13', '2025-02'],
      [null, null, null, '2025-02-13', '2025-02'],
    ])
  })
})

describe('the joined view of mobile rewards', () => {
  it('counts base and boosted coverage as earned, formats both, and has the offloaded bytes', async () => {
    expect(
      await ask(
        `SELECT reward_type, earned, formatted_base_poc_reward, formatted_dc_transfer_reward, offloaded_bytes, usd, price
         FROM mobile_rewards ORDER BY ordinal`,
      ),
    ).toEqual([
      ['radio_reward_v2', '120', '0.00010000', null, null, '0.2576980377600000', null],
      ['gateway_reward', '3', null, '0.00000300', '3', '0.0064424509440000', '8'],
      ['promotion_reward', null, null, null, null, null, null],
    ])
    expect(await ask('SELECT formatted_matched_amount FROM mobile_rewards WHERE earned IS NULL')).toEqual([
      ['0.00000400'],
    ])
  })
})

describe('views and tables', () => {
  it.each([
    [iotRewardShares.name, 'iot_rewards', 'beacon_amount'],
    [mobileRewardShares.name, 'mobile_rewards', 'base_poc_reward'],
  ])('%s has the rows and sums of %s', async (table, view, column) => {
    const of = (name: string) => ask(`SELECT count(*), sum(${column}) FROM ${name}`)
    const found = await of(view)
    expect(Number(found[0]?.[0])).toBeGreaterThan(2)
    expect(found).toEqual(await of(table))
  })

  it('all exist, with or without rows, and have exact types', async () => {
    const doubles = await ask('DESCRIBE iot_rewards')
    expect(doubles.filter(([, type]) => type === 'DOUBLE' || type === 'HUGEINT')).toEqual([])
    expect(Object.fromEntries(doubles.map(([name, type]) => [name, type]))).toMatchObject({
      earned: 'DECIMAL(20,0)',
      formatted_earned: 'DECIMAL(28,8)',
      price_usd: 'DECIMAL(28,8)',
      usd: 'DECIMAL(38,16)',
    })
    expect(await ask('SELECT count(*), max(amount) FROM l1_rewards')).toEqual([['0', null]])
  })
})
