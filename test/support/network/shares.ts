import type { Random } from '../../../src/write/sample/random.ts'
import { hotspot } from '../lakes/make-lake.ts'
import { base58checkOf } from '../messages/wire-by-hand.ts'
import { drawAmount, pick } from './draw.ts'
import { membersOfTypes, type Network, rewardTypes, withHotspot } from './reward-types.ts'

/** Reward shares drawn from a seed as plain values: what files are written from, and what answers are held against. */

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
