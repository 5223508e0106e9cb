import { copied, facts } from '../parts/facts.ts'
import { h } from '../parts/h.ts'
import { drawing, svg } from '../parts/svg.ts'
import { acrossOf, fromCentre, lengthText, positionText, scaleBar } from '../values/around.ts'
import { equalEarth, type LonLat, WORLD_HEIGHT, WORLD_WIDTH } from '../values/equal-earth.ts'
import { edgePath, gridPath, landPath } from '../values/world-paths.ts'

/** An H3 cell: its index in hexadecimal digits, and places of its corners, without the first once more at the end. */
export interface Cell {
  readonly index: string
  readonly resolution: string
  readonly centre: LonLat
  readonly corners: readonly LonLat[]
}

/** The side of the drawing of a cell, how wide the cell is in it, and the most that its scale takes. */
const SIDE = 300
const CELL = 220
const MOST_SCALE = 110
const EDGE = 14

/** Where a cell lies: on the world, by itself with a scale, and in words. */
export function cellMap(cell: Cell): HTMLElement {
  const { index, resolution, centre } = cell
  const corners = cell.corners.map((corner) => fromCentre(corner, centre))
  const across = lengthText(acrossOf(corners))
  const coordinates = positionText(centre)
  return h(
    'div',
    { class: 'place' },
    world(centre, `Map of the world. H3 cell ${index} is marked at ${coordinates}.`),
    shape(corners, `The outline of H3 cell ${index}, ${across} across, around ${coordinates}. North is up.`),
    facts([
      ['H3 cell', copied(index)],
      ['Centre', coordinates],
      ['Size', `${across} across, resolution ${resolution} of 15`],
    ]),
  )
}

function world(centre: LonLat, words: string): SVGSVGElement {
  const [cx, cy] = equalEarth(centre)
  return drawing(
    'world',
    [WORLD_WIDTH, WORLD_HEIGHT],
    words,
    svg('path', { class: 'sea', d: edgePath() }),
    svg('path', { class: 'grid', d: gridPath() }),
    svg('path', { class: 'land', d: landPath() }),
    svg('circle', { class: 'halo', cx, cy, r: 22 }),
    svg('circle', { class: 'mark', cx, cy, r: 9 }),
  )
}

function shape(corners: readonly (readonly [number, number])[], words: string): SVGSVGElement {
  const perKm = CELL / acrossOf(corners)
  const points = corners.map(([east, north]) => [SIDE / 2 + east * perKm, SIDE / 2 - north * perKm].join())
  const km = scaleBar(MOST_SCALE / perKm)
  const [foot, end] = [SIDE - EDGE, EDGE + km * perKm]
  return drawing(
    'shape',
    [SIDE, SIDE],
    `${words} The scale is ${lengthText(km)} long.`,
    svg('polygon', { class: 'cell', points: points.join(' ') }),
    svg('circle', { class: 'mark', cx: SIDE / 2, cy: SIDE / 2, r: 5 }),
    svg('path', { class: 'scale', d: `M${EDGE} ${foot - 8}V${foot}H${end}V${foot - 8}` }),
    svg('text', { x: end + 8, y: foot }, lengthText(km)),
    svg('path', { class: 'scale', d: `M${foot - 4} 40V${EDGE}m-6 8l6 -8l6 8` }),
    svg('text', { x: foot - 4, y: 58, 'text-anchor': 'middle' }, 'N'),
  )
}
