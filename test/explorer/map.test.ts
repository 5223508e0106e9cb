import { describe, expect, it } from 'vitest'
import { acrossOf, fromCentre, lengthText, positionText, scaleBar } from '../../src/explorer/values/around.ts'
import {
  equalEarth,
  type LonLat,
  pathThrough,
  WORLD_HEIGHT,
  WORLD_WIDTH,
} from '../../src/explorer/values/equal-earth.ts'
import { edgePath, gridPath, landPath, landRings } from '../../src/explorer/values/world-paths.ts'
import { some } from '../support/some.ts'

const xOf = (place: LonLat) => equalEarth(place)[0]
const yOf = (place: LonLat) => equalEarth(place)[1]

describe('the map of the world', () => {
  it('has the equator in its middle, and its ends at its edges', () => {
    expect(equalEarth([0, 0])).toEqual([WORLD_WIDTH / 2, WORLD_HEIGHT / 2])
    expect(xOf([-180, 0])).toBeCloseTo(0, 1)
    expect(xOf([180, 0])).toBeCloseTo(WORLD_WIDTH, 1)
    expect(yOf([0, 90])).toBeCloseTo(0, 1)
    expect(yOf([0, -90])).toBeCloseTo(WORLD_HEIGHT, 1)
  })

  it('is as high and has poles as wide as the paper of the projection says', () => {
    expect(WORLD_WIDTH / WORLD_HEIGHT).toBeCloseTo(2.05458, 4)
    expect((xOf([180, 90]) - xOf([-180, 90])) / WORLD_WIDTH).toBeCloseTo(0.59247, 4)
  })

  it('gives areas their true shares', () => {
    const whole = areaBetween(-90, 90)
    for (const [south, north] of some([
      [0, 30],
      [40, 50],
      [-75, -60],
    ] as const)) {
      const share = (Math.sin((north * Math.PI) / 180) - Math.sin((south * Math.PI) / 180)) / 2
      expect(areaBetween(south, north) / whole).toBeCloseTo(share, 5)
    }
  })

  it('has land where there is land', () => {
    const ashore = {
      Berlin: [13.4, 52.5],
      Nairobi: [36.8, -1.3],
      Manaus: [-60, -3.1],
      'Alice Springs': [133.9, -23.7],
    }
    const ends = {
      Chukotka: [-176, 66.7],
      Kamchatka: [160, 57],
      'South Pole': [0, -89],
      'Ross Ice Shelf': [178, -86],
    }
    const wet = { Atlantic: [-35, 30], Pacific: [-150, 10], Mediterranean: [18, 35], Bering: [-178, 60] }
    const isOnLand = ([, place]: [string, number[]]) =>
      landRings().some((ring) => isIn(ring, place as [number, number]))
    expect(
      Object.entries({ ...ashore, ...ends, ...wet })
        .filter(isOnLand)
        .map(([name]) => name),
    ).toEqual([...Object.keys({ ...ashore, ...ends })])
  })

  it('draws lines that stay within its edges', () => {
    const numbers = [landPath(), gridPath(), edgePath()]
      .flatMap((path) => path.match(/[\d.-]+/g) ?? [])
      .map(Number)
    expect(numbers.length).toBeGreaterThan(5000)
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(-0.1)
    expect(Math.max(...numbers)).toBeLessThanOrEqual(WORLD_WIDTH + 0.1)
    // A ring that went around the world by mistake would have a step as wide as that.
    const steps = landRings().flatMap((ring) =>
      ring.slice(1).map(([x], at) => Math.abs(x - (ring[at]?.[0] ?? 0))),
    )
    expect(steps.filter((step) => step > 40)).toEqual([360])
    expect(
      pathThrough([
        [0, 0],
        [180, 0],
      ]),
    ).toBe('M360.0 175.2L720.0 175.2')
  })
})

/** The area of a strip from one parallel to another, by many narrow ones. */
function areaBetween(south: number, north: number): number {
  const [count, height] = [2000, (north - south) / 2000]
  return Array.from({ length: count }, (_, at) => {
    const [low, high] = [south + at * height, south + (at + 1) * height]
    const middle = (low + high) / 2
    return (xOf([180, middle]) - xOf([-180, middle])) * (yOf([0, low]) - yOf([0, high]))
  }).reduce((sum, own) => sum + own, 0)
}

/** Whether a ray from a place crosses a ring an odd number of times. */
function isIn(ring: readonly LonLat[], [x, y]: readonly [number, number]): boolean {
  const crossed = ring.filter(([u, v], at) => {
    const [a, b] = ring.at(at - 1) ?? [u, v]
    return v > y !== b > y && x < u + ((y - v) * (a - u)) / (b - v)
  })
  return crossed.length % 2 === 1
}

describe('around a centre', () => {
  it('distances are those of the sphere', () => {
    const paris = fromCentre([2.3522, 48.8566], [-0.1278, 51.5074])
    // The great circle from London to Paris, by others.
    expect(Math.hypot(...paris)).toBeCloseTo(343.56, 1)
    expect([paris[0] > 0, paris[1] < 0]).toEqual([true, true])
    const [east, north] = fromCentre([-179.5, 0], [179.5, 0])
    expect([east, north].map((km) => km.toFixed(2))).toEqual(['111.20', '0.00'])
    expect(fromCentre([7, 46], [7, 46])).toEqual([0, 0])
  })

  it('metres are exact', () => {
    const [east, north] = fromCentre([10.00001, 60.00001], [10, 60])
    expect([east * 1000, north * 1000].map((metres) => metres.toFixed(3))).toEqual(['0.556', '1.112'])
  })

  it('a cell is as wide as its corners are apart', () => {
    expect(
      acrossOf([
        [0, 0],
        [3, 4],
        [1, 1],
      ]),
    ).toBe(5)
  })

  it('a scale is 1, 2 or 5 of some power of ten, and not too long', () => {
    expect([0.0099, 0.01, 0.0497, 1.9, 70, 999].map((km) => lengthText(scaleBar(km)))).toEqual([
      ...['5 m', '10 m', '20 m', '1 km', '50 km', '500 km'],
    ])
  })

  it('lengths and places are written in three digits and to a metre', () => {
    expect([0.021449, 0.99949, 1.0571, 1281.256].map(lengthText)).toEqual([
      ...['21.4 m', '999 m', '1.06 km', '1,281 km'],
    ])
    expect(
      [[-122.4184593, 37.7767023] as const, [0, -0.5] as const].map((place) => positionText(place)),
    ).toEqual([...['37.77670° N, 122.41846° W', '0.50000° S, 0.00000° E']])
  })
})
