import { listWords } from '../../../base/list-words.ts'
import { LAST_INSTANT, writeInstant } from '../../../base/values/instant.ts'
import { serviceProviders } from '../../../catalog/l2/mobile-reward-shares.ts'
import { type NetworkId, networkIds, networkOfName, rewardTokensOf } from '../../../catalog/networks.ts'
import { readDecimalMessage } from '../column-readers.ts'
import { RowFault } from '../faults.ts'
import {
  type BinaryReader,
  checkEnd,
  checkWireType,
  LENGTH_DELIMITED,
  readUint64,
  VARINT,
  type WireType,
} from '../reader.ts'
import { type DecimalColumn, type DecodedManifest, networkMessages, TOKEN_FIELD } from './network-messages.ts'

/** Wire type and reader of a field. */
type FieldReader = readonly [WireType, read: () => void]
const varint = (read: () => void): FieldReader => [VARINT, read]
const delimited = (read: () => void): FieldReader => [LENGTH_DELIMITED, read]

/** Reads the fields of one message, skipping unnamed ones. */
function readFields(reader: BinaryReader, end: number, fields: Readonly<Record<number, FieldReader>>): void {
  while (reader.pos < end) {
    const [number, wireType] = reader.tag()
    const [expected, read] = fields[number] ?? [wireType, () => reader.skip(wireType, number)]
    checkWireType(number, wireType, expected)
    read()
  }
  checkEnd(reader, end)
}

const nestedEnd = (reader: BinaryReader) => reader.uint32() + reader.pos

/**
 * Decodes a reward manifest. `networkOfName` is the network if the message has none: old manifests have no reward data.
 */
export function decodeRewardManifest(
  reader: BinaryReader,
  end: number,
  networkOfName: string | undefined,
): DecodedManifest {
  const writtenFiles: string[] = []
  const row: DecodedManifest = {
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
  readFields(reader, end, {
    1: delimited(() => writtenFiles.push(reader.string())),
    2: varint(() => (row.start_timestamp = readSeconds(reader, 'start_timestamp'))),
    3: varint(() => (row.end_timestamp = readSeconds(reader, 'end_timestamp'))),
    ...Object.fromEntries(
      networkIds.map((id) => [
        networkMessages[id].dataField,
        delimited(() => readRewardData(reader, row, id)),
      ]),
    ),
    6: varint(() => (row.epoch = readEpoch(reader))),
    7: varint(() => (row.price = readUint64(reader))),
  })
  if (row.reward_type === '') row.reward_type = networkOfName ?? networkOfFiles(writtenFiles)
  if (row.end_timestamp <= row.start_timestamp) {
    throw new RowFault(
      `start_timestamp is ${writeInstant(row.start_timestamp)} and end_timestamp is ` +
        `${writeInstant(row.end_timestamp)}; start_timestamp must be before end_timestamp`,
    )
  }
  return row
}

function readRewardData(reader: BinaryReader, row: DecodedManifest, network: NetworkId): void {
  const { decimals, promotionsField } = networkMessages[network]
  row.reward_type = network
  const fields: Record<number, FieldReader> = { [TOKEN_FIELD]: token(reader, row, rewardTokensOf(network)) }
  for (const [place, column] of decimals.entries()) fields[place + 1] = decimal(reader, row, column)
  const promotions: unknown[] = []
  if (promotionsField !== undefined)
    fields[promotionsField] = delimited(() => promotions.push(readProviderPromotions(reader)))
  readFields(reader, nestedEnd(reader), fields)
  if (promotionsField !== undefined) row.service_provider_promotions = JSON.stringify(promotions)
}

function readProviderPromotions(reader: BinaryReader): object {
  const promotions: object[] = []
  const item = { service_provider: serviceProviders[0] as string, incentive_escrow_fund_bps: 0, promotions }
  readFields(reader, nestedEnd(reader), {
    1: varint(() => (item.service_provider = nameOf(serviceProviders, reader.int32()))),
    2: varint(() => (item.incentive_escrow_fund_bps = reader.uint32())),
    3: delimited(() => promotions.push(readPromotion(reader))),
  })
  return item
}

function readPromotion(reader: BinaryReader): object {
  const promotion = { entity: '', start_ts: writeInstant(0n), end_ts: writeInstant(0n), shares: 0 }
  readFields(reader, nestedEnd(reader), {
    1: delimited(() => (promotion.entity = reader.string())),
    2: varint(() => (promotion.start_ts = writeInstant(readSeconds(reader, 'start_ts')))),
    3: varint(() => (promotion.end_ts = writeInstant(readSeconds(reader, 'end_ts')))),
    4: varint(() => (promotion.shares = reader.uint32())),
  })
  return promotion
}

/** Returns the reader of a decimal; an absent one is 0. */
function decimal(reader: BinaryReader, row: DecodedManifest, column: DecimalColumn): FieldReader {
  row[column] = '0'
  row[`${column}_exact`] = '0'
  return delimited(() => {
    const { stored, verbatim } = readDecimalMessage(reader, column)
    row[column] = stored
    row[`${column}_exact`] = verbatim
  })
}

/** Returns the reader of the token; an absent one is the first. */
function token(reader: BinaryReader, row: DecodedManifest, names: readonly string[]): FieldReader {
  row.token = nameOf(names, 0)
  return varint(() => (row.token = nameOf(names, reader.int32())))
}

function readSeconds(reader: BinaryReader, name: string): bigint {
  const seconds = readUint64(reader)
  if (seconds * 1_000_000n > LAST_INSTANT) {
    throw new RowFault(`${name} is ${seconds}; expected at most ${LAST_INSTANT / 1_000_000n}`)
  }
  return seconds * 1_000_000n
}

function readEpoch(reader: BinaryReader): bigint {
  const epoch = readUint64(reader)
  if (epoch >= 2n ** 63n) throw new RowFault(`epoch is ${epoch}; expected at most ${2n ** 63n - 1n}`)
  return epoch
}

function nameOf(names: readonly string[], number: number): string {
  return names[number] ?? String(number)
}

function networkOfFiles(files: readonly string[]): string {
  const named = files.map(networkOfName)
  const network = networkIds.findLast((id) => named.includes(id))
  if (network !== undefined) return network
  const folders = listWords(
    networkIds.map((id) => `…${id}…`),
    'or',
  )
  throw new RowFault(
    'the manifest has no reward data, and neither its folder nor its written_files name a network; ' +
      `use a folder named ${folders}`,
  )
}
