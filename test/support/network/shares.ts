import { deriveSeed, openRandom, type Random } from '../../../src/sample/random.ts'
import { hotspot } from '../make-lake.ts'
import { base58checkOf } from '../wire-by-hand.ts'
import { drawAmount, pick, shuffled } from './draw.ts'

/** Reward shares drawn from a seed as plain values: what files are written from, and what answers are held against. */

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

export interface ShareFile {
  readonly network: Network
  readonly name: string
  readonly shares: readonly Share[]
  /** Those that name the file, the last one by time at the end. */
  readonly manifests: readonly { readonly price: bigint; readonly isMain: boolean }[]
}

/** What is known of a file before it is drawn. */
export interface FileShape {
  readonly network: Network
  readonly name: string
  /** Each share has one of these, in seconds since 1970. */
  readonly ends: readonly bigint[]
  /** How many shares there are, but for copies. */
  readonly count: number
  /** How many hotspots there are to choose from. */
  readonly hotspots: number
}

/** Members of each type of reward, as the wire has them: amounts, and texts with what they may be. */
const membersOfTypes: Readonly<
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
export const rewardTypes = (network: Network): readonly string[] => Object.keys(membersOfTypes[network])
export const hotspotText = (number: number) => base58checkOf(hotspot(number).raw)

const DAY = 86_400n

export function drawFile(random: Random, { network, name, ends, count, hotspots }: FileShape): ShareFile {
  const drafts = Array.from({ length: count }, () => {
    // Shares of hotspots are most of them.
    const type = random.chance(0.3) ? 'gateway_reward' : pick(rewardTypes(network), random)
    const [amounts = [], texts = {}] = membersOfTypes[network][type] ?? []
    const end = pick(ends, random)
    return {
      ...{ network, file: name, type, end, start: end - DAY },
      hotspot: withHotspot.has(type) ? hotspotText(random.below(hotspots)) : null,
      amounts: Object.fromEntries(amounts.map((member) => [member, drawAmount(random)])),
      texts: Object.fromEntries(
        Object.entries(texts).map(([member, values]) => [member, pick(values, random)]),
      ),
    }
  })
  // Equal messages are rows of their own.
  const copies = drafts.slice(0, random.below(3))
  const shares = [...drafts, ...copies].map((draft, ordinal) => ({ ...draft, ordinal }))
  return { network, name, shares, manifests: drawManifests(random) }
}

/** None, one, or two of which the second counts; a price may be 0. */
function drawManifests(random: Random): ShareFile['manifests'] {
  return Array.from({ length: random.chance(0.15) ? 0 : 1 + random.below(2) }, () => ({
    price: random.chance(0.3)
      ? pick([0n, 1n, 2n ** 31n, 2n ** 64n - 1n], random)
      : BigInt(1 + random.below(1_000_000_000)),
    isMain: random.chance(0.5),
  }))
}

export const FEW_HOTSPOTS = 5

/** Ends of months and of a year, and instants beside them. */
export const fewEnds: readonly bigint[] = [
  ...['2024-12-31T23:59:59Z', '2025-01-01T00:00:00Z', '2025-01-31T00:00:00Z', '2025-02-01T00:00:00Z'],
  ...['2025-02-01T00:00:01Z', '2025-03-01T00:00:00Z'],
].map((text) => BigInt(Date.parse(text)) / 1000n)

/** A few files with many shares of either network; of both in the first two files and of one in the last. */
export function drawFewFiles(seed: number): readonly ShareFile[] {
  const random = openRandom(deriveSeed('few files', seed))
  // Names sort by their bytes: 10 before 9, and the newer prefix before the older one.
  const namesOf = (network: Network) =>
    [`${network}_reward_share`, `${network}_network_reward_shares_v1`].flatMap((prefix) =>
      [9, 10, 11].map((number) => `${prefix}.${number}.gz`),
    )
  const names = {
    iot: [...shuffled(namesOf('iot'), random)],
    mobile: [...shuffled(namesOf('mobile'), random)],
  }
  const draw = (network: Network, least: number, most: number) =>
    drawFile(random, {
      ...{ network, name: names[network].pop() ?? '', ends: fewEnds, hotspots: FEW_HOTSPOTS },
      count: least + random.below(most - least + 1),
    })
  return [
    draw('iot', 30, 40),
    draw('mobile', 10, 20),
    ...Array.from({ length: 1 + random.below(3) }, () => draw(random.chance(0.5) ? 'iot' : 'mobile', 0, 20)),
    draw('mobile', 20, 30),
  ]
}
