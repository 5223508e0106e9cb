import { readInstant } from '../../../base/values/instant.ts'
import { serviceProviders } from '../../../catalog/l2/mobile-reward-shares.ts'
import { networkIds, rewardTokensOf } from '../../../catalog/networks.ts'
import { type DecodedManifest, networkMessages, TOKEN_FIELD } from '../../wire/messages/network-messages.ts'
import { BinaryWriter, LENGTH_DELIMITED } from '../../wire/reader.ts'
import { choiceNumber, putDecimal, putUnsigned } from './encode-message.ts'

/** One provider in `service_provider_promotions`. */
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

/** Returns the bytes of a reward manifest. Without a token it is an old manifest, which has no reward data. */
export function encodeRewardManifest(manifest: DecodedManifest): Uint8Array {
  const writer = new BinaryWriter()
  for (const file of manifest.written_files) writer.tag(1, LENGTH_DELIMITED).string(file)
  putSeconds(writer, 2, manifest.start_timestamp)
  putSeconds(writer, 3, manifest.end_timestamp)
  const network = networkIds.find((id) => id === manifest.reward_type)
  if (network !== undefined && manifest.token !== null) {
    const { dataField, decimals, promotionsField } = networkMessages[network]
    writer.tag(dataField, LENGTH_DELIMITED).fork()
    for (const [place, column] of decimals.entries())
      putDecimal(writer, place + 1, manifest[`${column}_exact`])
    if (promotionsField !== undefined) putPromotions(writer, promotionsField, manifest)
    putNumber(writer, TOKEN_FIELD, choiceNumber(rewardTokensOf(network), manifest.token))
    writer.join()
  }
  putUnsigned(writer, 6, manifest.epoch)
  putUnsigned(writer, 7, manifest.price)
  return writer.finish()
}

function putPromotions(writer: BinaryWriter, number: number, manifest: DecodedManifest): void {
  for (const provider of JSON.parse(manifest.service_provider_promotions ?? '[]') as ProviderPromotions[]) {
    writer.tag(number, LENGTH_DELIMITED).fork()
    putProvider(writer, provider)
    writer.join()
  }
}

function putProvider(writer: BinaryWriter, provider: ProviderPromotions): void {
  putNumber(writer, 1, choiceNumber(serviceProviders, provider.service_provider))
  putNumber(writer, 2, provider.incentive_escrow_fund_bps)
  for (const { entity, start_ts, end_ts, shares } of provider.promotions) {
    writer.tag(3, LENGTH_DELIMITED).fork()
    if (entity !== '') writer.tag(1, LENGTH_DELIMITED).string(entity)
    putSeconds(writer, 2, readInstant(start_ts) ?? 0n)
    putSeconds(writer, 3, readInstant(end_ts) ?? 0n)
    putNumber(writer, 4, shares)
    writer.join()
  }
}

const putNumber = (writer: BinaryWriter, number: number, value: number) =>
  putUnsigned(writer, number, BigInt(value))

const putSeconds = (writer: BinaryWriter, number: number, instant: bigint) =>
  putUnsigned(writer, number, instant / 1_000_000n)
