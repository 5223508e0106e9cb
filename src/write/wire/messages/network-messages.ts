import type { rewardManifests } from '../../../catalog/l2/reward-manifests.ts'
import type { NetworkId } from '../../../catalog/networks.ts'
import type { RowOf } from '../../../catalog/resource.ts'
import type { WireFields } from '../field.ts'
import { iotRewardShareFields } from './iot-reward-share.ts'
import { mobileRewardShareFields } from './mobile-reward-share.ts'

type ManifestRow = RowOf<typeof rewardManifests>
export type DecodedManifest = {
  -readonly [C in keyof Omit<ManifestRow, 'source_file' | 'ordinal'>]: ManifestRow[C]
}

/** Columns of a manifest that have an `_exact` column. */
export type DecimalColumn = {
  [C in keyof DecodedManifest]: `${C}_exact` extends keyof DecodedManifest ? C : never
}[keyof DecodedManifest]

/** Messages of one network's oracles. */
interface NetworkMessages {
  readonly share: WireFields
  /** Field number of the reward data in a manifest. */
  readonly dataField: number
  /** Columns of the reward data, in the order of their field numbers from 1. */
  readonly decimals: readonly DecimalColumn[]
  /** Field number of the service providers' promotions in the reward data. */
  readonly promotionsField?: number
}

export const networkMessages: Readonly<Record<NetworkId, NetworkMessages>> = {
  iot: {
    share: iotRewardShareFields,
    dataField: 5,
    decimals: [
      'poc_bones_per_beacon_reward_share',
      'poc_bones_per_witness_reward_share',
      'dc_bones_per_share',
    ],
  },
  mobile: {
    share: mobileRewardShareFields,
    dataField: 4,
    decimals: ['poc_bones_per_reward_share', 'boosted_poc_bones_per_reward_share'],
    promotionsField: 3,
  },
}

/** Field number of the token in the reward data of any network. */
export const TOKEN_FIELD = 4
