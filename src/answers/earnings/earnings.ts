import { getOrMake } from '../../base/maps.ts'
import { isSliceOver, nextSlice } from '../../base/slices.ts'
import { type NetworkId, networkOfName, networks, rewardTokens } from '../../catalog/networks.ts'
import type { Days } from '../../catalog/query/days.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { Repository } from '../repository.ts'
import type { SeriesRows } from '../series/series-rows.ts'
import { unitOf } from '../statement/reward-facts.ts'
import { shareTables } from '../statement/share-tables.ts'
import { openRead, type StatementRead } from '../statement/statement-read.ts'
import type { Reach } from '../unknown/reach.ts'
import type { Unknown } from '../unknown/unknown.ts'
import { type EarningsRow, rowStates } from './earnings-row.ts'
import { type EarningHotspot, type EarningsHolder, hotspotsOf, unknownAmong } from './hotspots.ts'
import { dayNumber, daysBetween, type NetworkDays, networkDays } from './network-days.ts'

export interface EarningsRequest {
  readonly holder: EarningsHolder
  readonly days: Days
  readonly tz: string
  /** Reach of the client. */
  readonly reach: Reach
}

/** The earnings of hotspots, by day. */
export interface Earnings {
  readonly hotspots: readonly EarningHotspot[]
  readonly unknown: Unknown
  /** Exact number of rows, and of those with an amount in a known token. */
  readonly count: number
  readonly payments: number
  /** Rows by date, hotspot, network and token; a batch for each day. */
  rows(signal?: AbortSignal): AsyncGenerator<readonly EarningsRow[]>
  /** Counts of `Ledgerlake-Missing`, over the networks of the hotspots. */
  readonly missing: { readonly days: number; readonly manifests: number }
}

/** Payments of a day. */
type Paid = Pick<EarningsRow, 'token' | 'amount' | 'price' | 'usd' | 'state'>

interface NetworkEarnings {
  readonly id: NetworkId
  readonly days: NetworkDays
  /** By hotspot key, then by day. */
  readonly paid: ReadonlyMap<string, ReadonlyMap<string, readonly Paid[]>>
}

/** More groups than there are hotspots. */
const ALL_GROUPS = 1_000_000

/**
 * Returns what hotspots earned on each day in each network, with the days that lack data.
 * Errors: those of `hotspotsOf`, and `malformed_request` for too many rows.
 */
export async function earningsOf(
  repository: Repository,
  { holder, days, tz, reach }: EarningsRequest,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<Earnings> {
  const read = openRead({ repository, at, tz, reach, signal })
  const hotspots = await hotspotsOf(read, holder)
  await repository.coverages.read(at, signal)
  const keys = hotspots.map(({ key }) => key)
  const networkEarnings: NetworkEarnings[] = []
  for (const resource of shareTables) networkEarnings.push(await earningsIn(read, resource, keys, days))
  const unpaid = hotspots.filter(
    ({ key, networks: served }) => served.length === 0 && networkEarnings.every(({ paid }) => !paid.has(key)),
  )
  const unknown = await unknownAmong(
    read,
    unpaid.map(({ key }) => key),
  )
  const unknownKeys = new Set(unknown.hotspot_key ?? [])

  /** Networks that a hotspot serves or that paid it; all for a hotspot of which neither is known. */
  function networksOf({ key, networks: served }: EarningHotspot): readonly NetworkEarnings[] {
    const its = networkEarnings.filter(({ id, paid }) => served.includes(id) || paid.has(key))
    return its.length === 0 ? networkEarnings : its
  }

  const listed = hotspots
    .filter(({ key }) => !unknownKeys.has(key))
    .map((hotspot) => ({ hotspot, networks: networksOf(hotspot) }))
  const covered = new Set(listed.flatMap((one) => one.networks))
  const dates = daysBetween(days)

  async function* rows(within = signal): AsyncGenerator<readonly EarningsRow[]> {
    const unknownRows = hotspots.filter(({ key }) => unknownKeys.has(key)).map(unknownRow)
    if (unknownRows.length > 0) yield unknownRows
    for (const date of dates) {
      if (isSliceOver()) await nextSlice(within)
      const day = dayNumber(date)
      yield listed.flatMap(({ hotspot: { key, name }, networks: its }) =>
        its.flatMap(({ id, days: ofNetwork, paid }) =>
          stated(paid.get(key)?.get(date), ofNetwork, date).map((one): EarningsRow => {
            return { day, name, key, network: networks[id].title, ...one }
          }),
        ),
      )
    }
  }

  let [count, payments] = [unknownKeys.size, 0]
  for (const { hotspot, networks: its } of listed)
    for (const { paid } of its) {
      count += dates.length
      for (const ofDay of paid.get(hotspot.key)?.values() ?? []) {
        count += ofDay.length - 1
        payments += ofDay.filter(({ amount }) => amount !== null).length
      }
    }
  const sum = (of: 'days' | 'manifests') =>
    [...covered].reduce((total, one) => total + one.days.counts[of], 0)
  const missing = { days: sum('days'), manifests: sum('manifests') }
  return { hotspots, unknown, count, payments, rows, missing }
}

async function earningsIn(
  read: StatementRead,
  resource: Resource,
  hotspotKeys: readonly string[],
  days: Days,
): Promise<NetworkEarnings> {
  const { repository, at, tz, signal } = read
  const id = networkOfName(resource.name)
  if (id === undefined) throw new Error(`${resource.name} is of no network`)
  const request = { interval: 'day', tz, groupBy: 'hotspot', limit: ALL_GROUPS, hotspotKeys } as const
  const paidDays = { filters: {}, days: { ...days, tz } }
  const filters = await repository.dayRanges.read(resource, paidDays, at, signal)
  const { rows } = await repository.series(resource, filters, request, at).read(signal)
  return { id, days: networkDays(read, resource, days), paid: paymentsOf(rows) }
}

/** Groups the rows of a series that earned anything. */
function paymentsOf({ columns, order }: SeriesRows): NetworkEarnings['paid'] {
  const paid = new Map<string, Map<string, Paid[]>>()
  for (const row of order) {
    const earned = BigInt(columns.earnedOf(row))
    const key = columns.nameOfGroup(columns.groupOf(row))
    if (earned === 0n || key === null) continue
    const { start, token } = columns.stepOf(row)
    const { symbol, decimals } = rewardTokens.get(token) ?? {}
    const unit = unitOf(decimals ?? null)
    const [rate, usd] = [columns.onlyRateOf(row), columns.usdOf(row)]
    const days = getOrMake(paid, key, () => new Map<string, Paid[]>())
    getOrMake(days, start ?? '', (): Paid[] => []).push({
      token: symbol ?? null,
      amount: unit && earned * unit,
      price: rate === undefined || unit === null ? null : BigInt(rate) / unit,
      usd: usd === null ? null : BigInt(usd),
      state: symbol === undefined ? rowStates.tokenUnknown : rowStates.paid,
    })
  }
  return paid
}

const nothing = { token: null, price: null } as const
const noData: Paid = { ...nothing, amount: null, usd: null, state: rowStates.missing }
const noFiles: Paid = { ...noData, state: rowStates.incomplete }
const noPay: Paid = { ...nothing, amount: 0n, usd: 0n, state: rowStates.nothing }

/** Returns the payments of a day; a part of them is marked, and a day without any has one row. */
function stated(
  paid: readonly Paid[] | undefined,
  { missing, incomplete }: NetworkDays,
  date: string,
): readonly Paid[] {
  if (paid === undefined) return [missing.has(date) ? noData : incomplete.has(date) ? noFiles : noPay]
  return incomplete.has(date) ? paid.map((one) => ({ ...one, state: rowStates.incomplete })) : paid
}

const unknownRow = ({ key, name }: EarningHotspot): EarningsRow => ({
  ...{ day: null, name, key, network: null },
  ...{ ...noData, state: rowStates.unknown },
})
