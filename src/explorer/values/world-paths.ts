import { type LonLat, pathThrough } from './equal-earth.ts'
import { landSteps } from './land.ts'

const PER_DEGREE = 4

/** Corners of each ring of land. */
export function landRings(): readonly (readonly LonLat[])[] {
  return landSteps.split('\n').map((line) => {
    const steps = line.split(' ').map(Number)
    let [x, y] = [0, 0]
    return Array.from({ length: steps.length / 2 }, (_, at): LonLat => {
      x += steps[2 * at] ?? 0
      y += steps[2 * at + 1] ?? 0
      return [x / PER_DEGREE, y / PER_DEGREE]
    })
  })
}

export const landPath = () =>
  landRings()
    .map((ring) => `${pathThrough(ring)}Z`)
    .join('')

const every = (step: number, first: number, last: number) =>
  Array.from({ length: (last - first) / step + 1 }, (_, at) => first + at * step)

const meridian = (longitude: number, from = -90, to = 90) =>
  every(Math.sign(to - from) * 6, from, to).map((latitude): LonLat => [longitude, latitude])

/** Meridians and parallels, thirty degrees apart. */
export function gridPath(): string {
  const meridians = every(30, -150, 150).map((longitude) => pathThrough(meridian(longitude)))
  const parallels = every(30, -60, 60).map((latitude) =>
    pathThrough([
      [-180, latitude],
      [180, latitude],
    ]),
  )
  return [...meridians, ...parallels].join('')
}

/** The edge of the map. */
export const edgePath = () => `${pathThrough([...meridian(-180), ...meridian(180, 90, -90)])}Z`
