import type { IotShare } from '../../../src/write/sample/shares.ts'
import { dayBefore, hotspot, iotShare, manifest, mobileShare, type OracleFiles } from '../lakes/make-lake.ts'
import { len, message, num, period } from '../messages/oracle-messages.ts'

const MOST = 2n ** 64n - 1n
const gateway = { ...dayBefore('2025-01-24'), reward_type: 'gateway_reward' } as const
const iot = (amounts: Partial<IotShare>, number = 1) =>
  iotShare({ ...gateway, hotspot_key: hotspot(number).raw, ...amounts })
const data = (dc_transfer_reward: bigint) =>
  mobileShare({
    ...gateway,
    hotspot_key: hotspot(2).raw,
    dc_transfer_reward,
    rewardable_bytes: 1n,
    price: 1n,
  })

/** Prices in their base units: none, the least, those just below and at the one from which there are no USD, and the greatest. */
const prices = [0n, 1n, 3n, 250_000_007n, 10n ** 14n - 1n, 10n ** 14n, MOST]

/**
 * Files of shares with the least and the greatest amounts, a pair for each token and price, and their manifests; a file that two
 * manifests name, one without any, and one that is refused.
 */
export function extremeFiles(): OracleFiles {
  const files: Record<string, readonly Uint8Array[]> = {}
  const tokens = ['iot_reward_token_iot', 'iot_reward_token_main'] as const
  for (const [place, token] of tokens.entries()) {
    for (const [step, price] of prices.entries()) {
      const time = 1_737_700_000_000 + place * 1000 + step
      const names = { iot: `iot_reward_share.${time}.gz`, mobile: `mobile_reward_share.${time}.gz` }
      files[`iot/${names.iot}`] = [
        iot({ beacon_amount: MOST, witness_amount: MOST, dc_transfer_amount: MOST }),
        iot({ beacon_amount: 1n, witness_amount: 0n, dc_transfer_amount: 999_999n }, 2),
        iotShare({ ...gateway, reward_type: 'operational_reward', amount: MOST }),
      ]
      files[`mobile/${names.mobile}`] = [data(0n), data(1n), data(5n), data(MOST)]
      const own = { price, epoch: BigInt(20_000 + step) }
      files[`iot/reward_manifest.${time}.gz`] = [
        manifest({ ...own, reward_type: 'iot', token, written_files: [names.iot] }),
      ]
      const mobile = place === 0 ? 'mobile_reward_token_mobile' : 'mobile_reward_token_main'
      files[`mobile/reward_manifest.${time + 500}.gz`] = [
        manifest({ ...own, token: mobile, written_files: [names.mobile] }),
      ]
    }
  }
  const twice = 'iot_reward_share.1737700009000.gz'
  return {
    ...files,
    [`iot/${twice}`]: [iot({ beacon_amount: 123_456_789n })],
    'iot/reward_manifest.999.gz': [
      manifest({ reward_type: 'iot', token: tokens[0], price: 7n, written_files: [twice] }),
    ],
    'iot/reward_manifest.0001000.gz': [
      manifest({ reward_type: 'iot', token: tokens[1], price: 8n, written_files: [twice] }),
    ],
    // The second is of a variant that no build of today knows, and becomes a row of rejects.
    'iot/iot_reward_share.1737700009001.gz': [
      iot({ beacon_amount: 5n }),
      message(period(), len(12, num(1, 5))),
    ],
  }
}
