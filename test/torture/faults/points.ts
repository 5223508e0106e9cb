import { existsSync, readFileSync } from 'node:fs'
import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'
import { shuffled } from '../../support/network/draw.ts'
import { allKinds, faultKinds, type Injection, isPowerCut, type Operation } from './faults.ts'

export interface Point extends Injection {
  readonly scenario: string
}

/** A point after it was tried. */
export interface Tried extends Point {
  /** Whether the run came so far. */
  readonly isHit: boolean
  readonly operation?: Operation
  /** Exit code, when the process did not end with the fault. */
  readonly code?: number
  /** A sentence about a promise that does not hold. */
  readonly fault?: string
}

export const hasFault = ({ fault }: Tried) => fault !== undefined
export const nameOf = ({ scenario, kind, at }: Point) => `${scenario} ${kind} ${at}`

/** The objects of a file of JSON lines; none without a file. */
export function readLines<T>(file: string): readonly T[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T)
}

/**
 * Every fault at every operation at which it can be: of each scenario and kind about as many, in an order that the seed decides,
 * so that any first part of them is as well spread.
 */
export function orderPoints(
  prepared: readonly {
    readonly scenario: { readonly name: string }
    readonly operations: readonly Operation[]
  }[],
  seed: string,
): readonly Point[] {
  const random = openRandom(deriveSeed('points', seed))
  const heaps = prepared.flatMap(({ scenario: { name: scenario }, operations }) =>
    allKinds.map((kind) => {
      const pointAt = (at: number): Point => ({
        scenario,
        kind,
        at,
        seed: `${seed} ${scenario} ${kind} ${at}`,
      })
      const points = operations.flatMap((operation, index) =>
        faultKinds[kind](operation) ? [pointAt(index + 1)] : [],
      )
      // First of all the power is cut when success has been told.
      const last = isPowerCut(kind) ? [pointAt(operations.length + 1)] : []
      return [...last, ...[...shuffled(points, random)].reverse()]
    }),
  )
  const most = Math.max(...heaps.map(({ length }) => length))
  return Array.from({ length: most }, (_, place) => heaps.flatMap((heap) => heap[place] ?? [])).flat()
}
