import { hotspot, iotShare, manifest, mobileShare, type OracleFiles } from '../lakes/make-lake.ts'
import { rawOf } from '../messages/wire-by-hand.ts'
import type { Share, ShareFile } from './shares.ts'

/** The one that all rewards of subscribers go to. */
export const subscriber = hotspot(900).raw

function messageOf({ network, start, end, type, hotspot: key, amounts, texts }: Share): Uint8Array {
  const row = {
    ...{ start_period: start * 1_000_000n, end_period: end * 1_000_000n, reward_type: type },
    ...(key !== null && { hotspot_key: rawOf(key) }),
    ...(type === 'subscriber_reward' && { subscriber_id: subscriber }),
    ...{ ...amounts, ...texts },
  }
  return network === 'iot' ? iotShare(row) : mobileShare(row)
}

/** Files of shares and of their manifests, as they are ingested. */
export function oracleFiles(files: readonly ShareFile[]): OracleFiles {
  const written: Record<string, readonly Uint8Array[]> = {}
  for (const { network, name, shares, manifests } of files) {
    written[`${network}/${name}`] = shares.map(messageOf)
    for (const [index, { price, isMain }] of manifests.entries()) {
      const stem = name.replaceAll(/\D/g, '')
      const own = name.includes('network') ? 'network_reward_manifest_v1' : 'reward_manifest'
      written[`${network}/${own}.${index}${stem.padStart(4, '0')}.gz`] = [
        manifest({
          ...{ written_files: [name], price, reward_type: network },
          token: isMain ? `${network}_reward_token_main` : `${network}_reward_token_${network}`,
        }),
      ]
    }
  }
  return written
}
