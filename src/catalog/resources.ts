import { l1Accounts } from './l1/accounts.ts'
import { l1DcBurns } from './l1/dc-burns.ts'
import { l1Gateways } from './l1/gateways.ts'
import { l1Packets } from './l1/packets.ts'
import { l1Rewards } from './l1/rewards.ts'
import { l1TransactionActors } from './l1/transaction-actors.ts'
import { l1Transactions } from './l1/transactions.ts'
import { hotspots } from './l2/hotspots.ts'
import { iotRewardShares } from './l2/iot-reward-shares.ts'
import { iotWitnessIngestReports } from './l2/iot-witness-ingest-reports.ts'
import { makers } from './l2/makers.ts'
import { mobileRewardShares } from './l2/mobile-reward-shares.ts'
import { rewardManifests } from './l2/reward-manifests.ts'
import { rejects } from './lake/rejects.ts'
import type { NetworkId } from './networks.ts'
import type { Resource } from './resource.ts'

/** Reward shares of each network. */
export const rewardShares = {
  iot: iotRewardShares,
  mobile: mobileRewardShares,
} as const satisfies Readonly<Record<NetworkId, Resource>>

/** All resources, in display order. */
export const resources: readonly Resource[] = [
  ...Object.values(rewardShares),
  rewardManifests,
  iotWitnessIngestReports,
  rejects,
  makers,
  hotspots,
  l1Accounts,
  l1Transactions,
  l1TransactionActors,
  l1DcBurns,
  l1Gateways,
  l1Packets,
  l1Rewards,
]

export function resourceNamed(name: string): Resource | undefined {
  return resources.find((resource) => resource.name === name)
}
