import { iotRewardShares } from '../catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../catalog/l2/mobile-reward-shares.ts'
import type { Resource } from '../catalog/resource.ts'
import { resourceNamed } from '../catalog/resources.ts'
import { emptyBatch, type RowBatch } from '../lake/row-batch.ts'
import { type Fields, variantColumns } from '../wire/field.ts'
import type { FramesRead, VisitFrame } from '../wire/frames.ts'
import { iotRewardShareFields } from '../wire/messages/iot-reward-share.ts'
import { mobileRewardShareFields } from '../wire/messages/mobile-reward-share.ts'
import type { ArtifactKind, OracleKind } from './artifact.ts'
import { manifestDecoder } from './decoders/manifest-decoder.ts'
import { type RowDecoder, variantBatches } from './decoders/row-decoder.ts'
import { shareDecoder } from './decoders/share-decoder.ts'
import { witnessReportDecoder } from './decoders/witness-report-decoder.ts'
import { recordKind } from './records/record-kind.ts'

/** What is needed to take in one kind of artifact: its decoder, and an empty batch per variant. */
export interface KindReader {
  readonly decoder: RowDecoder
  readonly shapes: readonly RowBatch[]
  /** Cuts a file into messages; frames unless given. */
  readonly read?: (path: string, visit: VisitFrame) => Promise<FramesRead>
  /** Whether the messages are records, of which a file of another kind has none that could be a row. */
  readonly isRecords?: true
}

const readers: Readonly<Record<OracleKind, () => KindReader>> = {
  reward_manifest: () => withOneShape(manifestDecoder()),
  iot_reward_share: () => shares(iotRewardShares, iotRewardShareFields),
  mobile_reward_share: () => shares(mobileRewardShares, mobileRewardShareFields),
  iot_witness_ingest_report: () => withOneShape(witnessReportDecoder()),
}

export function openKindReader(kind: ArtifactKind): KindReader {
  const resource = resourceNamed(kind)
  return resource === undefined ? readers[kind as OracleKind]() : recordKind(resource, kind)
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
