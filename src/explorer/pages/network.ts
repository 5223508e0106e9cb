import type { Context, Shown } from '../ask/context.ts'
import { askStatus, knownDays } from '../ask/status.ts'
import { facts } from '../parts/facts.ts'
import { type Child, div, h } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { grouped } from '../values/amounts.ts'
import { ageText, currentDay, dayText } from '../values/days.ts'
import { words } from '../values/words.ts'
import { earningsPanel } from '../views/earnings.ts'
import { topHotspots } from '../views/top-hotspots.ts'
import { typeTable } from '../views/type-table.ts'

const TOP = 10
const LEAD =
  'Type the key or the name of a hotspot above, or the address of an owner. Below are the earnings of the whole network.'

/** Rewards of the whole network, its top hotspots, and the completeness and age of the data. */
export async function showNetwork(context: Context): Promise<Shown> {
  const content = div(
    h('h1', 'What did a hotspot earn?'),
    h('p.lead', LEAD),
    earningsPanel(
      context,
      {},
      { below: ({ span }) => [topHotspots(context, span, TOP), typeTable(context, span)] },
    ),
    panel('The data of this server', () => held(context)),
  )
  return { title: 'Network', content }
}

async function held({ api }: Context): Promise<Child> {
  const { value, address } = await askStatus(api)
  const dayRange = knownDays(value)
  const rows = value.tables.filter(({ rows }) => rows !== '0')
  return [
    facts([
      ['Newest day', dayRange && `${dayText(dayRange.last)}, ${ageText(dayRange.last, currentDay())}`],
      ['Oldest day', dayRange && dayText(dayRange.first)],
      ['Snapshot', h('code', value.snapshot)],
      ...rows.map(({ table, rows }) => [words(table), `${grouped(rows)} rows`] as const),
    ]),
    requests(address),
  ]
}
