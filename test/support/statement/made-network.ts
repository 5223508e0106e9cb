import { join } from 'node:path'
import { writeCsvPart } from '../archive/csv.ts'
import { ingestInto } from '../lakes/build-lake.ts'
import {
  at,
  dayBefore,
  hotspot,
  iotShare,
  type MadeLake,
  makeLake,
  manifest,
  mobileShare,
} from '../lakes/make-lake.ts'
import { hotspotRecord, writeRecords } from '../messages/record-files.ts'

/** A few hotspots of two owners, with whatever is hard about the year 2025 in Berlin. */

type Period = { readonly start_period: bigint; readonly end_period: bigint }

const between = (start: string, end: string): Period => ({ start_period: at(start), end_period: at(end) })
const iot = (period: Period, number: number, beacon: bigint, witness = 0n, data = 0n) =>
  iotShare({
    ...period,
    reward_type: 'gateway_reward',
    hotspot_key: hotspot(number).raw,
    ...{ beacon_amount: beacon, witness_amount: witness, dc_transfer_amount: data },
  })
const data = (date: string, number: number, bones: bigint) =>
  mobileShare({
    ...dayBefore(date),
    reward_type: 'gateway_reward',
    hotspot_key: hotspot(number).raw,
    ...{ dc_transfer_reward: bones, rewardable_bytes: 1n, price: 1n },
  })
const said = (file: string, network: 'iot' | 'mobile', token: string, price: bigint, epoch: bigint) =>
  manifest({
    written_files: [file],
    reward_type: network,
    token: `${network}_reward_token_${token}` as never,
    price,
    epoch,
  })

const files = {
  // Before the year in both zones, and in the first hour of it in Berlin alone.
  'iot/iot_reward_share.1.gz': [
    iot(dayBefore('2025-01-01'), 1, 1000n),
    iot(between('2024-12-31T23:00:00Z', '2025-01-01T00:00:00Z'), 1, 7n),
  ],
  'iot/iot_reward_share.2.gz': [iot(dayBefore('2025-01-02'), 1, 1_500_000n, 1n, 10n)],
  // Summer time began on 30 March: the middle of the first of these is midnight in Berlin.
  'iot/iot_reward_share.3.gz': [
    iot(between('2025-03-29T22:00:00Z', '2025-03-30T00:00:00Z'), 2, 0n, 11n),
    iot(dayBefore('2025-03-31'), 2, 0n, 123_456_789n),
  ],
  // The last two are of other owners: one that the table of hotspots lacks, and one with a name.
  'iot/iot_reward_share.4.gz': [
    iot(dayBefore('2025-06-02'), 2, 77n),
    iot(dayBefore('2025-06-02'), 6, 5n),
    iot(dayBefore('2025-06-02'), 7, 8n),
  ],
  'iot/iot_reward_share.5.gz': [
    iot(dayBefore('2026-01-01'), 1, 20n),
    // In the first hour of the next year in Berlin; totals over the year's epochs count it.
    iot(between('2025-12-31T23:00:00Z', '2026-01-01T01:00:00Z'), 1, 500n),
    iot(dayBefore('2026-01-02'), 1, 30n),
  ],
  'mobile/mobile_reward_share.6.gz': [
    mobileShare({
      ...dayBefore('2025-02-15'),
      reward_type: 'radio_reward_v2',
      hotspot_key: hotspot(1).raw,
      ...{ base_poc_reward: 100n, boosted_poc_reward: 20n },
    }),
    data('2025-02-15', 1, 3n),
    mobileShare({ ...dayBefore('2025-02-15'), reward_type: 'service_provider_reward', amount: 5n }),
  ],
  'mobile/mobile_reward_share.7.gz': [data('2025-07-01', 3, 1_000_000n), data('2025-07-02', 3, 2_000_000n)],
  'iot/network_reward_manifest_v1.11.gz': [
    said('iot_reward_share.1.gz', 'iot', 'iot', 4000n, 20_088n),
    said('iot_reward_share.2.gz', 'iot', 'iot', 2500n, 20_089n),
    said('iot_reward_share.3.gz', 'iot', 'main', 250_000_000n, 20_177n),
    said('iot_reward_share.5.gz', 'iot', 'main', 0n, 20_453n),
    said('mobile_reward_share.6.gz', 'mobile', 'mobile', 1000n, 20_133n),
    said('mobile_reward_share.7.gz', 'mobile', 'main', 300_000_000n, 20_270n),
  ],
}

const rewardsHeader = ['block', 'transaction_hash', 'time', 'account', 'gateway', 'amount', 'type']
const burnsHeader = ['block', 'transaction_hash', 'actor', 'type', 'amount', 'oracle_price', 'time']
/** 2021-06-01T10:00:00Z, and a day later. */
const [june1, june2] = ['1622541600', '1622628000']
const { text: gateway } = hotspot(1)

export async function makeStatementLake(): Promise<MadeLake> {
  const made = await makeLake(files)
  const hotspots = join(made.input, 'hotspots.ndjson')
  writeRecords(hotspots, [
    hotspotRecord('a1', { ecc_key: hotspot(1).text, owner: 'owner-a' }),
    hotspotRecord('a2', { ecc_key: hotspot(2).text, owner: 'owner-a', name: 'Two, of "A"' }),
    hotspotRecord('b1', { ecc_key: hotspot(3).text, owner: 'owner-b' }),
    hotspotRecord('c1', { ecc_key: hotspot(4).text, owner: 'owner-c', name: 'Twin Red Name' }),
    hotspotRecord('c2', { ecc_key: hotspot(5).text, owner: 'owner-c', name: 'twin-red-name' }),
    hotspotRecord('c3', { ecc_key: hotspot(7).text, owner: 'owner-c', name: 'Brave Blue Heron' }),
  ])
  const [rewards, burns] = [join(made.input, 'rewards'), join(made.input, 'dc_burns')]
  writeCsvPart(
    join(rewards, 'data_0.csv.gz'),
    [
      ['100', 'hash-a', june1, 'owner-a', gateway, '150000000', 'poc_witness'],
      ['101', 'hash-b', june2, 'owner-a', gateway, '250000000', 'data_credits'],
    ],
    rewardsHeader,
  )
  writeCsvPart(
    join(burns, 'data_0.csv.gz'),
    [
      ['100', 'hash-c', 'payer', 'fee', '35000', '1450000000', june1],
      ['101', 'hash-d', 'payer', 'fee', '35000', '0', june2],
    ],
    burnsHeader,
  )
  const { failed, refusedRows } = await ingestInto(made.folder, [hotspots, rewards, burns])
  if (failed.length > 0 || refusedRows > 0) throw new Error('the made records were not taken in')
  return made
}
