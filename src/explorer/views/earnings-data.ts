import { groupBy } from '../../base/maps.ts'
import type { Api } from '../ask/api.ts'
import { askSeries, type Selection } from '../ask/series.ts'
import { type DayCoverage, type DayState, stateOf } from '../values/day-states.ts'
import { daysBetween, stepOf } from '../values/days.ts'
import { type Network, networkIds } from '../values/networks.ts'
import type { Span } from '../values/spans.ts'
import { isAllUnknown, unknownIn } from '../values/unknown.ts'
import { earnedOf, isPaid, sumByToken, type TokenEarnings } from './earned.ts'

/** Earnings in one step of a span. Lists of steps begin with the oldest. */
export interface Step {
  readonly start: string
  readonly earned: readonly TokenEarnings[]
}

export interface Earnings {
  readonly span: Span
  readonly steps: readonly Step[]
  /** Sums over the whole span. */
  readonly totals: readonly TokenEarnings[]
  readonly states: ReadonlyMap<string, DayState>
  /** States of the days in each network. */
  readonly networkStates: ReadonlyMap<Network, ReadonlyMap<string, DayState>>
  /** Networks with earnings. */
  readonly networks: readonly Network[]
  readonly addresses: readonly string[]
  /** Requested keys or owner without any row; null if the server could not check. */
  readonly unknown: readonly string[] | null
  /** The key of each hotspot that was requested by name. */
  readonly names: Readonly<Record<string, string>>
  /** True if all requested keys, or the owner, are unknown. */
  readonly isAllUnknown: boolean
}

/** Requests the days of each network, and adds them up to steps and totals. */
export async function askEarnings(api: Api, whose: Selection, span: Span): Promise<Earnings> {
  const responses = await Promise.all(
    networkIds.map(async (network) => {
      const reply = await askSeries(api, network, whose, span, { interval: 'day', coverage: 'true' })
      return { network, ...reply, coverages: reply.value.coverage ? [reply.value.coverage] : [] }
    }),
  )
  const days = responses.flatMap(({ network, value }) =>
    value.records.map((row) => ({ start: row.start ?? '', earned: earnedOf(network)(row) })),
  )
  const totals = sumByToken(days.map(({ earned }) => earned))
  const paidIn = networkIds.filter((network) => totals.some((one) => one.network === network && isPaid(one)))
  const covering = responses.filter(({ network }) => paidIn.length === 0 || paidIn.includes(network))
  const [[param, values] = ['', '']] = Object.entries<string>({ ...whose })
  const unknown = unknownIn(
    responses.map(({ value }) => value.meta.unknown ?? null),
    param,
  )
  return {
    span,
    unknown,
    names: responses[0]?.value.meta.names ?? {},
    isAllUnknown: isAllUnknown(unknown, values),
    steps: stepsOf(span, days),
    totals,
    states: statesOf(
      span,
      days,
      covering.flatMap(({ coverages }) => coverages),
    ),
    networkStates: new Map(
      responses.map(({ network, coverages }) => [
        network,
        statesOf(
          span,
          days.filter(({ earned }) => earned.network === network),
          coverages,
        ),
      ]),
    ),
    networks: paidIn,
    addresses: responses.map(({ address }) => address),
  }
}

interface Row {
  readonly start: string
  readonly earned: TokenEarnings
}

/** Returns the first day of each step of a span. */
export function startsOf({ first, last, interval }: Span): readonly string[] {
  return [...new Set(daysBetween(first, last).map((day) => stepOf(day, interval)))]
}

function stepsOf(span: Span, days: readonly Row[]): readonly Step[] {
  const byStart = groupBy(days, ({ start }) => stepOf(start, span.interval))
  const starts = new Set([...startsOf(span), ...byStart.keys()])
  return [...starts]
    .sort()
    .map((start) => ({ start, earned: sumByToken((byStart.get(start) ?? []).map(({ earned }) => earned)) }))
}

function statesOf(
  { first, last }: Span,
  rows: readonly Row[],
  coverages: readonly DayCoverage[],
): ReadonlyMap<string, DayState> {
  const paid = new Set(rows.filter(({ earned }) => isPaid(earned)).map(({ start }) => start))
  return new Map(daysBetween(first, last).map((day) => [day, stateOf(day, coverages, paid.has(day))]))
}
