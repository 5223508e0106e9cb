import { iotRewardShares } from './l2/iot-reward-shares.ts'
import { iotWitnessIngestReports } from './l2/iot-witness-ingest-reports.ts'
import { mobileRewardShares } from './l2/mobile-reward-shares.ts'
import { rewardManifests } from './l2/reward-manifests.ts'
import { rejects } from './lake/rejects.ts'
import type { Resource } from './resource.ts'

/** The roll call. New tables are added at the end, since snapshot ids name versions in this order. */
export const resources: readonly Resource[] = [
  iotRewardShares,
  mobileRewardShares,
  rewardManifests,
  iotWitnessIngestReports,
  rejects,
]

export function resourceNamed(name: string): Resource | undefined {
  return resources.find((resource) => resource.name === name)
}
