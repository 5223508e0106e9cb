import { join } from 'node:path'
import { compileEncoder } from '../../src/wire/encode.ts'
import { iotRewardShareFields } from '../../src/wire/messages/iot-reward-share.ts'
import { iotWitnessIngestReportFields } from '../../src/wire/messages/iot-witness-ingest-report.ts'
import { mobileRewardShareFields } from '../../src/wire/messages/mobile-reward-share.ts'
import { writeMessages } from './wire-by-hand.ts'

/** Oracle files with rows that the fixtures lack. */

export const encoders = {
  iot_reward_share: compileEncoder(iotRewardShareFields),
  mobile_reward_share: compileEncoder(mobileRewardShareFields),
  iot_witness_ingest_report: compileEncoder(iotWitnessIngestReportFields),
}

/** 28 and 29 January 2025, 00:00 UTC, in microseconds. */
export const oneDay = { start_period: 1_738_022_400_000_000n, end_period: 1_738_108_800_000_000n }

/** Writes `<kind>.<number>.gz` into a folder and gives its path. */
export function craftArtifact<K extends keyof typeof encoders>(
  folder: string,
  kind: K,
  number: number,
  rows: readonly Parameters<(typeof encoders)[K]>[0][],
): string {
  const path = join(folder, `${kind}.${number}.gz`)
  writeMessages(
    path,
    rows.map((row) => encoders[kind](row)),
  )
  return path
}
