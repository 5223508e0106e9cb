import { iotRewardShares } from '../catalog/l2/iot-reward-shares.ts'
import { iotWitnessIngestReports } from '../catalog/l2/iot-witness-ingest-reports.ts'
import { mobileRewardShares } from '../catalog/l2/mobile-reward-shares.ts'
import { rewardManifests } from '../catalog/l2/reward-manifests.ts'
import type { Resource } from '../catalog/resource.ts'
import { resourceNamed } from '../catalog/resources.ts'
import { emptyBatch } from '../lake/row-batch.ts'
import { type Fields, variantColumns } from '../wire/field.ts'
import { iotRewardShareFields } from '../wire/messages/iot-reward-share.ts'
import { iotWitnessIngestReportFields } from '../wire/messages/iot-witness-ingest-report.ts'
import { mobileRewardShareFields } from '../wire/messages/mobile-reward-share.ts'
import type { ArtifactKind } from './artifact.ts'
import { manifestDecoder } from './decoders/manifest-decoder.ts'
import { messageDecoder, shareDecoder } from './decoders/message-decoder.ts'
import { type KindReader, type RowDecoder, variantBatches } from './decoders/row-decoder.ts'
import { recordKind } from './records/record-kind.ts'

const messageReaders: Readonly<Record<ArtifactKind, () => KindReader>> = {
  [rewardManifests.arrival.kind]: () => withOneShape(manifestDecoder()),
  [iotRewardShares.arrival.kind]: () => shares(iotRewardShares, iotRewardShareFields),
  [mobileRewardShares.arrival.kind]: () => shares(mobileRewardShares, mobileRewardShareFields),
  [iotWitnessIngestReports.arrival.kind]: () =>
    withOneShape(messageDecoder(iotWitnessIngestReports, iotWitnessIngestReportFields)),
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

function shares(resource: Resource, fields: Fields): KindReader {
  return { decoder: shareDecoder(resource, fields), shapes: variantBatches(resource, variantColumns(fields)) }
}

function withOneShape(decoder: RowDecoder): KindReader {
  return { decoder, shapes: [emptyBatch(null, decoder.columns)] }
}
