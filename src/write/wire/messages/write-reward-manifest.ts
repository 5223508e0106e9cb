import { readInstant } from '../../../base/values/instant.ts'
import { serviceProviders } from '../../../catalog/l2/mobile-reward-shares.ts'
import { iotRewardTokens, mobileRewardTokens } from '../../../catalog/l2/reward-manifests.ts'
import { BinaryWriter, choiceNumber, fieldTag, putDecimal, putUnsigned } from '../column-writers.ts'
import { LENGTH_DELIMITED, VARINT } from '../reader.ts'
import type { DecodedManifest } from './reward-manifest.ts'

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
  if (manifest.token !== null) {
    const isMobile = manifest.reward_type === 'mobile'
    writer.uint32(fieldTag(isMobile ? 4 : 5, LENGTH_DELIMITED)).fork()
    if (isMobile) putMobileData(writer, manifest)
    else putIotData(writer, manifest)
    putNumber(writer, 4, choiceNumber(isMobile ? mobileRewardTokens : iotRewardTokens, manifest.token))
    writer.join()
  }
  if (manifest.epoch !== 0n) putUnsigned(writer.uint32(fieldTag(6, VARINT)), manifest.epoch)
  if (manifest.price !== 0n) putUnsigned(writer.uint32(fieldTag(7, VARINT)), manifest.price)
  return writer.finish()
}

function putIotData(writer: BinaryWriter, manifest: DecodedManifest): void {
  putDecimal(writer, 1, manifest.poc_bones_per_beacon_reward_share_exact)
  putDecimal(writer, 2, manifest.poc_bones_per_witness_reward_share_exact)
  putDecimal(writer, 3, manifest.dc_bones_per_share_exact)
}

function putMobileData(writer: BinaryWriter, manifest: DecodedManifest): void {
  putDecimal(writer, 1, manifest.poc_bones_per_reward_share_exact)
  putDecimal(writer, 2, manifest.boosted_poc_bones_per_reward_share_exact)
  for (const provider of JSON.parse(manifest.service_provider_promotions ?? '[]') as ProviderPromotions[]) {
    writer.uint32(fieldTag(3, LENGTH_DELIMITED)).fork()
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
