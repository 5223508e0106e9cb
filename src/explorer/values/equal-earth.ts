/** A place in degrees, as GeoJSON has it. */
export type LonLat = readonly [longitude: number, latitude: number]

/** The size of a map of the world, in its own units. */
export const WORLD_WIDTH = 720
export const WORLD_HEIGHT = 350.44

const [A1, A2, A3, A4] = [1.340264, -0.081106, 0.000893, 0.003796]
const M = Math.sqrt(3) / 2
/** Units of the map for a radius of the sphere; the equator is 5.413259 of them long. */
const SCALE = WORLD_WIDTH / 5.413259

/** Where a place is on the map, from its upper left. Source: Šavrič, Patterson, Jenny, "The Equal Earth map projection" (2018). */
export function equalEarth([longitude, latitude]: LonLat): readonly [x: number, y: number] {
  const theta = Math.asin(M * Math.sin((latitude * Math.PI) / 180))
  const square = theta * theta
  const sixth = square * square * square
  const turn = (longitude * Math.PI) / 180
  const x = (turn * Math.cos(theta)) / (M * (A1 + 3 * A2 * square + sixth * (7 * A3 + 9 * A4 * square)))
  const y = theta * (A1 + A2 * square + sixth * (A3 + A4 * square))
  return [WORLD_WIDTH / 2 + SCALE * x, WORLD_HEIGHT / 2 - SCALE * y]
}

/** A line through places as the path of an SVG. */
export function pathThrough(places: readonly LonLat[]): string {
  return `M${places
    .map((place) =>
      equalEarth(place)
        .map((at) => at.toFixed(1))
        .join(' '),
    )
    .join('L')}`
}
