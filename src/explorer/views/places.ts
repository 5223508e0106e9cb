import { type Api, fetched } from '../ask/api.ts'
import { h } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import type { LonLat } from '../values/equal-earth.ts'

/** A cell as the server tells it; numbers are text. */
interface Feature {
  readonly id: string
  readonly geometry: { readonly coordinates: readonly (readonly (readonly [string, string])[])[] }
  readonly properties: Readonly<Record<'resolution' | 'latitude' | 'longitude', string>>
}

/** A radio by the name of its network, and its H3 cell as a decimal integer. */
export interface Placed {
  readonly network: string
  readonly location: string | null
}

/** Where radios are: a map for each of their cells, or a sentence where there is none. */
export function places(api: Api, radios: readonly Placed[]): readonly HTMLElement[] {
  const cells = new Set(radios.flatMap(({ location }) => location ?? []))
  if (cells.size === 0)
    return [
      panel('Where it is', async () =>
        h('p', {}, 'No place was asserted for this hotspot, so there is nothing to show on a map.'),
      ),
    ]
  return [...cells].map((cell) => {
    const networks = radios.filter(({ location }) => location === cell).map(({ network }) => network)
    const title = cells.size === 1 ? 'Where it is' : `Where its ${networks.join(' and ')} radio is`
    return panel(title, async () => {
      const [{ value, address }, { cellMap }] = await Promise.all([
        api.ask<Feature>(`/h3-cells/${cell}`),
        fetched(import('./cell-map.ts')),
      ])
      const { id, geometry, properties } = value
      const [ring = []] = geometry.coordinates
      const shown = cellMap({
        index: id,
        resolution: properties.resolution,
        centre: positionOf([properties.longitude, properties.latitude]),
        corners: ring.slice(0, -1).map(positionOf),
      })
      return h('div', {}, shown, requests(address))
    })
  })
}

const positionOf = ([longitude, latitude]: readonly [string, string]): LonLat => [
  Number(longitude),
  Number(latitude),
]
