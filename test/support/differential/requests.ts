import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../../src/catalog/l2/mobile-reward-shares.ts'
import type { Resource } from '../../../src/catalog/resource.ts'
import { type CheckedQuery, querySchema } from '../../../src/doors/contract/query-schema.ts'
import { deriveSeed, openRandom, type Random } from '../../../src/write/sample/random.ts'
import { rewardTypes } from '../network/reward-types.ts'
import { drawHotspot, type Years } from '../network/years.ts'
import { restParameters, type ShareQuery } from '../properties/queries.ts'

/** One request: as its parameters say it, and as the server reads those. */
export interface Asked {
  readonly verb: 'totals' | 'list'
  readonly query: ShareQuery
  readonly page: number
  readonly perPage: number
  readonly resource: Resource
  readonly checked: CheckedQuery
}

const SECOND = 1_000_000n
/** Before, at and behind an end: bounds include their ends. */
const aside = [0n, 0n, 1n, -1n, SECOND, -SECOND, 43_200n * SECOND]
const MONTH = 30

/** So many requests; the same seed gives the same ones. */
export function drawRequests(seed: string, years: Years, count: number): readonly Asked[] {
  const random = openRandom(deriveSeed(seed, 'requests'))
  return Array.from({ length: count }, () => drawRequest(random, years))
}

function drawRequest(random: Random, years: Years): Asked {
  const network = random.chance(0.5) ? 'iot' : 'mobile'
  const types = rewardTypes(network)
  const query: ShareQuery = {
    network,
    ...drawRange(random, years.ends),
    hotspot: random.chance(0.5) ? drawHotspot(random) : undefined,
    type: random.chance(0.3) ? types[random.below(types.length)] : undefined,
  }
  const resource = network === 'iot' ? iotRewardShares : mobileRewardShares
  const verb = random.chance(0.6) ? 'totals' : 'list'
  const perPage = random.chance(0.3) ? 100 : 1 + random.below(20)
  const page = verb === 'totals' ? 1 : drawPage(random, perPage, years)
  const paging = verb === 'totals' ? {} : { page: String(page), per_page: String(perPage) }
  const checked = querySchema(resource, verb)({ ...restParameters(query), ...paging })
  return { verb, query, page, perPage, resource, checked }
}

/** From and to lie about ends of periods; half of the ranges are short. */
function drawRange(random: Random, ends: readonly bigint[]): Pick<ShareQuery, 'from' | 'to'> {
  const pick = (place: number) =>
    (ends[Math.min(place, ends.length - 1)] ?? 0n) * SECOND + (aside[random.below(aside.length)] ?? 0n)
  const first = random.below(ends.length)
  const length = random.below(random.chance(0.5) ? MONTH : ends.length)
  const [from, to] = [pick(first), pick(first + length)]
  return from < to ? { from, to } : { from: to, to: from + 1n }
}

/** Mostly one of those that may be there, now and then one behind the last. */
function drawPage(random: Random, perPage: number, years: Years): number {
  if (random.chance(0.3)) return 1
  const rows = years.files.reduce((sum, { shares }) => sum + shares.length, 0) / 2
  return 1 + random.below(Math.ceil(rows / perPage) / (random.chance(0.5) ? 20 : 1) + 1)
}
