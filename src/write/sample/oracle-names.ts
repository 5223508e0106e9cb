import type { SampleEpoch } from './epochs.ts'
import type { NetworkName } from './hotspots.ts'
import { deriveSeed, openRandom } from './random.ts'

/** Returns the time in the name of the first file, about an hour after the end of the day, in ms since 1970. */
export function openingTime(epoch: SampleEpoch, stream: NetworkName | 'reports'): number {
  const random = openRandom(deriveSeed(epoch.seed, 'opening time', stream, epoch.number))
  return Number(epoch.end / 1000n) + 3_600_000 + random.below(60_000)
}

/** Returns the name of a file of a day's shares; `part` counts from 0. */
export function sharesName(epoch: SampleEpoch, network: NetworkName, part: number): string {
  const prefix = epoch.mainToken ? `${network}_network_reward_shares_v1` : `${network}_reward_share`
  return fileName(prefix, openingTime(epoch, network) + part * 1371)
}

/** Returns the name of a day's manifest, written right after the last of `parts` share files. */
export function manifestName(epoch: SampleEpoch, network: NetworkName, parts: number): string {
  const prefix = epoch.mainToken ? 'network_reward_manifest_v1' : 'reward_manifest'
  return fileName(prefix, openingTime(epoch, network) + parts * 1371)
}

export function witnessReportsName(epoch: SampleEpoch): string {
  return fileName('iot_witness_ingest_report', openingTime(epoch, 'reports'))
}

function fileName(prefix: string, createdMs: number): string {
  return `${prefix}.${createdMs}.gz`
}
