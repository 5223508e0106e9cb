import { readInstant } from '../../../base/values/instant.ts'
import { serviceProviders } from '../../../catalog/l2/mobile-reward-shares.ts'
import { networkIds, rewardTokensOf } from '../../../catalog/networks.ts'
import { BinaryWriter, choiceNumber, fieldTag, putDecimal, putUnsigned } from '../column-writers.ts'
import { LENGTH_DELIMITED, VARINT } from '../reader.ts'
import { type DecodedManifest, networkMessages, TOKEN_FIELD } from './network-messages.ts'

/** One provider as `service_provider_promotions` keeps it. */
interface ProviderPromotions {
  readonly service_provider: string
  readonly incentive_escrow_fund_bps: number
  readonly promotions: readonly {
    readonly entity: string
    readonly start_ts: string
    readonly end_ts: string
    readonly shares: number
  }[]
}

function putProvider(writer: BinaryWriter, provider: ProviderPromotions): void {
  putNumber(writer, 1, choiceNumber(serviceProviders, provider.service_provider))
  putNumber(writer, 2, provider.incentive_escrow_fund_bps)
  for (const promotion of provider.promotions) {
    writer.uint32(fieldTag(3, LENGTH_DELIMITED)).fork()
    if (promotion.entity !== '') writer.uint32(fieldTag(1, LENGTH_DELIMITED)).string(promotion.entity)
    putSeconds(writer, 2, readInstant(promotion.start_ts) ?? 0n)
    putSeconds(writer, 3, readInstant(promotion.end_ts) ?? 0n)
    putNumber(writer, 4, promotion.shares)
    writer.join()
  }
}

/** Gives the bytes of a reward manifest. Without a token it is an old one, which carries no reward data. */
export function encodeRewardManifest(manifest: DecodedManifest): Uint8Array {
  const writer = new BinaryWriter()
  for (const file of manifest.written_files) writer.uint32(fieldTag(1, LENGTH_DELIMITED)).string(file)
  putSeconds(writer, 2, manifest.start_timestamp)
  putSeconds(writer, 3, manifest.end_timestamp)
  const network = networkIds.find((id) => id === manifest.reward_type)
  if (network !== undefined && manifest.token !== null) {
    const { dataField, decimals, promotionsField } = networkMessages[network]
    writer.uint32(fieldTag(dataField, LENGTH_DELIMITED)).fork()
    for (const [place, column] of decimals.entries())
      putDecimal(writer, place + 1, manifest[`${column}_exact`])
    if (promotionsField !== undefined) putPromotions(writer, promotionsField, manifest)
    putNumber(writer, TOKEN_FIELD, choiceNumber(rewardTokensOf(network), manifest.token))
    writer.join()
  }
  if (manifest.epoch !== 0n) putUnsigned(writer.uint32(fieldTag(6, VARINT)), manifest.epoch)
  if (manifest.price !== 0n) putUnsigned(writer.uint32(fieldTag(7, VARINT)), manifest.price)
  return writer.finish()
}

function putPromotions(writer: BinaryWriter, number: number, manifest: DecodedManifest): void {
  for (const provider of JSON.parse(manifest.service_provider_promotions ?? '[]') as ProviderPromotions[]) {
    writer.uint32(fieldTag(number, LENGTH_DELIMITED)).fork()
    putProvider(writer, provider)
    writer.join()
  }
}

function putNumber(writer: BinaryWriter, number: number, value: number): void {
  if (value !== 0) writer.uint32(fieldTag(number, VARINT)).uint32(value)
}

function putSeconds(writer: BinaryWriter, number: number, instant: bigint): void {
  if (instant >= 1_000_000n) putUnsigned(writer.uint32(fieldTag(number, VARINT)), instant / 1_000_000n)
}
