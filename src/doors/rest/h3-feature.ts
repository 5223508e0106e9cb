import { cellToBoundary, cellToLatLng, getResolution } from 'h3-js'
import type { JsonObject } from '../../base/values/json-writer.ts'

/** A tenth of a millimetre; the digits behind it differ between machines. */
const DIGITS = 9

/**
 * A cell as a Feature of GeoJSON: its boundary, counterclockwise, and its centre, in degrees. Longitudes go on beyond 180 or -180 for a cell on
 * both sides of that meridian, so that neighbouring corners are near each other; only around a pole that cannot be.
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

/** The same meridian, at most half a turn from another. */
const near = (longitude: number, other: number) =>
  longitude - other > 180 ? longitude - 360 : longitude - other < -180 ? longitude + 360 : longitude
