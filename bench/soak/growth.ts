import {
  dayBefore,
  hotspot,
  iotReward,
  iotShare,
  mobileReward,
  type OracleFiles,
  priced,
} from '../../test/support/lakes/make-lake.ts'

/**
 * A network that grows by one day an ingest, so that what is answered follows from how many files of each table a snapshot has.
 * Its days come after those of the made-up network that the lake begins with, which never change.
 */

export type Network = 'iot' | 'mobile'

/** Files of each table that a snapshot has. */
export interface Files {
  readonly iot: number
  readonly mobile: number
  readonly manifests: number
}

export const HOTSPOTS = 20

const DAY_MS = 86_400_000
const FIRST_END_MS = Date.UTC(2024, 6, 2)
/** Offloaded bytes are reward * 2^31 / price. */
const PRICE = 2n ** 32n

/** The date on which the period of a day ends. */
export const dateOf = (day: number) => new Date(FIRST_END_MS + day * DAY_MS).toISOString().slice(0, 10)

/** In the order in which their keys are listed. */
const hotspots = Array.from({ length: HOTSPOTS }, (_, number) => number).sort((one, other) =>
  hotspot(one).text < hotspot(other).text ? -1 : 1,
)

/** Even numbers that a double cannot hold. */
const amountOf = (day: number, number: number) => 2n ** 54n + 2n * BigInt(day * 1000 + number)
const operationalOf = (day: number) => BigInt(day + 1)

/** The files of one day, by their names. */
export function filesOfDay(day: number): OracleFiles {
  const date = dateOf(day)
  const nameOf = (prefix: string) => `${prefix}.${FIRST_END_MS + day * DAY_MS}.gz`
  const mobile = nameOf('mobile_reward_share')
  return {
    [nameOf('iot_reward_share')]: [
      ...hotspots.map((number) => iotReward(date, number, { beacon_amount: amountOf(day, number) })),
      iotShare({ ...dayBefore(date), reward_type: 'operational_reward', amount: operationalOf(day) }),
    ],
    [mobile]: hotspots.map((number) =>
      mobileReward(date, number, { dc_transfer_reward: amountOf(day, number) }),
    ),
    [nameOf('reward_manifest')]: [priced(mobile, PRICE)],
  }
}

/** Days from `first` to `last` of which a table has files. */
function daysOf(files: number, first: number, last: number): readonly number[] {
  const end = Math.min(last + 1, files)
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index)
}

const sum = (numbers: readonly bigint[]) => numbers.reduce((whole, one) => whole + one, 0n)

/** Totals of a range of days other than 0; of one hotspot where one is given. */
export function totalsOf(
  network: Network,
  files: Files,
  [first, last]: readonly [number, number],
  only?: number,
): Record<string, bigint> {
  const paid = only === undefined ? hotspots : [only]
  const earned = (days: readonly number[]) =>
    sum(days.flatMap((day) => paid.map((number) => amountOf(day, number))))
  const days = daysOf(files[network], first, last)
  if (network === 'iot') {
    const operational = only === undefined ? sum(days.map(operationalOf)) : 0n
    return { total_beacon_amount: earned(days), total_amount: operational }
  }
  const priced = daysOf(Math.min(files.mobile, files.manifests), first, last)
  return { total_dc_transfer_reward: earned(days), total_offloaded_bytes: earned(priced) / 2n }
}

/** What the IoT shares of a range of days pay, in the order of their list. */
export function iotAmounts({ iot }: Files, first: number, last: number): readonly bigint[] {
  return daysOf(iot, first, last).flatMap((day) => [
    ...hotspots.map((number) => amountOf(day, number)),
    operationalOf(day),
  ])
}
