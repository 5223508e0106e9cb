import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'
import { shuffled } from '../network/draw.ts'
import { allKinds, faultKinds, type Injection, isPowerCut } from './faults.ts'
import type { Prepared } from './run-point.ts'

export interface Point {
  readonly scenario: string
  readonly injection: Injection
}

/** Every fault at every operation at which it can be. */
function pointsOf(
  { scenario, operations }: Prepared,
  kind: Injection['kind'],
  seed: string,
): readonly Point[] {
  const numbers = operations.flatMap((operation, index) => (faultKinds[kind](operation) ? [index + 1] : []))
  return numbers.map((at) => pointAt(scenario.name, kind, at, seed))
}

function pointAt(scenario: string, kind: Injection['kind'], at: number, seed: string): Point {
  return { scenario, injection: { kind, at, seed: `${seed} ${scenario} ${kind} ${at}` } }
}

/**
 * So many of all points, or all when there are fewer: of each scenario and kind about as many, in an order that the seed
 * decides, so that any first part of them is as well spread.
 */
export function choosePoints(prepared: readonly Prepared[], most: number, seed: string): readonly Point[] {
  const random = openRandom(deriveSeed('points', seed))
  const heaps = prepared.flatMap((one) =>
    allKinds.map((kind) => {
      const points = [...shuffled(pointsOf(one, kind, seed), random)]
      // First of all the power is cut when success has been told.
      if (isPowerCut(kind)) points.push(pointAt(one.scenario.name, kind, one.operations.length + 1, seed))
      return points
    }),
  )
  const chosen: Point[] = []
  while (chosen.length < most && heaps.some((heap) => heap.length > 0)) {
    for (const heap of heaps) {
      const point = heap.pop()
      if (point !== undefined) chosen.push(point)
    }
  }
  return chosen.slice(0, most)
}
