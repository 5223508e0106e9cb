import type { Context, Shown } from '../ask/context.ts'
import { askHotspot, type HotspotRecord, type Radios } from '../ask/hotspots.ts'
import { places } from '../ledger/places.ts'
import { codeElement, copied, facts, shortKey } from '../parts/facts.ts'
import { type Child, div, h, paragraph } from '../parts/h.ts'
import { newsLine } from '../parts/news-line.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { pagePath } from '../values/addresses.ts'
import { colorOf, type Network, networkIds, networkNames } from '../values/networks.ts'
import { UNKNOWN_HOTSPOT, unknownTexts } from '../values/unknown.ts'
import { words } from '../values/words.ts'
import { comparison } from '../views/comparison.ts'
import { downloads } from '../views/downloads.ts'
import { earningsPanel } from '../views/earnings.ts'
import { remember } from '../views/remembered.ts'

/** Earnings and facts of one hotspot. */
export async function showHotspot(context: Context, key: string): Promise<Shown> {
  const { api } = context
  const name = h('h1', 'Hotspot')
  const mark = h('span', remember(key))
  const news = newsLine()
  const whoIs = panel('The hotspot', async () => {
    const record = await askHotspot(api, key)
    if (record === undefined)
      return paragraph('The hotspots table has no such key, so name, owner and location are unknown.')
    if (record.value.name) {
      mark.replaceChildren(remember(key, record.value.name))
      name.textContent = record.value.name
      document.title = `${record.value.name} · ledgerlake`
    }
    const radios = networkIds.map((id) => ({
      network: networkNames[id],
      location: record.value[`${id}_info`]?.location ?? null,
    }))
    return [about(record.value, context), requests(record.address), places(api, radios)]
  })
  const content = div(
    name,
    news.element,
    h('p.subject', copied(key, shortKey(key)), ' ', mark),
    earningsPanel(
      context,
      { hotspot_key: key },
      {
        compare: (earnings) => comparison(api, key, earnings),
        below: ({ span }) => downloads(api, { hotspot_key: key }, span),
        report: ({ unknown }) => news.tell(...unknownTexts(unknown, UNKNOWN_HOTSPOT)),
      },
    ),
    whoIs,
    paragraph(h('a', { href: context.base + pagePath('gateway', key) }, 'Its records on the L1 ledger')),
  )
  return { title: `Hotspot ${key}`, content }
}

function about(record: HotspotRecord, { base }: Context): HTMLElement {
  const { owner, maker } = record
  return facts([
    ['Key', codeElement(record.ecc_key)],
    ['Networks', record.networks.map((id) => h(`span.badge.${colorOf(id)}`, networkNames[id]))],
    ['Owner', h('a', { href: base + pagePath('owner', owner) }, codeElement(owner))],
    ['Maker', maker?.name ?? 'unknown'],
    ...networkIds.flatMap((id) => locationRows(networkNames[id], record[`${id}_info`] ?? null)),
  ])
}

function locationRows(
  network: string,
  radio: Radios[`${Network}_info`],
): readonly (readonly [string, Child])[] {
  if (!radio || (radio.is_active === null && radio.location === null)) return []
  const { location, is_active, elevation, gain, device_type, antenna } = radio
  const parts = [
    is_active === null ? undefined : is_active ? 'active' : 'not active',
    elevation && `${elevation} m above ground`,
    gain && `gain ${Number(gain) / 10} dBi`,
    device_type && words(device_type),
    antenna && `antenna ${antenna}`,
  ]
  const cell =
    location === null ? 'no place asserted' : [' H3 cell ', shortKey(BigInt(location).toString(16))]
  const text = parts.filter((part) => typeof part === 'string').join(', ')
  return [[`${network} radio`, h('span', text, ', ', cell)]]
}
