import { serviceProviders } from '../../catalog/l2/mobile-reward-shares.ts'
import type { rewardManifests } from '../../catalog/l2/reward-manifests.ts'
import { iotRewardTokens, mobileRewardTokens } from '../../catalog/l2/reward-manifests.ts'
import type { RowOf } from '../../catalog/resource.ts'
import { LAST_INSTANT, writeInstant } from '../../derive/instant.ts'
import { readDecimalMessage } from '../column-readers.ts'
import { RowFault } from '../faults.ts'
import {
  type BinaryReader,
  checkEnd,
  checkWireType,
  LENGTH_DELIMITED,
  readUint64,
  VARINT,
} from '../reader.ts'

type ManifestRow = RowOf<typeof rewardManifests>
export type ManifestValues = {
  -readonly [C in keyof Omit<ManifestRow, 'source_file' | 'ordinal'>]: ManifestRow[C]
}

/** Fields that are numbers and fields that are texts or messages; others are skipped. */
interface Shape {
  readonly numbers: readonly number[]
  readonly messages: readonly number[]
}

function wireTypeIn({ numbers, messages }: Shape, field: number): typeof VARINT | undefined {
  if (numbers.includes(field)) return VARINT
  return messages.includes(field) ? LENGTH_DELIMITED : undefined
}

/** Walks the known fields of one message, each of which must have its wire type. */
function eachField(reader: BinaryReader, end: number, shape: Shape, visit: (field: number) => void): void {
  while (reader.pos < end) {
    const [field, wireType] = reader.tag()
    const expected = wireTypeIn(shape, field)
    if (expected === undefined) reader.skip(wireType, field)
    else {
      checkWireType(field, wireType, expected)
      visit(field)
    }
  }
  checkEnd(reader, end)
}

const nestedEnd = (reader: BinaryReader) => reader.uint32() + reader.pos

/**
 * Decodes a reward manifest. `networkOfName` names the network when the message itself does not say:
 * old manifests carry no reward data.
 */
export function decodeRewardManifest(
  reader: BinaryReader,
  end: number,
  networkOfName: string | undefined,
): ManifestValues {
  const writtenFiles: string[] = []
  const row: ManifestValues = {
    written_files: writtenFiles,
    start_timestamp: 0n,
    end_timestamp: 0n,
    epoch: 0n,
    price: 0n,
    reward_type: '',
    token: null,
    poc_bones_per_beacon_reward_share: null,
    poc_bones_per_beacon_reward_share_exact: null,
    poc_bones_per_witness_reward_share: null,
    poc_bones_per_witness_reward_share_exact: null,
    dc_bones_per_share: null,
    dc_bones_per_share_exact: null,
    poc_bones_per_reward_share: null,
    poc_bones_per_reward_share_exact: null,
    boosted_poc_bones_per_reward_share: null,
    boosted_poc_bones_per_reward_share_exact: null,
    service_provider_promotions: null,
  }
  eachField(reader, end, { numbers: [2, 3, 6, 7], messages: [1, 4, 5] }, (field) => {
    if (field === 1) writtenFiles.push(reader.string())
    else if (field === 2) row.start_timestamp = readSeconds(reader, 'start_timestamp')
    else if (field === 3) row.end_timestamp = readSeconds(reader, 'end_timestamp')
    else if (field === 4) readMobileData(reader, row)
    else if (field === 5) readIotData(reader, row)
    else if (field === 6) row.epoch = readEpoch(reader)
    else if (field === 7) row.price = readUint64(reader)
  })
  if (row.reward_type === '') row.reward_type = networkOfName ?? networkOfFiles(writtenFiles)
  if (row.end_timestamp <= row.start_timestamp) {
    throw new RowFault(
      `end_timestamp ${writeInstant(row.end_timestamp)} is not after start_timestamp ` +
        `${writeInstant(row.start_timestamp)}; a later end is accepted`,
    )
  }
  return row
}

type DecimalColumn =
  | 'poc_bones_per_beacon_reward_share'
  | 'poc_bones_per_witness_reward_share'
  | 'dc_bones_per_share'
  | 'poc_bones_per_reward_share'
  | 'boosted_poc_bones_per_reward_share'

function readIotData(reader: BinaryReader, row: ManifestValues): void {
  row.reward_type = 'iot'
  row.token = iotRewardTokens[0]
  const decimals: Record<number, DecimalColumn> = {
    1: 'poc_bones_per_beacon_reward_share',
    2: 'poc_bones_per_witness_reward_share',
    3: 'dc_bones_per_share',
  }
  zeroDecimals(row, Object.values(decimals))
  eachField(reader, nestedEnd(reader), { numbers: [4], messages: [1, 2, 3] }, (field) => {
    const column = decimals[field]
    if (column !== undefined) readDecimalInto(reader, row, column)
    else if (field === 4) row.token = tokenName(iotRewardTokens, reader.int32())
  })
}

function readMobileData(reader: BinaryReader, row: ManifestValues): void {
  row.reward_type = 'mobile'
  row.token = mobileRewardTokens[0]
  const decimals: Record<number, DecimalColumn> = {
    1: 'poc_bones_per_reward_share',
    2: 'boosted_poc_bones_per_reward_share',
  }
  zeroDecimals(row, Object.values(decimals))
  const promotions: unknown[] = []
  eachField(reader, nestedEnd(reader), { numbers: [4], messages: [1, 2, 3] }, (field) => {
    const column = decimals[field]
    if (column !== undefined) readDecimalInto(reader, row, column)
    else if (field === 3) promotions.push(readProviderPromotions(reader))
    else if (field === 4) row.token = tokenName(mobileRewardTokens, reader.int32())
  })
  row.service_provider_promotions = JSON.stringify(promotions)
}

function readProviderPromotions(reader: BinaryReader): object {
  const promotions: object[] = []
  const item = { service_provider: serviceProviders[0] as string, incentive_escrow_fund_bps: 0, promotions }
  eachField(reader, nestedEnd(reader), { numbers: [1, 2], messages: [3] }, (field) => {
    if (field === 1) item.service_provider = tokenName(serviceProviders, reader.int32())
    else if (field === 2) item.incentive_escrow_fund_bps = reader.uint32()
    else if (field === 3) promotions.push(readPromotion(reader))
  })
  return item
}

function readPromotion(reader: BinaryReader): object {
  const promotion = { entity: '', start_ts: writeInstant(0n), end_ts: writeInstant(0n), shares: 0 }
  eachField(reader, nestedEnd(reader), { numbers: [2, 3, 4], messages: [1] }, (field) => {
    if (field === 1) promotion.entity = reader.string()
    else if (field === 2) promotion.start_ts = writeInstant(readSeconds(reader, 'start_ts'))
    else if (field === 3) promotion.end_ts = writeInstant(readSeconds(reader, 'end_ts'))
    else if (field === 4) promotion.shares = reader.uint32()
  })
  return promotion
}

function readDecimalInto(reader: BinaryReader, row: ManifestValues, column: DecimalColumn): void {
  const { stored, verbatim } = readDecimalMessage(reader, column)
  row[column] = stored
  row[`${column}_exact`] = verbatim
}

/** A decimal that reward data leaves out is 0. */
function zeroDecimals(row: ManifestValues, columns: readonly DecimalColumn[]): void {
  for (const column of columns) {
    row[column] = '0'
    row[`${column}_exact`] = '0'
  }
}

function readSeconds(reader: BinaryReader, name: string): bigint {
  const seconds = readUint64(reader)
  if (seconds * 1_000_000n > LAST_INSTANT) {
    throw new RowFault(`${name} is ${seconds}; at most ${LAST_INSTANT / 1_000_000n} is accepted`)
  }
  return seconds * 1_000_000n
}

function readEpoch(reader: BinaryReader): bigint {
  const epoch = readUint64(reader)
  if (epoch >= 2n ** 63n) throw new RowFault(`epoch is ${epoch}; at most ${2n ** 63n - 1n} is accepted`)
  return epoch
}

function tokenName(names: readonly string[], number: number): string {
  return names[number] ?? String(number)
}

function networkOfFiles(files: readonly string[]): string {
  if (files.some((file) => file.startsWith('mobile_'))) return 'mobile'
  if (files.some((file) => file.startsWith('iot_'))) return 'iot'
  throw new RowFault(
    'the manifest has no reward data, and neither its folder nor its written_files name a network; ' +
      'a folder named …iot… or …mobile… is accepted',
  )
}
