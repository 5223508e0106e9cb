import fc from 'fast-check'
import { hotspot, iotShare, manifest, mobileShare, type OracleFiles } from '../make-lake.ts'
import { base58checkOf } from '../wire-by-hand.ts'

/** A network drawn at random, as plain values: what the files are written from, and what answers are held against. */

export type Network = 'iot' | 'mobile'

export interface Share {
  readonly network: Network
  readonly file: string
  readonly ordinal: number
  /** Seconds since 1970. */
  readonly start: bigint
  readonly end: bigint
  readonly type: string
  readonly hotspot: string | null
  readonly amounts: Readonly<Record<string, bigint>>
  /** Texts of the detail: choices, decimals, names. */
  readonly texts: Readonly<Record<string, string>>
}

interface Manifest {
  readonly price: bigint
  readonly isMain: boolean
}

export interface ShareFile {
  readonly network: Network
  readonly name: string
  readonly shares: readonly Share[]
  /** Those that name the file, the last one by time at the end. */
  readonly manifests: readonly Manifest[]
}

const LARGEST = 2n ** 64n - 1n

const amount = fc.oneof(
  fc.constantFrom(0n, 1n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, LARGEST),
  fc.bigInt(0n, LARGEST),
  fc.bigInt(0n, 1000n),
)

/** Ends of months and of a year, and instants beside them. */
const ends = [
  ...['2024-12-31T23:59:59Z', '2025-01-01T00:00:00Z', '2025-01-31T00:00:00Z', '2025-02-01T00:00:00Z'],
  ...['2025-02-01T00:00:01Z', '2025-03-01T00:00:00Z'],
].map((text) => BigInt(Date.parse(text)) / 1000n)

/** Members of each type of reward, as the wire has them: amounts, and texts with what they may be. */
export const membersOfTypes: Readonly<
  Record<Network, Readonly<Record<string, readonly [readonly string[], Readonly<Record<string, string[]>>]>>>
> = {
  iot: {
    gateway_reward: [['beacon_amount', 'witness_amount', 'dc_transfer_amount'], {}],
    operational_reward: [['amount'], {}],
    // 17 is a number that no release knows a name for.
    unallocated_reward: [
      ['amount'],
      {
        unallocated_reward_type: ['unallocated_reward_type_poc', 'unallocated_reward_type_data', '17'],
      },
    ],
  },
  mobile: {
    radio_reward: [['dc_transfer_reward', 'poc_reward'], { cbsd_id: ['', 'P27-1'] }],
    gateway_reward: [['dc_transfer_reward'], {}],
    subscriber_reward: [['discovery_location_amount', 'subscriber_reward'], {}],
    service_provider_reward: [['amount'], { service_provider_id: ['helium_mobile', '5'] }],
    unallocated_reward: [
      ['amount'],
      {
        unallocated_reward_type: ['unallocated_reward_type_poc', 'unallocated_reward_type_mapper', '99'],
      },
    ],
    radio_reward_v2: [
      ['base_poc_reward', 'boosted_poc_reward'],
      {
        cbsd_id: ['', 'P27-2'],
        base_coverage_points_sum: ['0', '258.93124298'],
        base_reward_shares: ['12.000000000000000001', '7'],
        sp_boosted_hex_status: ['sp_boosted_hex_status_eligible', '44'],
      },
    ],
    promotion_reward: [
      ['service_provider_amount', 'matched_amount'],
      { entity: ['one', 'Zwei, "drei"', '\u{1d11e}'] },
    ],
  },
}

export const withHotspot: ReadonlySet<string> = new Set(['gateway_reward', 'radio_reward', 'radio_reward_v2'])

export const HOTSPOTS = 5
export const hotspotText = (number: number) => base58checkOf(hotspot(number).raw)

/** More than any network has; what keys are made of. */
const rawKeys = new Map(Array.from({ length: 64 }, (_, number) => [hotspotText(number), hotspot(number).raw]))

export const rewardTypes = (network: Network): readonly string[] => Object.keys(membersOfTypes[network])
export const periodEnds: readonly bigint[] = ends

type Draft = Omit<Share, 'file' | 'ordinal'>

function draftOf(network: Network): fc.Arbitrary<Draft> {
  return fc.constantFrom(...rewardTypes(network)).chain((type) => {
    const [amounts = [], texts = {}] = membersOfTypes[network][type] ?? []
    const drawn = Object.entries(texts).map(([name, values]) => [name, fc.constantFrom(...values)] as const)
    return fc.record({
      network: fc.constant(network),
      end: fc.constantFrom(...ends),
      start: fc.constant(0n),
      type: fc.constant(type),
      hotspot: withHotspot.has(type) ? fc.nat(HOTSPOTS - 1).map(hotspotText) : fc.constant(null),
      amounts: fc.record(Object.fromEntries(amounts.map((name) => [name, amount]))),
      texts: fc.record(Object.fromEntries(drawn)),
    })
  })
}

/** Names sort by their bytes: 10 before 9, and the newer prefix before the older one. */
const nameOf = (network: Network) =>
  fc.constantFrom(
    ...['iot_reward_share', 'iot_network_reward_shares_v1']
      .map((prefix) => prefix.replace('iot', network))
      .flatMap((prefix) => [9, 10, 11].map((number) => `${prefix}.${number}.gz`)),
  )

const shareFile = (network: Network, least = 0, most = 20): fc.Arbitrary<ShareFile> =>
  fc
    .record({
      name: nameOf(network),
      drafts: fc.array(draftOf(network), { minLength: least, maxLength: most, size: 'max' }),
      copies: fc.nat(3),
      manifests: fc.array(
        fc.record({
          price: fc.oneof(fc.constantFrom(0n, 1n, 2n ** 31n, LARGEST), fc.bigInt(1n, 10n ** 9n)),
          isMain: fc.boolean(),
        }),
        { maxLength: 2 },
      ),
    })
    .map(({ name, drafts, copies, manifests }) => {
      // Equal messages are rows of their own.
      const all = [...drafts, ...drafts.slice(0, copies)]
      const shares = all.map(
        (draft, ordinal): Share => ({ ...draft, start: draft.end - 86_400n, file: name, ordinal }),
      )
      return { network, name, shares, manifests }
    })

const anyFile = fc.oneof(shareFile('iot'), shareFile('mobile'))

/** The files of a network: many shares of either kind, and of one both in the first files and in the last. */
export const shareFiles: fc.Arbitrary<readonly ShareFile[]> = fc
  .tuple(
    shareFile('iot', 30, 40),
    shareFile('mobile', 10, 20),
    fc.array(anyFile, { minLength: 1, maxLength: 3, size: 'max' }),
    shareFile('mobile', 20, 30),
  )
  .map(([iot, mobile, others, last]) => [iot, mobile, ...others, last])
  .filter((files) => new Set(files.map(({ name }) => name)).size === files.length)

function messageOf({ network, start, end, type, hotspot: key, amounts, texts }: Share): Uint8Array {
  const raw = key === null ? undefined : rawKeys.get(key)
  const row = {
    ...{ start_period: start * 1_000_000n, end_period: end * 1_000_000n, reward_type: type },
    ...(raw !== undefined && { hotspot_key: raw }),
    ...(type === 'subscriber_reward' && { subscriber_id: hotspot(900).raw }),
    ...{ ...amounts, ...texts },
  }
  return network === 'iot' ? iotShare(row) : mobileShare(row)
}

/** The files of a network and of its manifests, as they are ingested. */
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
