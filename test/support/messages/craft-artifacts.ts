import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileEncoder } from '../../../src/write/sample/encoding/encode-message.ts'
import { iotWitnessIngestReportFields } from '../../../src/write/wire/messages/iot-witness-ingest-report.ts'
import { dayBefore, iotShare, mobileShare } from '../lakes/make-lake.ts'
import { frameFile } from './oracle-messages.ts'

/** Oracle files with rows that the fixtures lack. */

export const encoders = {
  iot_reward_share: iotShare,
  mobile_reward_share: mobileShare,
  iot_witness_ingest_report: compileEncoder(iotWitnessIngestReportFields),
}

export const oneDay = dayBefore('2025-01-29')

/** Writes `<kind>.<number>.gz` into a folder and gives its path. */
export function craftArtifact<K extends keyof typeof encoders>(
  folder: string,
  kind: K,
  number: number,
  rows: readonly Parameters<(typeof encoders)[K]>[0][],
): string {
  const path = join(folder, `${kind}.${number}.gz`)
  const encode = encoders[kind] as (row: (typeof rows)[number]) => Uint8Array
  writeFileSync(path, frameFile(rows.map(encode)))
  return path
}
