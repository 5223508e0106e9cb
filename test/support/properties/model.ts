import { compareBytes } from '../compare-bytes.ts'
import { exactNumber, readExact } from '../exact-json.ts'
import { secondsText } from '../instants.ts'
import { base58checkOf } from '../messages/wire-by-hand.ts'
import { subscriber } from '../network/oracle-files.ts'
import type { Network } from '../network/reward-types.ts'
import type { Share, ShareFile } from '../network/shares.ts'
import type { ShareQuery, ShareRequest } from './queries.ts'

/** What the interface says of a drawn network, by a plain reduction over its values. */

/** Source: docs/decisions, "Order of every list". */
function compareShares(a: Share, b: Share): number {
  return (
    Number(a.end - b.end) ||
    compareBytes(a.type, b.type) ||
    compareBytes(a.file, b.file) ||
    Number(a.hotspot !== null) - Number(b.hotspot !== null) ||
    compareBytes(a.hotspot ?? '', b.hotspot ?? '') ||
    a.ordinal - b.ordinal
  )
}

/** The shares of a query in the order of their list. */
export function sharesOf(files: readonly ShareFile[], query: ShareQuery): readonly Share[] {
  return files
    .filter(({ network }) => network === query.network)
    .flatMap(({ shares }) => shares)
    .filter(
      ({ end, type, hotspot: key }) =>
        end * 1_000_000n >= query.from &&
        end * 1_000_000n <= query.to &&
        (query.hotspot === undefined || key === query.hotspot) &&
        (query.type === undefined || type === query.type),
    )
    .sort(compareShares)
}

/** Whole tokens as text, by cutting digits. */
function inTokens(units: bigint, decimals: number): string {
  const scale = 10n ** BigInt(decimals)
  const fraction = `${scale + (units % scale)}`.slice(1)
  return `${units / scale}.${fraction[0]}${fraction.slice(1).replace(/0+$/, '')}`
}

/** reward / price / 0.5 * 2^30, rounded half up. */
function bytesOf(reward: bigint, price: bigint): bigint {
  const twice = reward * 2n ** 30n * 2n
  return twice / price + ((twice % price) * 2n >= price ? 1n : 0n)
}

const unformatted: ReadonlySet<string> = new Set(['radio_reward_v2', 'promotion_reward'])
const paidForData: ReadonlySet<string> = new Set(['radio_reward', 'gateway_reward'])
const decimals = /(_points_sum|_reward_shares|_multiplier)$/

/** Members of a v2 radio that the drawn ones leave out, as the wire's absence stands for. */
const unsetOfRadio = {
  ...{ boosted_coverage_points_sum: 0n, boosted_reward_shares: 0n },
  ...{ location_trust_score_multiplier: 0n, speedtest_multiplier: 0n },
  ...{ seniority_timestamp: null, coverage_object: null },
  oracle_boosted_hex_status: 'oracle_boosted_hex_status_eligible',
}

export type Members = Readonly<Record<string, unknown>>

const byName = new WeakMap<readonly ShareFile[], ReadonlyMap<string, ShareFile>>()

function fileOf(files: readonly ShareFile[], name: string): ShareFile | undefined {
  if (!byName.has(files)) byName.set(files, new Map(files.map((file) => [file.name, file])))
  return byName.get(files)?.get(name)
}

/** The record of a share, without its id and its manifest. */
export function recordOf(files: readonly ShareFile[], share: Share): Members {
  const { network, file, start, end, type, hotspot: key, amounts, texts } = share
  const manifest = fileOf(files, file)?.manifests.at(-1)
  const places = manifest === undefined ? undefined : manifest.isMain ? 8 : 6
  const detail: Record<string, unknown> = type === 'radio_reward_v2' ? { ...unsetOfRadio } : {}
  if (key !== null) detail.hotspot_key = key
  if (type === 'subscriber_reward') detail.subscriber_id = base58checkOf(subscriber)
  for (const [name, value] of Object.entries(amounts)) {
    detail[name] = value
    if (unformatted.has(type)) continue
    detail[`formatted_${name}`] = places === undefined ? null : inTokens(value, places)
  }
  for (const [name, text] of Object.entries(texts))
    detail[name] = decimals.test(name) ? exactNumber(text) : text
  if (network === 'mobile' && paidForData.has(type)) {
    const price = manifest?.price ?? 0n
    detail.offloaded_bytes = price === 0n ? null : bytesOf(amounts.dc_transfer_reward ?? 0n, price)
  }
  return {
    reward_type: type,
    start_period: secondsText(start),
    end_period: secondsText(end),
    reward_detail: detail,
  }
}

/** What each sum of the totals is summed over. Source: specification, "IoT reward totals", "Mobile reward totals". */
const summed: Readonly<Record<Network, readonly string[]>> = {
  iot: ['beacon_amount', 'witness_amount', 'dc_transfer_amount', 'amount'],
  mobile: [
    'dc_transfer_reward',
    'poc_reward',
    'subscriber_reward',
    'discovery_location_amount',
    'service_provider_amount',
    'matched_amount',
    'offloaded_bytes',
  ],
}

/** Exact sums over the details of records, as the totals name them. */
export function sumsOf(network: Network, details: readonly Members[]): Members {
  const sums = summed[network].map((name) => {
    const values = details.map((detail) => (detail[name] ?? 0n) as bigint)
    return [`total_${name}`, values.reduce((total, value) => total + value, 0n)]
  })
  return Object.fromEntries(sums)
}

/** The meta of a page. Source: specification, "Pagination info". */
export function metaOf(total: number, page: number, perPage: number): Members {
  const pages = Math.max(1, Math.ceil(total / perPage))
  return {
    count: BigInt(Math.max(0, Math.min(perPage, total - (page - 1) * perPage))),
    total_pages: BigInt(pages),
    current_page: BigInt(page),
    next_page: page < pages ? BigInt(page + 1) : null,
    prev_page: page > 1 ? BigInt(page - 1) : null,
  }
}

/** The shares of a page. */
export function pageOf(files: readonly ShareFile[], { query, page, perPage }: ShareRequest) {
  return sharesOf(files, query).slice((page - 1) * perPage, page * perPage)
}

/** The right answer to a request, as `plainReply` gives it. */
export function answerTo(files: readonly ShareFile[], request: ShareRequest): Members {
  const { verb, query, page, perPage } = request
  const recordsOf = (shares: readonly Share[]) => shares.map((share) => recordOf(files, share))
  const shares = sharesOf(files, query)
  if (verb === 'list')
    return { meta: metaOf(shares.length, page, perPage), records: recordsOf(pageOf(files, request)) }
  return sumsOf(
    query.network,
    recordsOf(shares).map((record) => record.reward_detail as Members),
  )
}

/** A record as the model has it: ids and manifests are not drawn. */
export const plainRecord = ({ id: _, reward_manifest: __, ...members }: Members): Members => members

/** A reply with exact numbers. */
export function plainReply(body: string): Members {
  const reply = readExact<Members & { records?: Members[] }>(body)
  return reply.records === undefined ? reply : { ...reply, records: reply.records.map(plainRecord) }
}
