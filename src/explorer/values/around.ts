import type { LonLat } from './equal-earth.ts'

/** Mean radius of the earth. Source: IUGG. */
const EARTH_KM = 6371.0088

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** How far a place is from a centre, in kilometres to the east and to the north; directions and distances from the centre are true. */
export function fromCentre(
  [longitude, latitude]: LonLat,
  centre: LonLat,
): readonly [east: number, north: number] {
  const [turn, own, at] = [radians(longitude - centre[0]), radians(latitude), radians(centre[1])]
  const east = Math.cos(own) * Math.sin(turn)
  const north = Math.cos(at) * Math.sin(own) - Math.sin(at) * Math.cos(own) * Math.cos(turn)
  const towards = Math.sin(at) * Math.sin(own) + Math.cos(at) * Math.cos(own) * Math.cos(turn)
  const sine = Math.hypot(east, north)
  // Exact for cells of a metre too, unlike the arc cosine.
  const stretch = sine === 0 ? 0 : (EARTH_KM * Math.atan2(sine, towards)) / sine
  return [east * stretch, north * stretch]
}

/** The greatest distance between two corners, in kilometres. */
export function acrossOf(corners: readonly (readonly [number, number])[]): number {
  return Math.max(...corners.flatMap(([x, y]) => corners.map(([u, v]) => Math.hypot(x - u, y - v))))
}

/** The longest of 1, 2, 5, 10, 20 … that is at most so long; also below 1. */
export function scaleBar(mostKm: number): number {
  const unit = 10 ** Math.floor(Math.log10(mostKm))
  const steps = [5, 2, 1].map((step) => step * unit)
  return steps.find((km) => km <= mostKm) ?? unit
}

/** `21.4 m`, `1.06 km`, `1,107 km`: three digits, or whole kilometres. */
export function lengthText(km: number): string {
  const [size, unit] = km < 1 ? [km * 1000, 'm'] : [km, 'km']
  return `${Number(size.toPrecision(size >= 1000 ? 4 : 3)).toLocaleString('en')} ${unit}`
}

/** `37.77670° N, 122.41846° W`: five digits are a metre. */
export function positionText([longitude, latitude]: LonLat, digits = 5): string {
  const half = (degrees: number, [plus, minus]: readonly [string, string]) =>
    `${Math.abs(degrees).toFixed(digits)}° ${degrees < 0 ? minus : plus}`
  return `${half(latitude, ['N', 'S'])}, ${half(longitude, ['E', 'W'])}`
}
