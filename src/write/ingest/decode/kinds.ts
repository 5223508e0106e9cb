import { iotRewardShares } from '../../../catalog/l2/iot-reward-shares.ts'
import { iotWitnessIngestReports } from '../../../catalog/l2/iot-witness-ingest-reports.ts'
import { mobileRewardShares } from '../../../catalog/l2/mobile-reward-shares.ts'
import { rewardManifests } from '../../../catalog/l2/reward-manifests.ts'
import { resourceNamed } from '../../../catalog/resources.ts'
import { iotRewardShareFields } from '../../wire/messages/iot-reward-share.ts'
import { iotWitnessIngestReportFields } from '../../wire/messages/iot-witness-ingest-report.ts'
import { mobileRewardShareFields } from '../../wire/messages/mobile-reward-share.ts'
import type { KindReader } from '../../wire/row-decoder.ts'
import type { ArtifactKind } from '../files/artifact.ts'
import { recordKind } from '../records/record-kind.ts'
import { manifestReader, messageReader, shareReader } from './message-reader.ts'

const messageReaders: Readonly<Record<ArtifactKind, () => KindReader>> = {
  [rewardManifests.arrival.kind]: manifestReader,
  [iotRewardShares.arrival.kind]: () => shareReader(iotRewardShares, iotRewardShareFields),
  [mobileRewardShares.arrival.kind]: () => shareReader(mobileRewardShares, mobileRewardShareFields),
  [iotWitnessIngestReports.arrival.kind]: () =>
    messageReader(iotWitnessIngestReports, iotWitnessIngestReportFields),
}

export function openKindReader(kind: ArtifactKind): KindReader {
  const read = messageReaders[kind]
  if (read !== undefined) return read()
  const resource = resourceNamed(kind)
  if (resource === undefined) throw new Error(`no table arrives as ${kind}`)
  return recordKind(resource)
}

/** What a file is made of. */
export type Noun = 'message' | 'record'

/** Kinds that are named as their tables arrive as records, those of the oracles as messages. */
export function nounOf(kind: string): Noun {
  return resourceNamed(kind) === undefined ? 'message' : 'record'
}

/** Whether files of a kind bring what a table holds rather than what happened. */
export function isStateKind(kind: ArtifactKind): boolean {
  return resourceNamed(kind)?.holds === 'state'
}
