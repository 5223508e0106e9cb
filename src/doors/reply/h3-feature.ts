import { cellToBoundary, cellToLatLng, getResolution } from 'h3-js'
import type { JsonObject } from '../../base/values/json-writer.ts'

/** A tenth of a millimetre; further digits differ between machines. */
const DIGITS = 9

/**
 * Converts a cell to a GeoJSON Feature with its boundary, counterclockwise, and its centre, in degrees. Longitudes of a cell across
 * the antimeridian exceed 180 or -180, so that corners stay close together.
 */
export function h3Feature(cell: bigint): JsonObject {
  const hex = cell.toString(16)
  const [latitude, longitude] = cellToLatLng(hex)
  const ring = cellToBoundary(hex).map(([lat, lng]) => [rounded(near(lng, longitude)), rounded(lat)] as const)
  return {
    type: 'Feature',
    id: hex,
    geometry: { type: 'Polygon', coordinates: [[...ring, ...ring.slice(0, 1)]] },
    properties: {
      decimal: cell.toString(),
      resolution: getResolution(hex),
      latitude: rounded(latitude),
      longitude: rounded(longitude),
    },
  }
}

const rounded = (degrees: number) => Number(degrees.toFixed(DIGITS))

/** Shifts a longitude by a turn if that is closer to the centre. */
const near = (longitude: number, centre: number) =>
  longitude - centre > 180 ? longitude - 360 : longitude - centre < -180 ? longitude + 360 : longitude
