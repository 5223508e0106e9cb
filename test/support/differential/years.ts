import { deriveSeed, openRandom, type Random } from '../../../src/sample/random.ts'
import {
  hotspotText,
  membersOfTypes,
  type Network,
  rewardTypes,
  type Share,
  type ShareFile,
  withHotspot,
} from '../properties/network.ts'

/** Two years of both networks as plain values, with all that makes answers hard. */
export interface Years {
  /** What is true in the end. */
  readonly files: readonly ShareFile[]
  /** Files as they were first; each of them was replaced. */
  readonly replaced: readonly ShareFile[]
  /** Names of files whose manifests came after everything else. */
  readonly late: ReadonlySet<string>
  /** Every end of a period, in seconds since 1970. */
  readonly ends: readonly bigint[]
}

const DAY = 86_400n
const FIRST = BigInt(Date.parse('2024-06-29T00:00:00Z')) / 1000n
const DAYS = 733
/** The day that the token changes on. */
const SWITCH = BigInt(Date.parse('2025-06-16T00:00:00Z')) / 1000n
const HOTSPOTS = 40
const LARGEST = 2n ** 64n - 1n
const edges = [0n, 1n, 2n ** 32n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, LARGEST - 1n, LARGEST]
/** Some epochs do not end at midnight. */
const oddEnds = [-1n, 1n, 5400n]

/** One file of each network every `step` days, and on every first of a month. The same seed gives the same years. */
export function drawYears(seed: string, step: number, sharesAFile: number): Years {
  const random = openRandom(deriveSeed(seed, 'years'))
  const files: ShareFile[] = []
  const replaced: ShareFile[] = []
  const late = new Set<string>()
  for (let day = 0; day < DAYS; day += 1) {
    const end = FIRST + BigInt(day) * DAY
    if (day % step !== 0 && new Date(Number(end) * 1000).getUTCDate() !== 1) continue
    for (const network of ['iot', 'mobile'] as const) {
      const name = `${network}_network_reward_shares_v1.${end + 3600n}000.gz`
      const draw = () => drawShares(random, network, name, end, sharesAFile)
      const file = { network, name, shares: draw(), manifests: drawManifests(random, end) }
      files.push(file)
      if (random.chance(0.05)) replaced.push({ ...file, shares: draw(), manifests: [] })
      if (random.chance(0.2)) late.add(name)
    }
  }
  const ends = [...new Set(files.flatMap(({ shares }) => shares.map((share) => share.end)))]
  return { files, replaced, late, ends: ends.sort((a, b) => Number(a - b)) }
}

function drawShares(
  random: Random,
  network: Network,
  file: string,
  midnight: bigint,
  most: number,
): readonly Share[] {
  const types = rewardTypes(network)
  const odd = random.chance(0.1) ? (oddEnds[random.below(oddEnds.length)] ?? 0n) : 0n
  const drafts = Array.from({ length: 1 + random.below(most) }, () => {
    // Rewards of hotspots are most of them.
    const type = random.chance(0.5) ? 'gateway_reward' : (types[random.below(types.length)] ?? '')
    const [amounts = [], texts = {}] = membersOfTypes[network][type] ?? []
    const end = midnight + (random.chance(0.3) ? odd : 0n)
    return {
      ...{ network, file, type, end, start: end - DAY },
      hotspot: withHotspot.has(type) ? hotspotText(random.below(HOTSPOTS)) : null,
      amounts: Object.fromEntries(amounts.map((name) => [name, drawAmount(random)])),
      texts: Object.fromEntries(
        Object.entries(texts).map(([name, values]) => [name, values[random.below(values.length)] ?? '']),
      ),
    }
  })
  // Equal messages are rows of their own.
  const copies = random.chance(0.2) ? drafts.slice(0, 2) : []
  return [...drafts, ...copies].map((draft, ordinal) => ({ ...draft, ordinal }))
}

function drawAmount(random: Random): bigint {
  if (random.chance(0.3)) return edges[random.below(edges.length)] ?? 0n
  if (random.chance(0.5)) return BigInt(random.below(1_000_000))
  return (BigInt(random.word() >>> 0) << 32n) | BigInt(random.word() >>> 0)
}

/** None, one, or two of which the second counts; a price may be 0. */
function drawManifests(random: Random, end: bigint): ShareFile['manifests'] {
  return Array.from({ length: random.below(10) === 0 ? 0 : 1 + random.below(2) }, () => ({
    price: random.chance(0.1) ? 0n : BigInt(1 + random.below(400_000_000)),
    isMain: end >= SWITCH,
  }))
}

/** A hotspot of the network, or now and then one that nobody knows. */
export function drawHotspot(random: Random): string {
  return hotspotText(random.below(HOTSPOTS + 1))
}
