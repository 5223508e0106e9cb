/** A position in degrees, in the order of GeoJSON. */
export type LonLat = readonly [longitude: number, latitude: number]

/** Mean radius of the earth. Source: IUGG. */
const EARTH_KM = 6371.0088

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Returns the great-circle distance in kilometres (haversine formula, accurate for metres too). */
export function distanceKm([west, south]: LonLat, [east, north]: LonLat): number {
  const [from, to] = [radians(south), radians(north)]
  const turn = Math.sin(radians(east - west) / 2)
  const rise = Math.sin((to - from) / 2)
  return 2 * EARTH_KM * Math.asin(Math.sqrt(rise * rise + Math.cos(from) * Math.cos(to) * turn * turn))
}

/** Returns the greatest distance between two corners, in kilometres. */
export function acrossOf(corners: readonly LonLat[]): number {
  return Math.max(...corners.flatMap((one) => corners.map((other) => distanceKm(one, other))))
}

/** `21.4 m`, `1.06 km`, `1,107 km`: three digits, or whole kilometres. */
export function lengthText(km: number): string {
  const [size, unit] = km < 1 ? [km * 1000, 'm'] : [km, 'km']
  return `${Number(size.toPrecision(size >= 1000 ? 4 : 3)).toLocaleString('en')} ${unit}`
}

/** Five digits of a degree are about a metre. */
const DIGITS = 5

/** `37.77670, -122.41846`, the input format of map services. */
export function coordinatesText([longitude, latitude]: LonLat): string {
  return `${latitude.toFixed(DIGITS)}, ${longitude.toFixed(DIGITS)}`
}

/** `37.77670° N, 122.41846° W` */
export function positionText([longitude, latitude]: LonLat): string {
  const half = (degrees: number, [plus, minus]: readonly [string, string]) =>
    `${Math.abs(degrees).toFixed(DIGITS)}° ${degrees < 0 ? minus : plus}`
  return `${half(latitude, ['N', 'S'])}, ${half(longitude, ['E', 'W'])}`
}

/** Returns the H3 cell of a coarser resolution that contains a cell. Both are decimal integers, as text. */
export function cellAround(cell: string, resolution: number): string {
  const id = BigInt(cell)
  const unusedDigits = (1n << BigInt(3 * (15 - resolution))) - 1n
  return ((id & ~(15n << 52n)) | (BigInt(resolution) << 52n) | unusedDigits).toString()
}
