import { groupBy } from '../../base/maps.ts'
import type { Context } from '../ask/context.ts'
import { askNetworks, type Selection } from '../ask/series.ts'
import { chart } from '../parts/chart.ts'
import { shortKey } from '../parts/facts.ts'
import { div, h, quiet } from '../parts/h.ts'
import { fillLater } from '../parts/panel.ts'
import { shortUsd } from '../values/amounts.ts'
import { stepText } from '../values/days.ts'
import type { Span } from '../values/spans.ts'
import { earnedOf, isPaid, totalUsd } from './earned.ts'
import { startsOf } from './earnings-data.ts'
import type { HotspotSums } from './hotspot-sums.ts'

/** The style sheet has this many colours. */
const MOST_LINES = 6

export const canHaveLines = ({ length }: readonly HotspotSums[]) => length > 1 && length <= MOST_LINES

/** A chart with a line for each of a few hotspots, in USD. */
export function hotspotLines(
  { api }: Context,
  whose: Selection,
  span: Span,
  hotspots: readonly HotspotSums[],
): HTMLElement {
  const { interval } = span
  const container = h('div')
  void fillLater(container, async () => {
    const given = { interval, group_by: 'hotspot', limit: String(MOST_LINES) }
    const responses = await askNetworks(api, whose, span, given)
    const rows = responses.flatMap(({ network, reply }) =>
      reply.value.records.map((row) => ({ id: `${row.group} ${row.start}`, earned: earnedOf(network)(row) })),
    )
    const rowsById = groupBy(rows, ({ id }) => id)
    const usdOf = (key: string, start: string) =>
      totalUsd((rowsById.get(`${key} ${start}`) ?? []).map(({ earned }) => earned).filter(isPaid)) ?? null
    const starts = startsOf(span)
    const describe = (place: number) => {
      const start = starts[place] ?? ''
      const paid = hotspots.flatMap(({ key, name }) => {
        const usd = usdOf(key, start)
        return usd === null ? [] : [`${name ?? key.slice(0, 8)} ${shortUsd(usd)}`]
      })
      return `${stepText(start, interval)}: ${paid.join(', ') || 'nothing earned, or no data'}`
    }
    return await chart({
      label: `Lines of what each hotspot earned in USD, by ${interval}.`,
      sign: '$',
      isLines: true,
      days: starts,
      layers: hotspots.map(({ key, name }, index) => ({
        name: name ?? key,
        color: `--hotspot-${index + 1}`,
        amounts: starts.map((start) => usdOf(key, start)),
      })),
      gaps: [],
      describe,
    })
  })
  return div(
    h('h3', 'One by one'),
    h(
      'ul.key',
      hotspots.map(({ key, name }, index) =>
        h('li', h(`span.swatch.hotspot-${index + 1}`), name ?? shortKey(key)),
      ),
    ),
    container,
    quiet('A line has no point where nothing was earned, or where data is missing.'),
  )
}
