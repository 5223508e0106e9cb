import { describe, expect, it } from 'vitest'
import {
  acrossOf,
  coordinatesText,
  distanceKm,
  lengthText,
  positionText,
} from '../../src/explorer/values/places.ts'

describe('distances and places', () => {
  it('follow the great circle', () => {
    // The great circle from London to Paris, by others.
    expect(distanceKm([-0.1278, 51.5074], [2.3522, 48.8566])).toBeCloseTo(343.56, 1)
    expect(distanceKm([179.5, 0], [-179.5, 0]).toFixed(2)).toBe('111.20')
    expect(distanceKm([0, -90], [77, 90]).toFixed(1)).toBe('20015.1')
    expect(distanceKm([7, 46], [7, 46])).toBe(0)
  })

  it('are exact for metres', () => {
    const metres = [distanceKm([10, 60], [10.00001, 60]), distanceKm([10, 60], [10, 60.00001])]
    expect(metres.map((km) => (km * 1000).toFixed(3))).toEqual(['0.556', '1.112'])
  })

  it('give a cell the width between its corners', () => {
    const corners = [
      [0, 0],
      [3, 0],
      [1, 1],
    ] as const
    expect(acrossOf(corners)).toBe(distanceKm([0, 0], [3, 0]))
  })

  it('are written with three digits, and down to a metre', () => {
    expect([0.021449, 0.99949, 1.0571, 1281.256].map(lengthText)).toEqual([
      ...['21.4 m', '999 m', '1.06 km', '1,281 km'],
    ])
    const places = [[-122.4184593, 37.7767023] as const, [0, -0.5] as const]
    expect(places.map(positionText)).toEqual(['37.77670° N, 122.41846° W', '0.50000° S, 0.00000° E'])
    expect(places.map(coordinatesText)).toEqual(['37.77670, -122.41846', '-0.50000, 0.00000'])
  })
})
