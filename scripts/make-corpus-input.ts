import { mkdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { corpusInputs } from '../test/support/conformance/corpus.ts'
import {
  at,
  dayBefore,
  hotspot,
  iotShare,
  manifest,
  mobileShare,
  writeOracleFiles,
} from '../test/support/lakes/make-lake.ts'

/** Writes test/spec/corpus/input. Every value stands here; what it is for stands in the README beside it. */

const folder = corpusInputs[1]
const iot = 'oracle/foundation-iot-verified-rewards'
const mobile = 'oracle/foundation-mobile-verified'
const LARGEST = 2n ** 64n - 1n

/** One share of each type in the period that ends on 4 March. */
const oneOfEach = dayBefore('2025-03-04')
const epoch = { start_timestamp: oneOfEach.start_period, end_timestamp: oneOfEach.end_period, epoch: 20150n }
const gateway = { reward_type: 'gateway_reward', hotspot_key: hotspot(1).raw } as const

/** In the period that ends on 2 March; no manifest names their file. */
const many = Array.from({ length: 250 }, (_, index) =>
  iotShare({
    ...dayBefore('2025-03-02'),
    ...{ reward_type: 'gateway_reward', hotspot_key: hotspot(1000 + index).raw },
    beacon_amount: LARGEST - BigInt(index),
    witness_amount: BigInt(index),
  }),
)

await rm(folder, { recursive: true, force: true })
await writeOracleFiles(folder, {
  [`${iot}/iot_network_reward_shares_v1.1740924000001.gz`]: many,
  [`${iot}/iot_network_reward_shares_v1.1741046400001.gz`]: [
    iotShare({
      ...{ ...oneOfEach, ...gateway },
      beacon_amount: 469n,
      witness_amount: 374_967n,
      dc_transfer_amount: 100_000_000n,
    }),
    iotShare({ ...oneOfEach, reward_type: 'operational_reward', amount: LARGEST }),
    iotShare({
      ...{ ...oneOfEach, reward_type: 'unallocated_reward', amount: 9_007_199_254_740_993n },
      unallocated_reward_type: 'unallocated_reward_type_oracle',
    }),
  ],
  [`${iot}/network_reward_manifest_v1.1741046400101.gz`]: [
    manifest({
      ...{ ...epoch, written_files: ['iot_network_reward_shares_v1.1741046400001.gz'], price: 23_583_505n },
      ...{ reward_type: 'iot', token: 'iot_reward_token_main' },
      poc_bones_per_beacon_reward_share_exact: '45796.642391164306911',
      poc_bones_per_witness_reward_share_exact: '79615.870286030058142',
      dc_bones_per_share_exact: '4240.251820075090619',
    }),
  ],
  [`${mobile}/mobile_network_reward_shares_v1.1741046400002.gz`]: [
    mobileShare({
      ...{ ...oneOfEach, reward_type: 'radio_reward', hotspot_key: hotspot(2).raw, cbsd_id: 'P27-SCE1' },
      ...{ dc_transfer_reward: 118_844_093n, poc_reward: 113_220n, coverage_points: 7n },
    }),
    mobileShare({ ...{ ...oneOfEach, ...gateway }, dc_transfer_reward: 1n, rewardable_bytes: 5n, price: 6n }),
    mobileShare({
      ...{ ...oneOfEach, reward_type: 'subscriber_reward', subscriber_id: hotspot(3).raw },
      ...{ discovery_location_amount: 30_000_000n, subscriber_reward: 12n },
    }),
    mobileShare({
      ...{ ...oneOfEach, reward_type: 'service_provider_reward', amount: 10n ** 19n },
      service_provider_id: 'helium_mobile',
    }),
    mobileShare({
      ...{ ...oneOfEach, reward_type: 'unallocated_reward', amount: LARGEST },
      unallocated_reward_type: 'unallocated_reward_type_service_provider',
    }),
    mobileShare({
      ...{ ...oneOfEach, reward_type: 'radio_reward_v2', hotspot_key: hotspot(2).raw, cbsd_id: 'P27-SCE2' },
      ...{ base_coverage_points_sum: '258.93124298', boosted_coverage_points_sum: '0.5' },
      ...{ base_reward_shares: '12.000000000000000001', boosted_reward_shares: '0' },
      ...{ base_poc_reward: LARGEST, boosted_poc_reward: 2n ** 63n },
      seniority_timestamp: at('2025-01-27T19:39:19Z'),
      coverage_object: Buffer.from('e8b70c67b18e53afa5718cab5074f893', 'hex'),
      ...{ location_trust_score_multiplier: '0.75', speedtest_multiplier: '1' },
      sp_boosted_hex_status: 'sp_boosted_hex_status_radio_threshold_not_met',
      oracle_boosted_hex_status: 'oracle_boosted_hex_status_banned',
    }),
    mobileShare({
      ...{ ...oneOfEach, reward_type: 'promotion_reward', entity: 'Promotion one' },
      ...{ service_provider_amount: 4_000_000n, matched_amount: 2_000_000n },
    }),
  ],
  [`${mobile}/network_reward_manifest_v1.1741046400102.gz`]: [
    manifest({
      ...{ ...epoch, written_files: ['mobile_network_reward_shares_v1.1741046400002.gz'] },
      ...{ price: 329_923_000n, reward_type: 'mobile', token: 'mobile_reward_token_mobile' },
      poc_bones_per_reward_share_exact: '31358.655119335628677836557476',
      boosted_poc_bones_per_reward_share_exact: '0.9',
      service_provider_promotions: JSON.stringify([
        {
          service_provider: 'helium_mobile',
          incentive_escrow_fund_bps: 250,
          promotions: [
            {
              entity: 'Promotion one',
              start_ts: '2025-03-01T00:00:00Z',
              end_ts: '2025-04-01T00:00:00Z',
              shares: 100,
            },
          ],
        },
      ]),
    }),
  ],
})

/** Packets of one gateway in 250 blocks, as a further part of the archive: without a header. */
const lines = Array.from(
  { length: 250 },
  (_, index) =>
    `${2_000_000 + index},corpus-${String(index).padStart(3, '0')},${1_680_000_000 + index * 60},` +
    `corpus-gateway,${index + 1},${4_611_686_018_427_387_904n + BigInt(index)}\n`,
)
const packets = join(folder, 'l1-archive/blockchain-etl-export/packets/data_xab.csv.gz')
mkdirSync(dirname(packets), { recursive: true })
writeFileSync(packets, gzipSync(lines.join('')))
