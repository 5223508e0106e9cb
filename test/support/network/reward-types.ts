export type Network = 'iot' | 'mobile'

/** Texts that are hard to order or to quote. */
const oddTexts = ['', 'a', 'B', 'é', '\uffff', '\u{1d11e}', "'; --", '%', 'a\nb', 'Zwei, "drei"', '\\']

/** Members of each type of reward, as the wire has them: amounts, and texts with what they may be. */
export const membersOfTypes: Readonly<
  Record<Network, Readonly<Record<string, readonly [readonly string[], Readonly<Record<string, string[]>>]>>>
> = {
  iot: {
    gateway_reward: [['beacon_amount', 'witness_amount', 'dc_transfer_amount'], {}],
    operational_reward: [['amount'], {}],
    // 17 is a number that no release knows a name for.
    unallocated_reward: [
      ['amount'],
      {
        unallocated_reward_type: ['unallocated_reward_type_poc', 'unallocated_reward_type_data', '17'],
      },
    ],
  },
  mobile: {
    radio_reward: [['dc_transfer_reward', 'poc_reward'], { cbsd_id: oddTexts }],
    gateway_reward: [['dc_transfer_reward'], {}],
    subscriber_reward: [['discovery_location_amount', 'subscriber_reward'], {}],
    service_provider_reward: [['amount'], { service_provider_id: ['helium_mobile', '5'] }],
    unallocated_reward: [
      ['amount'],
      {
        unallocated_reward_type: ['unallocated_reward_type_poc', 'unallocated_reward_type_mapper', '99'],
      },
    ],
    radio_reward_v2: [
      ['base_poc_reward', 'boosted_poc_reward'],
      {
        cbsd_id: ['', 'P27-2'],
        base_coverage_points_sum: ['0', '258.93124298'],
        base_reward_shares: [
          '12.000000000000000001',
          '7',
          '9',
          '10',
          '-10',
          '-9.5',
          '99999999999999999999.9',
        ],
        sp_boosted_hex_status: ['sp_boosted_hex_status_eligible', '44'],
      },
    ],
    promotion_reward: [['service_provider_amount', 'matched_amount'], { entity: oddTexts }],
  },
}

export const withHotspot: ReadonlySet<string> = new Set(['gateway_reward', 'radio_reward', 'radio_reward_v2'])
export const rewardTypes = (network: Network): readonly string[] => Object.keys(membersOfTypes[network])

/** The columns with amounts. */
export const amountsOf = (network: Network): readonly string[] => [
  ...new Set(Object.values(membersOfTypes[network]).flatMap(([amounts]) => amounts)),
]
