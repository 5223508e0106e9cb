import type { Api } from '../ask/api.ts'
import { copied, facts } from '../parts/facts.ts'
import { paragraph } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { acrossOf, coordinatesText, type LonLat, lengthText, positionText } from '../values/places.ts'

/** The GeoJSON feature of a cell; numbers are text. */
interface Feature {
  readonly id: string
  readonly geometry: { readonly coordinates: readonly (readonly (readonly [string, string])[])[] }
  readonly properties: Readonly<Record<'resolution' | 'latitude' | 'longitude', string>>
}

/** The network of a radio, and its H3 cell as a decimal integer. */
export interface Placed {
  readonly network: string
  readonly location: string | null
}

/** A panel for each H3 cell of the radios, or a sentence without cells. */
export function places(api: Api, radios: readonly Placed[]): readonly HTMLElement[] {
  const cells = new Set(radios.flatMap(({ location }) => location ?? []))
  if (cells.size === 0)
    return [panel('Where it is', async () => paragraph('No place was asserted for this hotspot.'))]
  return [...cells].map((cell) => {
    const networks = radios.filter(({ location }) => location === cell).map(({ network }) => network)
    const title = cells.size === 1 ? 'Where it is' : `Where its ${networks.join(' and ')} radio is`
    return panel(title, async () => {
      const { value, address } = await api.ask<Feature>(`/h3-cells/${cell}`)
      return [cellFacts(value), requests(address)]
    })
  })
}

function cellFacts({ id, geometry, properties }: Feature): HTMLElement {
  const { resolution, longitude, latitude } = properties
  const [ring = []] = geometry.coordinates
  const centre = placeOf([longitude, latitude])
  const across = lengthText(acrossOf(ring.map(placeOf)))
  return facts([
    ['H3 cell', copied(id)],
    ['Centre', positionText(centre)],
    ['For maps', copied(coordinatesText(centre))],
    ['Size', `${across} across, resolution ${resolution} of 15`],
  ])
}

const placeOf = ([longitude, latitude]: readonly [string, string]): LonLat => [
  Number(longitude),
  Number(latitude),
]
