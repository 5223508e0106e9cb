import { groupBy } from '../../base/maps.ts'
import type { Api, Reply } from '../ask/api.ts'
import { askSeries, type Selection } from '../ask/series.ts'
import { type DayCoverage, type DayState, stateOf } from '../values/day-states.ts'
import { daysBetween, stepOf } from '../values/days.ts'
import { type Network, networkIds } from '../values/networks.ts'
import type { Span } from '../values/spans.ts'
import { isAllUnknown, unknownIn } from '../values/unknown.ts'
import { earnedOf, isPaid, type TokenEarnings } from './earned.ts'

/** Earnings in one step of a span. Lists of steps begin with the oldest. */
export interface Step {
  readonly start: string
  readonly earned: readonly TokenEarnings[]
}

export interface Earnings {
  readonly span: Span
  readonly steps: readonly Step[]
  /** Sums over the whole span, computed by the server. */
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

/** Requests steps, days and totals of each network. */
export async function askEarnings(api: Api, whose: Selection, span: Span): Promise<Earnings> {
  const { interval } = span
  const responses = await Promise.all(
    networkIds.map(async (network) => {
      const steps = askSeries(api, network, whose, span, { interval, coverage: 'true' })
      const days = interval === 'day' ? steps : askSeries(api, network, whose, span, { interval: 'day' })
      const totals = askSeries(api, network, whose, span, { interval: 'all' })
      return { network, steps: await steps, days: await days, totals: await totals }
    }),
  )
  const rowsOf = (of: 'steps' | 'days' | 'totals') =>
    responses.flatMap((one) =>
      one[of].value.records.map((row) => ({ start: row.start ?? '', earned: earnedOf(one.network)(row) })),
    )
  const totals = rowsOf('totals').map(({ earned }) => earned)
  const paidIn = networkIds.filter((network) => totals.some((one) => one.network === network && isPaid(one)))
  const covering = responses.filter(({ network }) => paidIn.length === 0 || paidIn.includes(network))
  const coverages = covering.flatMap(({ steps }) => (steps.value.coverage ? [steps.value.coverage] : []))
  const [[param, values] = ['', '']] = Object.entries<string>({ ...whose })
  const unknown = unknownIn(
    responses.map(({ totals: { value } }) => value.meta.unknown ?? null),
    param,
  )
  return {
    span,
    unknown,
    names: responses[0]?.totals.value.meta.names ?? {},
    isAllUnknown: isAllUnknown(unknown, values),
    steps: stepsOf(span, rowsOf('steps')),
    totals,
    states: statesOf(span, rowsOf('days'), coverages),
    networkStates: new Map(
      responses.map(({ network, steps }) => [
        network,
        statesOf(
          span,
          rowsOf('days').filter(({ earned }) => earned.network === network),
          steps.value.coverage ? [steps.value.coverage] : [],
        ),
      ]),
    ),
    networks: paidIn,
    addresses: [...new Set(responses.flatMap(addressesOf))],
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

function stepsOf(span: Span, rows: readonly Row[]): readonly Step[] {
  const byStart = groupBy(rows, ({ start }) => start)
  const starts = new Set([...startsOf(span), ...byStart.keys()])
  return [...starts]
    .sort()
    .map((start) => ({ start, earned: (byStart.get(start) ?? []).map(({ earned }) => earned) }))
}

function statesOf(
  { first, last }: Span,
  rows: readonly Row[],
  coverages: readonly DayCoverage[],
): ReadonlyMap<string, DayState> {
  const paid = new Set(rows.filter(({ earned }) => isPaid(earned)).map(({ start }) => start))
  return new Map(daysBetween(first, last).map((day) => [day, stateOf(day, coverages, paid.has(day))]))
}

type Replies = Readonly<Record<'steps' | 'days' | 'totals', Reply<unknown>>>

const addressesOf = ({ steps, days, totals }: Replies) => [steps.address, days.address, totals.address]
