import { readFileSync, writeFileSync } from 'node:fs'
import { root } from './prepare.mjs'

/**
 * Writes the outline of land that the explorer draws: `node scripts/write-land.mjs land-110m.json`, a file of the npm package world-atlas. Rings are cut at
 * the 180th meridian, and small islands and corners left out that are finer than a screen.
 */

const PER_DEGREE = 4
const TOLERANCE = 0.1
const SMALLEST = 0.3

const { arcs, objects, transform } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const [sx, sy] = transform.scale
const [tx, ty] = transform.translate

const lines = arcs.map((arc) => {
  let [x, y] = [0, 0]
  return arc.map(([dx, dy]) => {
    x += dx
    y += dy
    return [x * sx + tx, y * sy + ty]
  })
})

const rings = objects.land.geometries
  .flatMap((geometry) => geometry.arcs.flat())
  .map((ring) => ring.flatMap((at) => (at < 0 ? lines[~at].toReversed() : lines[at]).slice(1)))

/** Goes on beyond 180 degrees instead of jumping; a ring around a pole is closed there. */
function unrolled(ring) {
  const start = Math.max(
    0,
    ring.findIndex(([x]) => x === -180),
  )
  const turned = [...ring.slice(start), ...ring.slice(0, start + 1)]
  for (let at = 1; at < turned.length; at += 1) {
    const [x, y] = turned[at]
    turned[at] = [x - 360 * Math.round((x - turned[at - 1][0]) / 360), y]
  }
  const [[first], [last]] = [turned[0], turned.at(-1)]
  return first === last ? turned : [...turned, [last, -90], [first, -90]]
}

/** The part of a ring on one side of a meridian. */
function cut(ring, meridian, side) {
  const isIn = ([x]) => (x - meridian) * side >= 0
  return ring.flatMap((point, at) => {
    const before = ring.at(at - 1)
    const share = (meridian - before[0]) / (point[0] - before[0])
    const crossing = [meridian, before[1] + share * (point[1] - before[1])]
    return [...(isIn(point) === isIn(before) ? [] : [crossing]), ...(isIn(point) ? [point] : [])]
  })
}

const area = (ring) =>
  Math.abs(ring.reduce((sum, [x, y], at) => sum + x * ring.at(at - 1)[1] - y * ring.at(at - 1)[0], 0)) / 2

/** Without corners that are near the line between their neighbours, by Douglas and Peucker. */
function simplified(line) {
  const [[a, b], [c, d]] = [line[0], line.at(-1)]
  const length = Math.hypot(c - a, d - b)
  const away = line.map(([x, y]) =>
    length === 0 ? Math.hypot(x - a, y - b) : Math.abs((c - a) * (b - y) - (a - x) * (d - b)) / length,
  )
  const most = Math.max(...away)
  if (most <= TOLERANCE) return [line[0], line.at(-1)]
  const at = away.indexOf(most)
  return [...simplified(line.slice(0, at + 1)).slice(0, -1), ...simplified(line.slice(at))]
}

function written(ring) {
  let before = [0, 0]
  const steps = simplified([...ring, ring[0]]).map((point) => {
    const at = point.map((degrees) => Math.round(degrees * PER_DEGREE))
    const step = `${at[0] - before[0]} ${at[1] - before[1]}`
    before = at
    return step
  })
  return steps
    .slice(0, -1)
    .filter((step) => step !== '0 0')
    .join(' ')
}

const text = rings
  .map(unrolled)
  .flatMap((ring) => [-360, 0, 360].map((turn) => ring.map(([x, y]) => [x + turn, y])))
  .map((ring) => cut(cut(ring, -180, 1), 180, -1))
  .filter((ring) => ring.length > 2 && area(ring) >= SMALLEST)
  .map(written)
  .join('\n')

writeFileSync(
  `${root}src/explorer/values/land.ts`,
  `/**
 * Rings of land: longitude and latitude of each corner in quarters of a degree, as the difference from the corner before. Source: Natural Earth, 1:110m
 * land (public domain), of the npm package world-atlas 2.0.2 by scripts/write-land.mjs.
 */
export const landSteps = \`${text}\`
`,
)
