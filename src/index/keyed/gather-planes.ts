import { setImmediate } from 'node:timers/promises'
import { runInSlices, type Steps } from '../../base/slices.ts'
import type { PlanesToAdd } from './choose-planes.ts'
import { type KeyOrder, type MergedOrder, mergeOrders } from './key-directory.ts'
import { keysOf } from './key-texts.ts'
import { Sums } from './plane-sums.ts'

/** Sums of hotspots by token; a hotspot has one number in all files together. */
export interface Gathered {
  readonly hotspots: number
  readonly tokens: ReadonlyMap<string | null, Sums>
  keysOf(places: readonly number[]): readonly string[]
}

interface Growing extends Gathered {
  readonly order: KeyOrder
}

/** Adds up the planes of one file after the other; in between other requests have their turn. Errors: DamagedFile; the reason of the signal. */
export async function gatherPlanes(
  files: readonly PlanesToAdd[],
  signal: AbortSignal | undefined,
): Promise<Gathered | undefined> {
  let gathered: Growing | undefined
  for (const one of files) {
    const summed = await runInSlices(sumFile(one), signal)
    gathered = gathered === undefined ? summed : merge(gathered, summed)
    if (files.length > 1) await setImmediate()
    signal?.throwIfAborted()
  }
  return gathered
}

function* sumFile({ file, tokens }: PlanesToAdd): Steps<Growing> {
  const { order } = file
  const sums = new Map<string | null, Sums>()
  for (const [token, parts] of tokens) {
    const ofToken = new Sums(order.keys)
    for (const part of parts) {
      ofToken.add(file.readPlane(part))
      yield
    }
    sums.set(token, ofToken)
  }
  return { hotspots: order.keys, tokens: sums, keysOf: (places) => keysOf(file, places), order }
}

function merge(first: Growing, second: Growing): Growing {
  const order = mergeOrders(first.order, second.order)
  const { keys: hotspots, ofFirst, ofSecond } = order
  const tokens = new Map(
    [...first.tokens].map(([token, sums]) => [token, sums.renumbered(hotspots, ofFirst)]),
  )
  for (const [token, more] of second.tokens) {
    const sums = tokens.get(token) ?? new Sums(hotspots)
    sums.addSums(more, ofSecond)
    tokens.set(token, sums)
  }
  return { hotspots, tokens, order, keysOf: keysOfEither(first, second, order) }
}

/** The keys of the numbers of a merged order, each from the months that have it. */
function keysOfEither(
  first: Growing,
  second: Growing,
  { keys, ofFirst, ofSecond }: MergedOrder,
): Gathered['keysOf'] {
  const inFirst = new Int32Array(keys).fill(-1)
  for (const [position, number] of ofFirst.entries()) inFirst[number] = position
  const inSecond = new Int32Array(keys).fill(-1)
  for (const [position, number] of ofSecond.entries()) inSecond[number] = position
  return (places) => {
    const placesInFirst = places.map((position) => inFirst[position] ?? -1)
    const ofKnown = first.keysOf(placesInFirst.filter((position) => position >= 0)).values()
    const rest = places.filter((_, index) => (placesInFirst[index] ?? -1) < 0)
    const ofRest = second.keysOf(rest.map((position) => inSecond[position] ?? 0)).values()
    return placesInFirst.map((position) => (position < 0 ? ofRest : ofKnown).next().value ?? '')
  }
}
