import { pairs } from './words.ts'

/** Fields of the nodes of GraphQL with their types, copied by hand from the specification's chapter on GraphQL. Nothing is taken from the catalog. */
export const nodeTypes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  IotRewardShare: pairs(`id:ID! hotspotKey:String amount:BigInt beaconAmount:BigInt witnessAmount:BigInt
    dcTransferAmount:BigInt startPeriod:ISO8601DateTime endPeriod:ISO8601DateTime rewardType:String
    unallocatedRewardType:String`),
  MobileRewardShare:
    pairs(`id:ID! ownerKey:String hotspotKey:String cbsdId:String amount:BigInt startPeriod:ISO8601DateTime
    endPeriod:ISO8601DateTime rewardType:String dcTransferReward:BigInt pocReward:BigInt
    subscriberId:String subscriberReward:BigInt discoveryLocationAmount:BigInt
    unallocatedRewardType:String serviceProviderId:String baseCoveragePointsSum:Float
    boostedCoveragePointsSum:Float baseRewardShares:Float boostedRewardShares:Float basePocReward:BigInt
    boostedPocReward:BigInt seniorityTimestamp:ISO8601DateTime locationTrustScoreMultiplier:Float
    speedtestMultiplier:Float spBoostedHexStatus:String oracleBoostedHexStatus:String entity:String
    serviceProviderAmount:BigInt matchedAmount:BigInt coverageObject:Binary`),
  IotWitnessIngestReport:
    pairs(`receivedAt:ISO8601DateTime hotspotKey:String data:Binary reportedAt:ISO8601DateTime tmst:BigInt
    signal:BigInt snr:BigInt frequency:BigInt dataRate:String signature:Binary`),
  RewardManifest:
    pairs(`id:ID! writtenFiles:[String!] startTimestamp:ISO8601DateTime endTimestamp:ISO8601DateTime
    epoch:BigInt price:BigInt`),
}
