// Written by `npm run reference` from the OpenAPI document. Change the catalog, not this file.

import type { Instant, WithFind, WithList, WithSeries, WithTotals } from './calls.ts'

/** The tables of a lake. */
export interface Tables {
  /** One reward for one period on the IoT network. */
  readonly iotRewardShares: WithList<IotRewardShare, IotRewardSharesQuery> &
    WithTotals<IotRewardShareTotals, IotRewardSharesTotalsQuery> &
    WithSeries<IotRewardShareSeries, IotRewardShareSeriesMeta, IotRewardSharesSeriesQuery>
  /** One reward for one period on the Mobile network. */
  readonly mobileRewardShares: WithList<MobileRewardShare, MobileRewardSharesQuery> &
    WithTotals<MobileRewardShareTotals, MobileRewardSharesTotalsQuery> &
    WithSeries<MobileRewardShareSeries, MobileRewardShareSeriesMeta, MobileRewardSharesSeriesQuery>
  /** A maker of hotspots. */
  readonly makers: WithList<Maker, MakersQuery> & WithFind<Maker>
  /** A hotspot of the L2 ledger. */
  readonly hotspots: WithList<Hotspot, HotspotsQuery> & WithFind<Hotspot>
  /** Balances of an account at the end of the L1 ledger. */
  readonly l1Accounts: WithList<L1Account, L1AccountsQuery> & WithFind<L1Account>
  /** A transaction of the L1 ledger. */
  readonly l1Transactions: WithList<L1Transaction, L1TransactionsQuery> & WithFind<L1Transaction>
  /** The role of an address in a transaction; an address with two roles has two rows. */
  readonly l1TransactionActors: WithList<L1TransactionActor, L1TransactionActorsQuery>
  /** Data Credits that a transaction of the L1 ledger burned. */
  readonly l1DcBurns: WithList<L1DcBurn, L1DcBurnsQuery>
  /** State of a gateway at the end of the L1 ledger. */
  readonly l1Gateways: WithList<L1Gateway, L1GatewaysQuery> & WithFind<L1Gateway>
  /** Packets that a gateway carried, as one state channel of the L1 ledger summed them. */
  readonly l1Packets: WithList<L1Packet, L1PacketsQuery>
  /** A reward that the L1 ledger paid. */
  readonly l1Rewards: WithList<L1Reward, L1RewardsQuery> &
    WithSeries<L1RewardSeries, L1RewardSeriesMeta, L1RewardsSeriesQuery>
}

/** Members that all of IotRewardSharesSeriesQuery, MobileRewardSharesSeriesQuery, L1RewardsSeriesQuery have. */
export interface SeriesQuery {
  /** First day that was paid, as in 2025-02-01, or its month, as in 2025-02. With last_day, instead of from and to. */
  readonly firstDay?: string
  /** Last day that was paid, included; of a month its last day. */
  readonly lastDay?: string
  /** Time zone of the days, from the IANA database, such as Europe/Berlin. */
  readonly tz?: string
  /** Maximum number of groups for each token: the groups with the highest earnings over the whole range. */
  readonly limit?: number | bigint
  /** Adds a member `coverage`: which days and manifests the range has, and which it lacks. */
  readonly coverage?: boolean
}

export interface IotRewardSharesQuery {
  /** Earliest end of the period, included. ISO 8601; a bare date means 00:00 UTC. Required unless first_day and last_day are given. */
  readonly from?: Instant
  /** Latest end of the period, included. ISO 8601; a bare date means 00:00 UTC. Required unless first_day and last_day are given. */
  readonly to?: Instant
  /** Key of the rewarded hotspot, exact. */
  readonly hotspotKey?: string
  /** Type of the reward, exact. */
  readonly rewardType?: 'gateway_reward' | 'operational_reward' | 'unallocated_reward'
  /** First day that was paid, as in 2025-02-01, or its month, as in 2025-02. With last_day, instead of from and to. */
  readonly firstDay?: string
  /** Last day that was paid, included; of a month its last day. */
  readonly lastDay?: string
}

export interface IotRewardSharesTotalsQuery {
  /** Earliest end of the period, included. ISO 8601; a bare date means 00:00 UTC. Required unless first_day and last_day are given. */
  readonly from?: Instant
  /** Latest end of the period, included. ISO 8601; a bare date means 00:00 UTC. Required unless first_day and last_day are given. */
  readonly to?: Instant
  /** Key of the rewarded hotspot, exact. */
  readonly hotspotKey?: string
  /** Type of the reward, exact. */
  readonly rewardType?: 'gateway_reward' | 'operational_reward' | 'unallocated_reward'
  /** First day that was paid, as in 2025-02-01, or its month, as in 2025-02. With last_day, instead of from and to. */
  readonly firstDay?: string
  /** Last day that was paid, included; of a month its last day. */
  readonly lastDay?: string
  /** Adds a member `coverage`: which days and manifests the range has, and which it lacks. */
  readonly coverage?: boolean
}

export interface IotRewardSharesSeriesQuery extends SeriesQuery {
  /** Earliest end of the period, included. ISO 8601; a bare date means 00:00 UTC. Required unless first_day and last_day are given. */
  readonly from?: Instant
  /** Latest end of the period, included. ISO 8601; a bare date means 00:00 UTC. Required unless first_day and last_day are given. */
  readonly to?: Instant
  /** Type of the reward, exact. */
  readonly rewardType?: 'gateway_reward' | 'operational_reward' | 'unallocated_reward'
  /** Length of the steps; all is the whole range in one step. A row belongs to the day, in the time zone tz, in which the middle of its epoch lies. Weeks begin on Monday. */
  readonly interval?: 'day' | 'week' | 'month' | 'all'
  /** Groups of each step. Rows without a known hotspot, owner, maker or service provider are in the group null. */
  readonly groupBy?: 'reward_type' | 'token' | 'hotspot' | 'owner' | 'maker'
  /** Address of an owner: the rewards of the hotspots that belong to it now. Owners and makers are read from the hotspots table of this snapshot; the owner at the time of the pay is unknown. */
  readonly owner?: string
  /** UUID of a maker: the rewards of the hotspots that it made. */
  readonly makerId?: string
  /** Keys or names of hotspots, separated by commas; a name of several hotspots is refused. Up to 10000 as {"hotspot_keys": [...]} in the body of a POST to the same path. */
  readonly hotspotKey?: string
  /** Adds `meta.medians`: for each known token the number of hotspots that earned more than 0, and the median of their earnings. With group_by=hotspot and interval=all; limit does not change it. */
  readonly median?: boolean
}

export interface MobileRewardSharesQuery {
  /** Earliest end of the period, included. ISO 8601; a bare date means 00:00 UTC. Required unless first_day and last_day are given. */
  readonly from?: Instant
  /** Latest end of the period, included. ISO 8601; a bare date means 00:00 UTC. Required unless first_day and last_day are given. */
  readonly to?: Instant
  /** Key of the rewarded hotspot, exact. */
  readonly hotspotKey?: string
  /** Type of the reward, exact. */
  readonly rewardType?:
    | 'radio_reward'
    | 'gateway_reward'
    | 'subscriber_reward'
    | 'service_provider_reward'
    | 'unallocated_reward'
    | 'radio_reward_v2'
    | 'promotion_reward'
  /** First day that was paid, as in 2025-02-01, or its month, as in 2025-02. With last_day, instead of from and to. */
  readonly firstDay?: string
  /** Last day that was paid, included; of a month its last day. */
  readonly lastDay?: string
}

export interface MobileRewardSharesTotalsQuery {
  /** Earliest end of the period, included. ISO 8601; a bare date means 00:00 UTC. Required unless first_day and last_day are given. */
  readonly from?: Instant
  /** Latest end of the period, included. ISO 8601; a bare date means 00:00 UTC. Required unless first_day and last_day are given. */
  readonly to?: Instant
  /** Key of the rewarded hotspot, exact. */
  readonly hotspotKey?: string
  /** Type of the reward, exact. */
  readonly rewardType?:
    | 'radio_reward'
    | 'gateway_reward'
    | 'subscriber_reward'
    | 'service_provider_reward'
    | 'unallocated_reward'
    | 'radio_reward_v2'
    | 'promotion_reward'
  /** First day that was paid, as in 2025-02-01, or its month, as in 2025-02. With last_day, instead of from and to. */
  readonly firstDay?: string
  /** Last day that was paid, included; of a month its last day. */
  readonly lastDay?: string
  /** Adds a member `coverage`: which days and manifests the range has, and which it lacks. */
  readonly coverage?: boolean
}

export interface MobileRewardSharesSeriesQuery extends SeriesQuery {
  /** Earliest end of the period, included. ISO 8601; a bare date means 00:00 UTC. Required unless first_day and last_day are given. */
  readonly from?: Instant
  /** Latest end of the period, included. ISO 8601; a bare date means 00:00 UTC. Required unless first_day and last_day are given. */
  readonly to?: Instant
  /** Type of the reward, exact. */
  readonly rewardType?:
    | 'radio_reward'
    | 'gateway_reward'
    | 'subscriber_reward'
    | 'service_provider_reward'
    | 'unallocated_reward'
    | 'radio_reward_v2'
    | 'promotion_reward'
  /** Length of the steps; all is the whole range in one step. A row belongs to the day, in the time zone tz, in which the middle of its epoch lies. Weeks begin on Monday. */
  readonly interval?: 'day' | 'week' | 'month' | 'all'
  /** Groups of each step. Rows without a known hotspot, owner, maker or service provider are in the group null. */
  readonly groupBy?: 'reward_type' | 'token' | 'hotspot' | 'owner' | 'maker' | 'service_provider'
  /** Address of an owner: the rewards of the hotspots that belong to it now. Owners and makers are read from the hotspots table of this snapshot; the owner at the time of the pay is unknown. */
  readonly owner?: string
  /** UUID of a maker: the rewards of the hotspots that it made. */
  readonly makerId?: string
  /** Keys or names of hotspots, separated by commas; a name of several hotspots is refused. Up to 10000 as {"hotspot_keys": [...]} in the body of a POST to the same path. */
  readonly hotspotKey?: string
  /** Adds `meta.medians`: for each known token the number of hotspots that earned more than 0, and the median of their earnings. With group_by=hotspot and interval=all; limit does not change it. */
  readonly median?: boolean
}

export type MakersQuery = Readonly<Record<never, never>>

export interface HotspotsQuery {
  /** Address of the owner. The L1 and the L2 spelling of a wallet are the same. */
  readonly owner?: string
  /** Identifier of the asset. */
  readonly assetId?: string
  /** Public key of the hotspot. */
  readonly eccKey?: string
  /** Networks, separated by commas; hotspots on any of them match. There are iot, mobile. */
  readonly networks?: string
  /** UUID of the maker. */
  readonly makerId?: string
  /** H3 cell, as a decimal integer, of any resolution: IoT locations inside it match. */
  readonly iotLocation?: number | bigint
  /** H3 cell, as a decimal integer, of any resolution: mobile locations inside it match. */
  readonly mobileLocation?: number | bigint
  /** Name, such as brave-blue-heron or Brave Blue Heron. */
  readonly name?: string
}

export interface L1AccountsQuery {
  /** Address of the account. The L1 and the L2 spelling of a wallet are the same. */
  readonly address?: string
}

export interface L1TransactionsQuery {
  /** Hash of the transaction. */
  readonly transactionHash?: string
  /** Type of the transaction. There are coinbase_v1, security_coinbase_v1, oui_v1, gen_gateway_v1, routing_v1, payment_v1, security_exchange_v1, consensus_group_v1, add_gateway_v1, assert_location_v1, create_htlc_v1, redeem_htlc_v1, poc_request_v1, poc_receipts_v1, vars_v1, rewards_v1, token_burn_v1, dc_coinbase_v1, token_burn_exchange_rate_v1, payment_v2, state_channel_open_v1, state_channel_close_v1, price_oracle_v1, gen_price_oracle_v1, transfer_hotspot_v1, transfer_hotspot_v2, rewards_v2, assert_location_v2, gen_validator_v1, stake_validator_v1, unstake_validator_v1, validator_heartbeat_v1, transfer_validator_stake_v1, consensus_group_failure_v1, poc_receipts_v2, add_subnetwork_v1, subnetwork_rewards_v1, subnetwork_fund_v1. */
  readonly type?: string
  /** Height of the block. */
  readonly block?: number | bigint
  /** Earliest time, included. ISO 8601; a bare date means 00:00 UTC. */
  readonly from?: Instant
  /** Latest time, included. ISO 8601; a bare date means 00:00 UTC. */
  readonly to?: Instant
  /** First day that was paid, as in 2025-02-01, or its month, as in 2025-02. With last_day, instead of from and to. */
  readonly firstDay?: string
  /** Last day that was paid, included; of a month its last day. */
  readonly lastDay?: string
}

export interface L1TransactionActorsQuery {
  /** Address of the actor. The L1 and the L2 spelling of a wallet are the same. */
  readonly actorAddress?: string
  /** Role of the actor. There are payer, payee, gateway, owner, challenger, challengee, witness, validator, reward_gateway, sc_opener, sc_closer, packet_receiver, consensus_member, oracle, router, escrow. */
  readonly actorRole?: string
  /** Hash of the transaction. */
  readonly transactionHash?: string
  /** Height of the block. */
  readonly block?: number | bigint
}

export interface L1DcBurnsQuery {
  /** Address that burned them. The L1 and the L2 spelling of a wallet are the same. */
  readonly actorAddress?: string
  /** Hash of the transaction. */
  readonly transactionHash?: string
  /** Reason of the burn. There are fee, state_channel, assert_location, add_gateway, oui, routing. */
  readonly type?: string
  /** Height of the block. */
  readonly block?: number | bigint
  /** Earliest time, included. ISO 8601; a bare date means 00:00 UTC. */
  readonly from?: Instant
  /** Latest time, included. ISO 8601; a bare date means 00:00 UTC. */
  readonly to?: Instant
  /** First day that was paid, as in 2025-02-01, or its month, as in 2025-02. With last_day, instead of from and to. */
  readonly firstDay?: string
  /** Last day that was paid, included; of a month its last day. */
  readonly lastDay?: string
}

export interface L1GatewaysQuery {
  /** Address of the gateway. */
  readonly address?: string
  /** Account that owns it. The L1 and the L2 spelling of a wallet are the same. */
  readonly ownerAddress?: string
  /** Account that paid for adding it. The L1 and the L2 spelling of a wallet are the same. */
  readonly payerAddress?: string
  /** full, light or dataonly. There are full, light, dataonly. */
  readonly mode?: string
  /** Name, such as brave-blue-heron. */
  readonly name?: string
  /** H3 cell of resolution 8, in hexadecimal digits. */
  readonly locationHex?: string
}

export interface L1PacketsQuery {
  /** Gateway that carried them. */
  readonly gatewayAddress?: string
  /** Hash of the transaction. */
  readonly transactionHash?: string
  /** Height of the block. */
  readonly block?: number | bigint
  /** Earliest time, included. ISO 8601; a bare date means 00:00 UTC. */
  readonly from?: Instant
  /** Latest time, included. ISO 8601; a bare date means 00:00 UTC. */
  readonly to?: Instant
  /** First day that was paid, as in 2025-02-01, or its month, as in 2025-02. With last_day, instead of from and to. */
  readonly firstDay?: string
  /** Last day that was paid, included; of a month its last day. */
  readonly lastDay?: string
}

export interface L1RewardsQuery {
  /** Account that was paid. The L1 and the L2 spelling of a wallet are the same. */
  readonly accountAddress?: string
  /** Gateway that earned it. */
  readonly gatewayAddress?: string
  /** Hash of the transaction. */
  readonly transactionHash?: string
  /** Type of the reward. There are poc_challenger, poc_challengee, poc_witness, dc_rewards, consensus_rewards, securities_reward. */
  readonly type?: string
  /** Height of the block. */
  readonly block?: number | bigint
  /** Earliest time, included. ISO 8601; a bare date means 00:00 UTC. */
  readonly from?: Instant
  /** Latest time, included. ISO 8601; a bare date means 00:00 UTC. */
  readonly to?: Instant
  /** First day that was paid, as in 2025-02-01, or its month, as in 2025-02. With last_day, instead of from and to. */
  readonly firstDay?: string
  /** Last day that was paid, included; of a month its last day. */
  readonly lastDay?: string
}

export interface L1RewardsSeriesQuery extends SeriesQuery {
  /** Account that was paid. The L1 and the L2 spelling of a wallet are the same. */
  readonly accountAddress?: string
  /** Gateway that earned it. */
  readonly gatewayAddress?: string
  /** Hash of the transaction. */
  readonly transactionHash?: string
  /** Type of the reward. There are poc_challenger, poc_challengee, poc_witness, dc_rewards, consensus_rewards, securities_reward. */
  readonly type?: string
  /** Height of the block. */
  readonly block?: number | bigint
  /** Earliest time, included. ISO 8601; a bare date means 00:00 UTC. */
  readonly from?: Instant
  /** Latest time, included. ISO 8601; a bare date means 00:00 UTC. */
  readonly to?: Instant
  /** Length of the steps; all is the whole range in one step. A reward belongs to the day, in the time zone tz, in which its block was made. Weeks begin on Monday. */
  readonly interval?: 'day' | 'week' | 'month' | 'all'
  /** Groups of each step. Rows without a known hotspot, owner, maker or service provider are in the group null. */
  readonly groupBy?: 'reward_type' | 'hotspot' | 'owner'
}

/** Members that all of IotRewardShareGatewayReward, IotRewardShareOperationalReward, IotRewardShareUnallocatedReward have. */
export interface IotRewardShareCommon {
  /** UUID that follows from the source file and the ordinal. */
  readonly id: string
  /** Start of the rewarded period, UTC. */
  readonly startPeriod: string
  /** End of the rewarded period, UTC; from and to limit it. */
  readonly endPeriod: string
  /** The manifest that names the source file; null while it is unknown. */
  readonly rewardManifest: RewardManifest | null
}

/** Members that all of RewardManifestIot, RewardManifestMobile have. */
export interface RewardManifestCommon {
  /** UUID that follows from the source file and the ordinal. */
  readonly id: string
  /** Names of the reward files it speaks for. */
  readonly writtenFiles: readonly string[]
  /** Start of the epoch, UTC. */
  readonly startTimestamp: string
  /** End of the epoch, UTC. */
  readonly endTimestamp: string
  /** Days since 1970-01-01; 0 when the manifest leaves it out. */
  readonly epoch: bigint
  /** Token price: USD times 10^8 for the main token, 10^6 for others; 0 when left out. Unsigned: up to 18446744073709551615 (2^64 - 1). */
  readonly price: bigint
}

/** Members that all of MobileRewardShareRadioReward, MobileRewardShareGatewayReward, MobileRewardShareSubscriberReward, MobileRewardShareServiceProviderReward, MobileRewardShareUnallocatedReward, MobileRewardShareRadioRewardV2, MobileRewardSharePromotionReward have. */
export interface MobileRewardShareCommon {
  /** UUID that follows from the source file and the ordinal. */
  readonly id: string
  /** Start of the rewarded period, UTC. */
  readonly startPeriod: string
  /** End of the rewarded period, UTC; from and to limit it. */
  readonly endPeriod: string
  /** The manifest that names the source file; null while it is unknown. */
  readonly rewardManifest: RewardManifest | null
}

/** Members that all of IotRewardShareSeriesMeta, MobileRewardShareSeriesMeta, L1RewardSeriesMeta have. */
export interface SeriesMeta {
  readonly interval: 'day' | 'week' | 'month' | 'all'
  /** The time zone of days. */
  readonly tz: string
  /** The most groups for each token; null without groups. */
  readonly limit: number | null
  /** Start of the served range if the key may not look back as far as from; otherwise null. */
  readonly fromServed: string | null
  /** Number of requested hotspots; null for the whole network. */
  readonly hotspots: number | null
  /** Median earnings of hotspots by token, over all hotspots whatever limit is; null unless median is true. */
  readonly medians:
    | readonly {
        readonly token: string
        /** Number of hotspots that earned more than 0 of it in the range. */
        readonly hotspots: number
        /** Median of their earnings; for an even number the lower of the two middle values. Of any size, also beyond 64 bits. */
        readonly median: bigint
        /** median in whole tokens; null where its decimals are unknown. */
        readonly formattedMedian: string | null
      }[]
    | null
  /** Keys of the hotspots that were requested by name; null if none was. */
  readonly names: Readonly<Record<string, string>> | null
  /** Requested keys, owners and makers without any row that the key may read, by parameter. Null if all have rows. A null instead of a list: the server could not check. */
  readonly unknown: Readonly<Record<string, readonly string[] | null>> | null
  /** Rule for the day of a row. */
  readonly days: string
  /** Columns that earned adds up. */
  readonly earned: string
  /** Source of owners and makers; null where they do not matter. */
  readonly owners: string | null
  /** Price of usd. */
  readonly usd: string
}

/** Members that all of IotRewardShareSeries, MobileRewardShareSeries, L1RewardSeries have. */
export interface Series {
  /** First day of the step; null where the whole range is one. */
  readonly start: string | null
  /** Token of the amounts, by the manifest; null while it is unknown. Amounts of different tokens do not add up. */
  readonly token: string | null
  /** Group of the row; null without grouping. */
  readonly group: string | null
  /** Name of the hotspot or maker that is the group, as the tables have it now; null if it has none. */
  readonly name: string | null
  /** Sum of amount. Of any size, also beyond 64 bits. */
  readonly totalAmount: bigint
  /** total_amount in whole tokens; null while the token is unknown. */
  readonly formattedTotalAmount: string | null
  /** earned in whole tokens; null while the token is unknown. */
  readonly formattedEarned: string | null
}

/** One reward for one period on the IoT network. Its reward_type chooses the variant. */
export type IotRewardShare =
  | IotRewardShareGatewayReward
  | IotRewardShareOperationalReward
  | IotRewardShareUnallocatedReward

/** One reward for one period on the IoT network. Its reward_type is gateway_reward. */
export interface IotRewardShareGatewayReward extends IotRewardShareCommon {
  /** Type of the reward; chooses the variant. */
  readonly rewardType?: 'gateway_reward'
  readonly rewardDetail: IotRewardShareGatewayRewardDetail
}

/** Manifest of the reward files of one epoch: their names, token and price. Its reward_type chooses the variant. */
export type RewardManifest = RewardManifestIot | RewardManifestMobile

/** Manifest of the reward files of one epoch: their names, token and price. Its reward_type is iot. */
export interface RewardManifestIot extends RewardManifestCommon {
  /** Network; chooses the variant of reward_detail. */
  readonly rewardType?: 'iot'
  readonly rewardDetail: RewardManifestIotDetail
}

/** reward_detail of iot. */
export interface RewardManifestIotDetail {
  /** poc_bones_per_beacon_reward_share as the manifest writes it. */
  readonly pocBonesPerBeaconRewardShare: string | null
  /** poc_bones_per_witness_reward_share as the manifest writes it. */
  readonly pocBonesPerWitnessRewardShare: string | null
  /** dc_bones_per_share_exact cut toward zero to an integer. Of any size. */
  readonly dcBonesPerShare: bigint | null
  /** dc_bones_per_share as the manifest writes it. */
  readonly dcBonesPerShareExact: string | null
  /** Token that the shares are paid in. Names so far: iot_reward_token_iot, iot_reward_token_main, mobile_reward_token_mobile, mobile_reward_token_main; a number without a name stands as its digits. */
  readonly token: string | null
}

/** Manifest of the reward files of one epoch: their names, token and price. Its reward_type is mobile. */
export interface RewardManifestMobile extends RewardManifestCommon {
  /** Network; chooses the variant of reward_detail. */
  readonly rewardType?: 'mobile'
  readonly rewardDetail: RewardManifestMobileDetail
}

/** reward_detail of mobile. */
export interface RewardManifestMobileDetail {
  /** poc_bones_per_reward_share_exact cut toward zero to an integer. Of any size. */
  readonly pocBonesPerRewardShare: bigint | null
  /** poc_bones_per_reward_share as the manifest writes it. */
  readonly pocBonesPerRewardShareExact: string | null
  /** boosted_poc_bones_per_reward_share_exact cut toward zero to an integer. Of any size. */
  readonly boostedPocBonesPerRewardShare: bigint | null
  /** boosted_poc_bones_per_reward_share as the manifest writes it. */
  readonly boostedPocBonesPerRewardShareExact: string | null
  /** Promotions per service provider. */
  readonly serviceProviderPromotions:
    | readonly {
        readonly serviceProvider: string
        readonly incentiveEscrowFundBps: bigint
        readonly promotions: readonly {
          readonly entity: string
          readonly startTs: string
          readonly endTs: string
          readonly shares: bigint
        }[]
      }[]
    | null
  /** Token that the shares are paid in. Names so far: iot_reward_token_iot, iot_reward_token_main, mobile_reward_token_mobile, mobile_reward_token_main; a number without a name stands as its digits. */
  readonly token: string | null
}

/** reward_detail of gateway_reward. */
export interface IotRewardShareGatewayRewardDetail {
  /** Hotspot that earned it. */
  readonly hotspotKey: string
  /** Reward for beacons, in bones. Unsigned: up to 18446744073709551615 (2^64 - 1). */
  readonly beaconAmount: bigint
  /** beacon_amount in whole tokens; null while the manifest is unknown. */
  readonly formattedBeaconAmount: string | null
  /** Reward for witnessed beacons, in bones. Unsigned: up to 18446744073709551615 (2^64 - 1). */
  readonly witnessAmount: bigint
  /** witness_amount in whole tokens; null while the manifest is unknown. */
  readonly formattedWitnessAmount: string | null
  /** Reward for transferred data, in bones. Unsigned: up to 18446744073709551615 (2^64 - 1). */
  readonly dcTransferAmount: bigint
  /** dc_transfer_amount in whole tokens; null while the manifest is unknown. */
  readonly formattedDcTransferAmount: string | null
}

/** One reward for one period on the IoT network. Its reward_type is operational_reward. */
export interface IotRewardShareOperationalReward extends IotRewardShareCommon {
  /** Type of the reward; chooses the variant. */
  readonly rewardType?: 'operational_reward'
  readonly rewardDetail: IotRewardShareOperationalRewardDetail
}

/** reward_detail of operational_reward. */
export interface IotRewardShareOperationalRewardDetail {
  /** Operational or unallocated reward, in bones. Unsigned: up to 18446744073709551615 (2^64 - 1). */
  readonly amount: bigint
  /** amount in whole tokens; null while the manifest is unknown. */
  readonly formattedAmount: string | null
}

/** One reward for one period on the IoT network. Its reward_type is unallocated_reward. */
export interface IotRewardShareUnallocatedReward extends IotRewardShareCommon {
  /** Type of the reward; chooses the variant. */
  readonly rewardType?: 'unallocated_reward'
  readonly rewardDetail: IotRewardShareUnallocatedRewardDetail
}

/** reward_detail of unallocated_reward. */
export interface IotRewardShareUnallocatedRewardDetail {
  /** The part of the emission nobody earned. Names so far: unallocated_reward_type_poc, unallocated_reward_type_operation, unallocated_reward_type_oracle, unallocated_reward_type_data; a number without a name stands as its digits. */
  readonly unallocatedRewardType: string
  /** Operational or unallocated reward, in bones. Unsigned: up to 18446744073709551615 (2^64 - 1). */
  readonly amount: bigint
  /** amount in whole tokens; null while the manifest is unknown. */
  readonly formattedAmount: string | null
}

/** Sums over all that match, exact. Summed: One reward for one period on the IoT network. */
export interface IotRewardShareTotals {
  /** Sum of beacon_amount; 0 over nothing. Of any size, also beyond 64 bits. */
  readonly totalBeaconAmount: bigint
  /** Sum of witness_amount; 0 over nothing. Of any size, also beyond 64 bits. */
  readonly totalWitnessAmount: bigint
  /** Sum of dc_transfer_amount; 0 over nothing. Of any size, also beyond 64 bits. */
  readonly totalDcTransferAmount: bigint
  /** Sum of amount; 0 over nothing. Of any size, also beyond 64 bits. */
  readonly totalAmount: bigint
  /** With coverage=true. */
  readonly coverage?: Coverage
}

/** How complete a table is over a range. A row belongs to the day with the middle of its period. On L1 it belongs to the UTC day of its block: a day from the first to the last of the ledger without any row is missing; whether a day has all its rows cannot be known, since no manifest names the files of the archive. */
export interface Coverage {
  /** Start of the range. */
  readonly from: string
  /** End of the range, included. */
  readonly to: string
  readonly epochs: {
    /** Days of the range that had ended at the newest commit. */
    readonly expected: number
    /** Days with data. */
    readonly present: number
    /** The last day with data, whatever the range; null without any. */
    readonly newest: string | null
    /** Days without data. */
    readonly missing: readonly DayRun[]
    /** null on L1, where it cannot be known. */
    readonly incomplete: readonly DayRun[] | null
    /** null on L1, where it cannot be known. */
    readonly late: readonly DayRun[] | null
    /** null on L1, where it cannot be known. */
    readonly unreadable: readonly DayRun[] | null
  }
  /** null on L1, where it cannot be known. */
  readonly manifests: {
    /** Days with a file that no manifest names. */
    readonly missing: readonly DayRun[]
  } | null
  /** null on L1, where it cannot be known. */
  readonly files: {
    /** Files that a manifest names and that are not in. */
    readonly missing: {
      /** Number of files. */
      readonly count: number
      /** The first names, at most 100. */
      readonly names: readonly string[]
    }
    /** Files that are in and that no manifest names. */
    readonly withoutManifest: {
      /** Number of files. */
      readonly count: number
      /** The first names, at most 100. */
      readonly names: readonly string[]
    }
    /** Files that a manifest names and that this program does not read. */
    readonly unreadable: {
      /** Number of files. */
      readonly count: number
      /** The first names, at most 100. */
      readonly names: readonly string[]
    }
  } | null
  /** Tokens that the manifests of the range name. */
  readonly tokens: readonly string[]
  /** True with several tokens: sums over the range add up amounts of different tokens. */
  readonly mixesTokens: boolean
  /** Start of the served range if the key may not look back as far as from; otherwise null. */
  readonly fromServed?: string
}

/** Days one after the other; the first and the last are included. */
export interface DayRun {
  readonly first: string
  readonly last: string
  /** Number of days. */
  readonly days: number
}

/** Sums of one step, token and group. Summed: One reward for one period on the IoT network. */
export interface IotRewardShareSeries extends Series {
  /** Sum of beacon_amount. Of any size, also beyond 64 bits. */
  readonly totalBeaconAmount: bigint
  /** total_beacon_amount in whole tokens; null while the token is unknown. */
  readonly formattedTotalBeaconAmount: string | null
  /** Sum of witness_amount. Of any size, also beyond 64 bits. */
  readonly totalWitnessAmount: bigint
  /** total_witness_amount in whole tokens; null while the token is unknown. */
  readonly formattedTotalWitnessAmount: string | null
  /** Sum of dc_transfer_amount. Of any size, also beyond 64 bits. */
  readonly totalDcTransferAmount: bigint
  /** total_dc_transfer_amount in whole tokens; null while the token is unknown. */
  readonly formattedTotalDcTransferAmount: string | null
  /** earned is all that hotspots were paid: beacon_amount + witness_amount + dc_transfer_amount. Of any size, also beyond 64 bits. */
  readonly earned: bigint
  /** usd is earned at the oracle price of the manifest of each epoch; null where the price of a part is unknown. */
  readonly usd: string | null
}

export interface IotRewardShareSeriesMeta extends SeriesMeta {
  readonly groupBy: 'reward_type' | 'token' | 'hotspot' | 'owner' | 'maker' | null
}

/** One reward for one period on the Mobile network. Its reward_type chooses the variant. */
export type MobileRewardShare =
  | MobileRewardShareRadioReward
  | MobileRewardShareGatewayReward
  | MobileRewardShareSubscriberReward
  | MobileRewardShareServiceProviderReward
  | MobileRewardShareUnallocatedReward
  | MobileRewardShareRadioRewardV2
  | MobileRewardSharePromotionReward

/** One reward for one period on the Mobile network. Its reward_type is radio_reward. */
export interface MobileRewardShareRadioReward extends MobileRewardShareCommon {
  /** Type of the reward; chooses the variant. */
  readonly rewardType?: 'radio_reward'
  readonly rewardDetail: MobileRewardShareRadioRewardDetail
}

/** reward_detail of radio_reward. */
export interface MobileRewardShareRadioRewardDetail {
  /** Hotspot that earned it. */
  readonly hotspotKey: string
  /** Radio of the hotspot; empty for Wi-Fi. */
  readonly cbsdId: string
  /** Reward for offloaded data, in bones. Unsigned: up to 18446744073709551615 (2^64 - 1). */
  readonly dcTransferReward: bigint
  /** dc_transfer_reward in whole tokens; null while the manifest is unknown. */
  readonly formattedDcTransferReward: string | null
  /** Reward for coverage of a v1 radio, in bones. Unsigned: up to 18446744073709551615 (2^64 - 1). */
  readonly pocReward: bigint
  /** poc_reward in whole tokens; null while the manifest is unknown. */
  readonly formattedPocReward: string | null
  /** dc_transfer_reward × 2^31 / price of the manifest, rounded half up; null while the manifest is unknown or its price is 0. Of any size, also beyond 64 bits. */
  readonly offloadedBytes: bigint | null
}

/** One reward for one period on the Mobile network. Its reward_type is gateway_reward. */
export interface MobileRewardShareGatewayReward extends MobileRewardShareCommon {
  /** Type of the reward; chooses the variant. */
  readonly rewardType?: 'gateway_reward'
  readonly rewardDetail: MobileRewardShareGatewayRewardDetail
}

/** reward_detail of gateway_reward. */
export interface MobileRewardShareGatewayRewardDetail {
  /** Hotspot that earned it. */
  readonly hotspotKey: string
  /** Reward for offloaded data, in bones. Unsigned: up to 18446744073709551615 (2^64 - 1). */
  readonly dcTransferReward: bigint
  /** dc_transfer_reward in whole tokens; null while the manifest is unknown. */
  readonly formattedDcTransferReward: string | null
  /** dc_transfer_reward × 2^31 / price of the manifest, rounded half up; null while the manifest is unknown or its price is 0. Of any size, also beyond 64 bits. */
  readonly offloadedBytes: bigint | null
}

/** One reward for one period on the Mobile network. Its reward_type is subscriber_reward. */
export interface MobileRewardShareSubscriberReward extends MobileRewardShareCommon {
  /** Type of the reward; chooses the variant. */
  readonly rewardType?: 'subscriber_reward'
  readonly rewardDetail: MobileRewardShareSubscriberRewardDetail
}

/** reward_detail of subscriber_reward. */
export interface MobileRewardShareSubscriberRewardDetail {
  /** Mapper that earned it. */
  readonly subscriberId: string
  /** Reward for discovery mapping, in bones. Unsigned: up to 18446744073709551615 (2^64 - 1). */
  readonly discoveryLocationAmount: bigint
  /** discovery_location_amount in whole tokens; null while the manifest is unknown. */
  readonly formattedDiscoveryLocationAmount: string | null
  /** Reward for verification mapping (verification_mapping_amount), in bones. Unsigned: up to 18446744073709551615 (2^64 - 1). */
  readonly subscriberReward: bigint
  /** subscriber_reward in whole tokens; null while the manifest is unknown. */
  readonly formattedSubscriberReward: string | null
}

/** One reward for one period on the Mobile network. Its reward_type is service_provider_reward. */
export interface MobileRewardShareServiceProviderReward extends MobileRewardShareCommon {
  /** Type of the reward; chooses the variant. */
  readonly rewardType?: 'service_provider_reward'
  readonly rewardDetail: MobileRewardShareServiceProviderRewardDetail
}

/** reward_detail of service_provider_reward. */
export interface MobileRewardShareServiceProviderRewardDetail {
  /** Service provider that earned it. Names so far: helium_mobile; a number without a name stands as its digits. */
  readonly serviceProviderId: string
  /** Service provider or unallocated reward, in bones. Unsigned: up to 18446744073709551615 (2^64 - 1). */
  readonly amount: bigint
  /** amount in whole tokens; null while the manifest is unknown. */
  readonly formattedAmount: string | null
}

/** One reward for one period on the Mobile network. Its reward_type is unallocated_reward. */
export interface MobileRewardShareUnallocatedReward extends MobileRewardShareCommon {
  /** Type of the reward; chooses the variant. */
  readonly rewardType?: 'unallocated_reward'
  readonly rewardDetail: MobileRewardShareUnallocatedRewardDetail
}

/** reward_detail of unallocated_reward. */
export interface MobileRewardShareUnallocatedRewardDetail {
  /** The part of the emission nobody earned. Names so far: unallocated_reward_type_poc, unallocated_reward_type_discovery_location, unallocated_reward_type_mapper, unallocated_reward_type_service_provider, unallocated_reward_type_oracle, unallocated_reward_type_data; a number without a name stands as its digits. */
  readonly unallocatedRewardType: string
  /** Service provider or unallocated reward, in bones. Unsigned: up to 18446744073709551615 (2^64 - 1). */
  readonly amount: bigint
  /** amount in whole tokens; null while the manifest is unknown. */
  readonly formattedAmount: string | null
}

/** One reward for one period on the Mobile network. Its reward_type is radio_reward_v2. */
export interface MobileRewardShareRadioRewardV2 extends MobileRewardShareCommon {
  /** Type of the reward; chooses the variant. */
  readonly rewardType?: 'radio_reward_v2'
  readonly rewardDetail: MobileRewardShareRadioRewardV2Detail
}

/** reward_detail of radio_reward_v2. */
export interface MobileRewardShareRadioRewardV2Detail {
  /** Hotspot that earned it. */
  readonly hotspotKey: string
  /** Radio of the hotspot; empty for Wi-Fi. */
  readonly cbsdId: string
  /** Coverage points before boosts. With every digit of the source. */
  readonly baseCoveragePointsSum: string
  /** Coverage points by boosts. With every digit of the source. */
  readonly boostedCoveragePointsSum: string
  /** Shares before boosts. With every digit of the source. */
  readonly baseRewardShares: string
  /** Shares by boosts. With every digit of the source. */
  readonly boostedRewardShares: string
  /** Coverage reward before boosts, in bones. Unsigned: up to 18446744073709551615 (2^64 - 1). */
  readonly basePocReward: bigint
  /** Coverage reward by boosts, in bones. Unsigned: up to 18446744073709551615 (2^64 - 1). */
  readonly boostedPocReward: bigint
  /** Since when the radio has stood there, UTC. */
  readonly seniorityTimestamp: string | null
  /** The 16 bytes of the coverage object id. */
  readonly coverageObject: string | null
  /** Multiplier by location trust. With every digit of the source. */
  readonly locationTrustScoreMultiplier: string
  /** Multiplier by speed tests. With every digit of the source. */
  readonly speedtestMultiplier: string
  /** Whether provider boosts applied. Names so far: sp_boosted_hex_status_eligible, sp_boosted_hex_status_location_score_below_threshold, sp_boosted_hex_status_radio_threshold_not_met, sp_boosted_hex_status_service_provider_ban, sp_boosted_hex_status_average_asserted_distance_over_limit, sp_boosted_hex_status_not_enough_connections; a number without a name stands as its digits. */
  readonly spBoostedHexStatus: string
  /** Whether oracle boosts applied. Names so far: oracle_boosted_hex_status_eligible, oracle_boosted_hex_status_banned, oracle_boosted_hex_status_qualified; a number without a name stands as its digits. */
  readonly oracleBoostedHexStatus: string
}

/** One reward for one period on the Mobile network. Its reward_type is promotion_reward. */
export interface MobileRewardSharePromotionReward extends MobileRewardShareCommon {
  /** Type of the reward; chooses the variant. */
  readonly rewardType?: 'promotion_reward'
  readonly rewardDetail: MobileRewardSharePromotionRewardDetail
}

/** reward_detail of promotion_reward. */
export interface MobileRewardSharePromotionRewardDetail {
  /** Entity that a promotion pays. */
  readonly entity: string
  /** Part of a promotion paid by the provider, in bones. Unsigned: up to 18446744073709551615 (2^64 - 1). */
  readonly serviceProviderAmount: bigint
  /** Part of a promotion matched by the network, in bones. Unsigned: up to 18446744073709551615 (2^64 - 1). */
  readonly matchedAmount: bigint
}

/** Sums over all that match, exact. Summed: One reward for one period on the Mobile network. */
export interface MobileRewardShareTotals {
  /** Sum of dc_transfer_reward; 0 over nothing. Of any size, also beyond 64 bits. */
  readonly totalDcTransferReward: bigint
  /** Sum of poc_reward; 0 over nothing. Of any size, also beyond 64 bits. */
  readonly totalPocReward: bigint
  /** Sum of subscriber_reward; 0 over nothing. Of any size, also beyond 64 bits. */
  readonly totalSubscriberReward: bigint
  /** Sum of discovery_location_amount; 0 over nothing. Of any size, also beyond 64 bits. */
  readonly totalDiscoveryLocationAmount: bigint
  /** Sum of service_provider_amount; 0 over nothing. Of any size, also beyond 64 bits. */
  readonly totalServiceProviderAmount: bigint
  /** Sum of matched_amount; 0 over nothing. Of any size, also beyond 64 bits. */
  readonly totalMatchedAmount: bigint
  /** Sum of offloaded bytes of dc_transfer_reward, each row rounded; rows of an unknown price add nothing; 0 over nothing. Of any size, also beyond 64 bits. */
  readonly totalOffloadedBytes: bigint
  /** With coverage=true. */
  readonly coverage?: Coverage
}

/** Sums of one step, token and group. Summed: One reward for one period on the Mobile network. */
export interface MobileRewardShareSeries extends Series {
  /** Sum of dc_transfer_reward. Of any size, also beyond 64 bits. */
  readonly totalDcTransferReward: bigint
  /** total_dc_transfer_reward in whole tokens; null while the token is unknown. */
  readonly formattedTotalDcTransferReward: string | null
  /** Sum of poc_reward. Of any size, also beyond 64 bits. */
  readonly totalPocReward: bigint
  /** total_poc_reward in whole tokens; null while the token is unknown. */
  readonly formattedTotalPocReward: string | null
  /** Sum of subscriber_reward. Of any size, also beyond 64 bits. */
  readonly totalSubscriberReward: bigint
  /** total_subscriber_reward in whole tokens; null while the token is unknown. */
  readonly formattedTotalSubscriberReward: string | null
  /** Sum of discovery_location_amount. Of any size, also beyond 64 bits. */
  readonly totalDiscoveryLocationAmount: bigint
  /** total_discovery_location_amount in whole tokens; null while the token is unknown. */
  readonly formattedTotalDiscoveryLocationAmount: string | null
  /** Sum of service_provider_amount. Of any size, also beyond 64 bits. */
  readonly totalServiceProviderAmount: bigint
  /** total_service_provider_amount in whole tokens; null while the token is unknown. */
  readonly formattedTotalServiceProviderAmount: string | null
  /** Sum of matched_amount. Of any size, also beyond 64 bits. */
  readonly totalMatchedAmount: bigint
  /** total_matched_amount in whole tokens; null while the token is unknown. */
  readonly formattedTotalMatchedAmount: string | null
  /** Sum of offloaded bytes of dc_transfer_reward, each row rounded; rows of an unknown price add nothing. Of any size, also beyond 64 bits. */
  readonly totalOffloadedBytes: bigint
  /** Sum of base_poc_reward. Of any size, also beyond 64 bits. */
  readonly totalBasePocReward: bigint
  /** total_base_poc_reward in whole tokens; null while the token is unknown. */
  readonly formattedTotalBasePocReward: string | null
  /** Sum of boosted_poc_reward. Of any size, also beyond 64 bits. */
  readonly totalBoostedPocReward: bigint
  /** total_boosted_poc_reward in whole tokens; null while the token is unknown. */
  readonly formattedTotalBoostedPocReward: string | null
  /** earned is all that hotspots were paid: dc_transfer_reward + poc_reward + base_poc_reward + boosted_poc_reward. Of any size, also beyond 64 bits. */
  readonly earned: bigint
  /** usd is earned at the oracle price of the manifest of each epoch; null where the price of a part is unknown. */
  readonly usd: string | null
}

export interface MobileRewardShareSeriesMeta extends SeriesMeta {
  readonly groupBy: 'reward_type' | 'token' | 'hotspot' | 'owner' | 'maker' | 'service_provider' | null
}

/** A maker of hotspots. */
export interface Maker {
  /** UUID that the import brought, or one that follows from the address. */
  readonly id: string
  /** Address on the L2 ledger. */
  readonly address: string
  /** Address that may change the maker. */
  readonly updateAuthority: string
  /** Address that may issue hotspots. */
  readonly issuingAuthority: string
  /** Name. */
  readonly name: string
  /** Bump seed of the address. */
  readonly bumpSeed: number
  /** Address of the collection of its hotspots. */
  readonly collection: string
  /** Address of the tree that holds its hotspots. */
  readonly merkleTree: string
  /** Bump seed of the collection. */
  readonly collectionBumpSeed: number
  /** Address of the organisation it belongs to. */
  readonly dao: string
}

/** A hotspot of the L2 ledger. */
export interface Hotspot {
  /** UUID that the import brought, or one that follows from the asset. */
  readonly id: string
  /** Identifier of the asset on the L2 ledger. */
  readonly assetId: string
  /** Public key of the hotspot. */
  readonly eccKey: string
  /** Address of the owner. */
  readonly owner: string
  /** Networks that it serves. */
  readonly networks: readonly ('iot' | 'mobile')[]
  /** Three words that follow from the key. */
  readonly name: string
  readonly iotInfo: {
    /** H3 cell of resolution 12. */
    readonly location: bigint | null
    /** Height above ground, in metres. */
    readonly elevation: number | null
    /** Antenna gain, in tenths of a dBi. */
    readonly gain: number | null
    /** Whether it earns for coverage too. */
    readonly isFullHotspot: boolean | null
    /** How often its location was set. */
    readonly numLocationAsserts: number | null
    /** Whether it is active. */
    readonly isActive: boolean | null
    /** Data Credits paid for adding it. */
    readonly dcOnboardingFeePaid: bigint | null
  }
  readonly mobileInfo: {
    /** H3 cell of resolution 12. */
    readonly location: bigint | null
    /** Whether it earns for coverage too. */
    readonly isFullHotspot: boolean | null
    /** How often its location was set. */
    readonly numLocationAsserts: number | null
    /** Whether it is active. */
    readonly isActive: boolean | null
    /** Data Credits paid for adding it. */
    readonly dcOnboardingFeePaid: bigint | null
    /** Type of the device. */
    readonly deviceType: 'cbrs' | 'wifi_indoor' | 'wifi_outdoor' | 'wifi_data_only' | null
    /** Number of the antenna model. */
    readonly antenna: bigint | null
    /** Direction of the antenna, in degrees. */
    readonly azimuth: number | null
    /** Tilt of its mounting, in degrees. */
    readonly mechanicalDownTilt: number | null
    /** Tilt of its beam, in degrees. */
    readonly electricalDownTilt: number | null
  }
  /** The maker; as the import brought it while makers has none of its id, null while it is unknown. */
  readonly maker: Maker | Readonly<Record<string, unknown>> | null
}

/** Balances of an account at the end of the L1 ledger. */
export interface L1Account {
  /** UUID that follows from the first characters of address. */
  readonly id: string
  /** Address on the L1 ledger. */
  readonly address: string
  /** Main tokens, in bones; a token is 100,000,000 bones. */
  readonly balance: bigint
  /** Nonce of the newest transaction. */
  readonly nonce: bigint
  /** Data Credits. */
  readonly dcBalance: bigint
  /** Nonce of Data Credit transactions. */
  readonly dcNonce: bigint
  /** Security tokens, in bones. */
  readonly securityBalance: bigint
  /** Nonce of security token transactions. */
  readonly securityNonce: bigint
  /** First block with the account. */
  readonly firstBlock: bigint
  /** Last block in which the account was active. */
  readonly lastBlock: bigint
  /** Staked main tokens, in bones. */
  readonly stakedBalance: bigint
  /** Mobile tokens, in their smallest unit. */
  readonly mobileBalance: bigint
  /** IoT tokens, in their smallest unit. */
  readonly iotBalance: bigint
}

/** A transaction of the L1 ledger. */
export interface L1Transaction {
  /** UUID that follows from the first characters of transaction_hash. */
  readonly id: string
  /** Height of the block. */
  readonly block: bigint
  /** Hash of the transaction, base64url. */
  readonly transactionHash: string
  /** Type, such as payment_v2. */
  readonly type: string
  /** Fields of the transaction; they depend on its type. */
  readonly fields: Readonly<Record<string, unknown>> | null
  /** Time of the block, whole seconds since 1970, UTC. */
  readonly time: bigint
}

/** The role of an address in a transaction; an address with two roles has two rows. */
export interface L1TransactionActor {
  /** UUID that follows from the source file and the ordinal. */
  readonly id: string
  /** Address of an account, gateway, validator or router. */
  readonly actorAddress: string
  /** Role in the transaction, such as payer. */
  readonly actorRole: string
  /** Hash of the transaction, base64url. */
  readonly transactionHash: string
  /** Height of the block. */
  readonly block: bigint
}

/** Data Credits that a transaction of the L1 ledger burned. */
export interface L1DcBurn {
  /** UUID that follows from the source file and the ordinal. */
  readonly id: string
  /** Height of the block. */
  readonly block: bigint
  /** Hash of the transaction, base64url. */
  readonly transactionHash: string
  /** Address that burned them: payer of a fee, owner, or gateway. */
  readonly actorAddress: string
  /** Reason of the burn, such as fee or state_channel. */
  readonly type: string
  /** Data Credits. */
  readonly amount: bigint
  /** Price of the main token at that block, USD times 10^8; 0 when there was none. */
  readonly oraclePrice: bigint
  /** Time of the block, whole seconds since 1970, UTC. */
  readonly time: bigint
}

/** State of a gateway at the end of the L1 ledger. */
export interface L1Gateway {
  /** UUID that follows from the first characters of address. */
  readonly id: string
  /** Address of the gateway. */
  readonly address: string
  /** Account that owns it. */
  readonly ownerAddress: string | null
  /** Account that paid for adding it. */
  readonly payerAddress: string | null
  /** H3 cell of resolution 12, in hexadecimal digits. */
  readonly location: string | null
  /** H3 cell of resolution 8 around it, in hexadecimal digits. */
  readonly locationHex: string | null
  /** Block of its last challenge. */
  readonly lastPocChallenge: bigint | null
  /** Hash of the key of that challenge. */
  readonly lastPocOnionKeyHash: string | null
  /** Gateways that witnessed it. */
  readonly witnesses: Readonly<Record<string, unknown>> | null
  /** Block in which it was added. */
  readonly firstBlock: bigint
  /** Last block in which it was changed. */
  readonly lastBlock: bigint
  /** Nonce of the newest transaction. */
  readonly nonce: bigint
  /** Three words that follow from the address. */
  readonly name: string | null
  /** When it was added, UTC. */
  readonly firstTimestamp: string | null
  /** Share of the reward for its location, 0 to 1. With every digit of the source. */
  readonly rewardScale: string | null
  /** Height above ground, in metres. */
  readonly elevation: number
  /** Antenna gain, in tenths of a dBi. */
  readonly gain: number
  /** full, light or dataonly. */
  readonly mode: string | null
}

/** Packets that a gateway carried, as one state channel of the L1 ledger summed them. */
export interface L1Packet {
  /** UUID that follows from the source file and the ordinal. */
  readonly id: string
  /** Height of the block. */
  readonly block: bigint
  /** Hash of the transaction, base64url. */
  readonly transactionHash: string
  /** Time of the block, whole seconds since 1970, UTC. */
  readonly time: bigint
  /** Gateway that carried them. */
  readonly gatewayAddress: string | null
  /** Packets. */
  readonly numPackets: bigint
  /** Data Credits paid for them. */
  readonly numDcs: bigint
}

/** A reward that the L1 ledger paid. */
export interface L1Reward {
  /** UUID that follows from the source file and the ordinal. */
  readonly id: string
  /** Height of the block. */
  readonly block: bigint
  /** Hash of the transaction, base64url. */
  readonly transactionHash: string
  /** Time of the block, whole seconds since 1970, UTC. */
  readonly time: bigint
  /** Account that was paid. */
  readonly accountAddress: string | null
  /** Gateway or validator that earned it; 1Wh4bh stands for none. */
  readonly gatewayAddress: string | null
  /** Main tokens, in bones. */
  readonly amount: bigint
  /** Type of the reward, such as poc_witness. */
  readonly type: string
}

/** Sums of one step, token and group. Summed: A reward that the L1 ledger paid. */
export interface L1RewardSeries extends Series {
  /** earned is amount, in bones of the main token. Of any size, also beyond 64 bits. */
  readonly earned: bigint
  /** usd is null: rewards of the L1 ledger name no price. */
  readonly usd: string | null
}

export interface L1RewardSeriesMeta extends SeriesMeta {
  readonly groupBy: 'reward_type' | 'hotspot' | 'owner' | null
}

/** Tables of the lake, and how complete they are. */
export interface Status {
  /** Id of the snapshot. */
  readonly snapshot: string
  /** The tables that exist. */
  readonly tables: readonly {
    /** Name of the table. */
    readonly table: string
    /** Rows that it has. */
    readonly rows: bigint
    /** Files that it was filled from. */
    readonly sources: number
    /** Messages that could not be rows. */
    readonly refused: number
    /** End of the period; null without periods. */
    readonly firstPeriod: string | null
    /** End of the period; null without periods. */
    readonly lastPeriod: string | null
    /** From its first day to the last of any table; null for a table without days. */
    readonly coverage: Coverage | null
  }[]
  /** Damaged tables, which `tables` leaves out; coverage that needs them is null. Missing if no table is damaged. */
  readonly unreadable?: readonly string[]
  /** Sources that the lake is synchronized with, and their delay. Missing without sources and with as_of. */
  readonly sources?: readonly {
    /** When it was last fetched whole; null if it never was. */
    readonly doneAt: string | null
    /** Whether the newest try failed. */
    readonly isFailing: boolean
    /** Files that could not be ingested. */
    readonly refused: number
    /** Files that manifests name and the source lacks. */
    readonly missing: number
  }[]
}

/** Pay of an owner: by L2 for its hotspots, by L1 to its account. */
export interface Statement {
  /** First served day if the key may not look back as far as from; otherwise null. */
  readonly fromServed: string | null
  readonly missing: {
    /** Days without any reward in the lake. */
    readonly days: readonly {
      /** iot or mobile. */
      readonly network: string
      /** First day. */
      readonly first: string
      /** Last day, included. */
      readonly last: string
    }[]
    /** Days without a file that a manifest names. */
    readonly files: readonly {
      /** iot or mobile. */
      readonly network: string
      /** First day. */
      readonly first: string
      /** Last day, included. */
      readonly last: string
    }[]
    /** Days with files that no manifest names. */
    readonly manifests: readonly {
      /** iot or mobile. */
      readonly network: string
      /** First day. */
      readonly first: string
      /** Last day, included. */
      readonly last: string
    }[]
    /** Days with earnings without a price. */
    readonly prices: readonly {
      /** HNT, IOT or MOBILE; unknown- and the network without a manifest. */
      readonly token: string
      /** First day. */
      readonly first: string
      /** Last day, included. */
      readonly last: string
    }[]
    /** Given keys and names that no table has. */
    readonly unknownKeys: readonly string[]
    /** Whether rewards of L1 are asked for and none are in. */
    readonly l1Rewards: boolean
  }
  /** Owners of the rewards. */
  readonly owners: readonly {
    /** Address of the owner, as L2 spells it. */
    readonly owner: string
    /** The same as L1 spells it: the account whose pay is stated. */
    readonly accountAddress: string
  }[]
  /** First day. */
  readonly from: string
  /** Last day, included. */
  readonly to: string
  /** Time zone of the days. */
  readonly tz: string
  /** Notes for readers. */
  readonly notes: readonly string[]
  /** Earnings by token. */
  readonly tokens: readonly {
    /** HNT, IOT or MOBILE; unknown- and the network without a manifest. */
    readonly token: string
    /** Digits after the point of a token. */
    readonly decimals: number | null
    /** Rewards. */
    readonly rows: bigint
    /** Paid, in bones, as text. */
    readonly earned: string
    /** The same in whole tokens; null while the token is unknown. */
    readonly formattedEarned: string | null
    /** USD at the oracle price at reward time; null when a price is unknown. */
    readonly usd: string | null
    /** USD of the earnings with a price. */
    readonly usdOfPriced: string
    /** Earned without a price, in bones, as text. */
    readonly earnedWithoutPrice: string
    /** The same by month. */
    readonly months: readonly {
      /** As in 2025-07. */
      readonly month: string
      /** Rewards. */
      readonly rows: bigint
      /** Paid, in bones, as text. */
      readonly earned: string
      /** The same in whole tokens; null while the token is unknown. */
      readonly formattedEarned: string | null
      /** USD at the oracle price at reward time; null when a price is unknown. */
      readonly usd: string | null
      /** USD of the earnings with a price. */
      readonly usdOfPriced: string
      /** Earned without a price, in bones, as text. */
      readonly earnedWithoutPrice: string
      /** At the prices that were given; null when one is missing. */
      readonly value?: string | null
      /** Value of the earnings with such a price. */
      readonly valueOfPriced?: string
      /** Earned without such a price, in bones, as text. */
      readonly earnedWithoutValue?: string
    }[]
    /** At the prices that were given; null when one is missing. */
    readonly value?: string | null
    /** Value of the earnings with such a price. */
    readonly valueOfPriced?: string
    /** Earned without such a price, in bones, as text. */
    readonly earnedWithoutValue?: string
  }[]
  readonly allTokens: {
    /** Rewards. */
    readonly rows: bigint
    /** USD at the oracle price at reward time; null when a price is unknown. */
    readonly usd: string | null
    /** USD of the earnings with a price. */
    readonly usdOfPriced: string
    /** At the prices that were given; null when one is missing. */
    readonly value?: string | null
    /** Value of the earnings with such a price. */
    readonly valueOfPriced?: string
  }
  /** How it ties out with totals, over all hotspots. */
  readonly totals: readonly {
    /** iot, mobile or l1. */
    readonly network: string
    /** Path of the totals. For L1 the path of the series with interval=all and account_address, or gateway_address if keys are given. */
    readonly path: string
    /** Account that L1 paid; null for the pay of hotspots. */
    readonly accountAddress: string | null
    /** `from` of the totals. */
    readonly from: string
    /** `to` of the totals. */
    readonly to: string
    /** Response of the totals operation to these parameters, for each hotspot. */
    readonly totals: Readonly<Record<string, string>>
    /** Pay of hotspots that no total counts. */
    readonly leftOut: Readonly<Record<string, string>>
    /** Counted by the totals, on days outside the statement, in bones, as text. */
    readonly onlyInTotals: string
    /** Counted by the statement, with an end outside that range, in bones, as text. */
    readonly onlyHere: string
    /** Paid on the days of the statement, in bones, as text. */
    readonly earned: string
    /** Hotspots. */
    readonly hotspots: number
  }[]
  readonly l1: {
    /** Rewards. */
    readonly rows: bigint
    /** Paid, in bones, as text. */
    readonly earned: string
    /** The same in HNT. */
    readonly formattedEarned: string
    /** Accounts that L1 paid. */
    readonly accounts: readonly {
      /** Account that was paid. */
      readonly accountAddress: string | null
      /** False for an account other than the account of the owner. */
      readonly isStated: boolean
      /** Gateways that it was paid for. */
      readonly hotspots: number
      /** Rewards. */
      readonly rows: bigint
      /** Paid, in bones, as text. */
      readonly earned: string
      /** The same in HNT. */
      readonly formattedEarned: string
    }[]
    /** Pay of the account for other gateways. */
    readonly otherGateways: readonly {
      /** Gateway that is not a hotspot of the statement; 1Wh4bh for none. */
      readonly gatewayAddress: string
      /** Name. */
      readonly hotspotName: string | null
      /** Rewards. */
      readonly rows: bigint
      /** Paid, in bones, as text. */
      readonly earned: string
      /** The same in HNT. */
      readonly formattedEarned: string
    }[]
  }
  /** Each hotspot. */
  readonly hotspots: readonly {
    /** Key. */
    readonly hotspotKey: string
    /** Name now. */
    readonly hotspotName: string | null
    /** First day. */
    readonly from: string
    /** Last day, included. */
    readonly to: string
    /** Rewards. */
    readonly rows: bigint
    /** How each network ties out. */
    readonly totals: readonly {
      /** iot, mobile or l1. */
      readonly network: string
      /** Path of the totals. For L1 the path of the series with interval=all and account_address, or gateway_address if keys are given. */
      readonly path: string
      /** Account that L1 paid; null for the pay of hotspots. */
      readonly accountAddress: string | null
      /** `from` of the totals. */
      readonly from: string
      /** `to` of the totals. */
      readonly to: string
      /** Response of the totals operation to these parameters, for each hotspot. */
      readonly totals: Readonly<Record<string, string>>
      /** Pay of hotspots that no total counts. */
      readonly leftOut: Readonly<Record<string, string>>
      /** Counted by the totals, on days outside the statement, in bones, as text. */
      readonly onlyInTotals: string
      /** Counted by the statement, with an end outside that range, in bones, as text. */
      readonly onlyHere: string
      /** Paid on the days of the statement, in bones, as text. */
      readonly earned: string
    }[]
    /** Paid by L1 for it, to the account of the owner, in bones, as text. */
    readonly earnedOnL1: string
  }[]
  /** Id of the snapshot. */
  readonly snapshot: string
  /** SHA-256 of the summary, which has the SHA-256 of each file. */
  readonly digest: string
  /** A CSV for each token. */
  readonly files: readonly {
    /** Name. */
    readonly name: string
    /** HNT, IOT or MOBILE; unknown- and the network without a manifest. */
    readonly token: string
    /** Lines without the header. */
    readonly rows: bigint
    /** Size. */
    readonly bytes: number
    /** SHA-256 of the file. */
    readonly sha256: string
    /** Address of the file, in the same snapshot. */
    readonly href: string
  }[]
  /** Language of the CSV files, if one was given. */
  readonly locale?: 'en' | 'cs' | 'da' | 'de' | 'es' | 'fi' | 'fr' | 'it' | 'nb' | 'nl' | 'pl' | 'pt' | 'sv'
  /** Prices that were given; sums then have a value at them. */
  readonly prices?: {
    /** As in EUR. */
    readonly currency: string
    /** Name of the prices. */
    readonly source: string
    /** SHA-256 of their lines. */
    readonly sha256: string
    /** Number of prices. */
    readonly lines: number
    /** Days with earnings without such a price. */
    readonly missing: readonly {
      /** HNT, IOT or MOBILE; unknown- and the network without a manifest. */
      readonly token: string
      /** First day. */
      readonly first: string
      /** Last day, included. */
      readonly last: string
    }[]
  }
}

/** Results of a search. */
export interface SearchResult {
  /** The searched text. */
  readonly q: string
  /** The exact ones first, then by kind and text. */
  readonly hits: readonly Hit[]
  /** Kinds with more hits. */
  readonly more: readonly ('hotspot' | 'maker' | 'owner' | 'account' | 'gateway' | 'transaction')[]
}

/** A result of a search. */
export interface Hit {
  /** Kind of the result. */
  readonly kind: 'hotspot' | 'maker' | 'owner' | 'account' | 'gateway' | 'transaction'
  /** Id of the record; null for an owner. */
  readonly id: string | null
  /** Key of a hotspot, address, or hash. */
  readonly key: string
  /** Null if it has none. */
  readonly name: string | null
  /** The member whose text matched, such as ecc_key. */
  readonly matched: string
  /** The matched text. */
  readonly text: string
  /** Whether it is the whole text that was searched for. */
  readonly isExact: boolean
  /** Path of the operation that returns it. */
  readonly path: string
}
