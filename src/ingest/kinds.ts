import { iotRewardShares } from '../catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../catalog/l2/mobile-reward-shares.ts'
import type { Resource } from '../catalog/resource.ts'
import { emptyBatch, type RowBatch } from '../lake/row-batch.ts'
import { type Fields, variantColumns } from '../wire/field.ts'
import { iotRewardShareFields } from '../wire/messages/iot-reward-share.ts'
import { mobileRewardShareFields } from '../wire/messages/mobile-reward-share.ts'
import type { OracleKind } from './artifact.ts'
import { manifestDecoder } from './decoders/manifest-decoder.ts'
import { type RowDecoder, variantBatches } from './decoders/row-decoder.ts'
import { shareDecoder } from './decoders/share-decoder.ts'
import { witnessReportDecoder } from './decoders/witness-report-decoder.ts'

/** What is needed to take in one kind of artifact: its decoder, and an empty batch per variant. */
export interface KindReader {
  readonly decoder: RowDecoder
  readonly shapes: readonly RowBatch[]
}

const readers: Readonly<Record<OracleKind, () => KindReader>> = {
  reward_manifest: () => withOneShape(manifestDecoder()),
  iot_reward_share: () => shares(iotRewardShares, iotRewardShareFields),
  mobile_reward_share: () => shares(mobileRewardShares, mobileRewardShareFields),
  iot_witness_ingest_report: () => withOneShape(witnessReportDecoder()),
}

export function openKindReader(kind: OracleKind): KindReader {
  return readers[kind]()
}

function shares(resource: Resource, fields: Fields): KindReader {
  return { decoder: shareDecoder(resource, fields), shapes: variantBatches(resource, variantColumns(fields)) }
}

function withOneShape(decoder: RowDecoder): KindReader {
  return { decoder, shapes: [emptyBatch(null, decoder.columns)] }
}
