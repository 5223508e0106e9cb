import { setImmediate } from 'node:timers/promises'
import { getOrMake } from '../../base/maps.ts'
import { runInSlices, type Steps } from '../../base/slices.ts'
import type { PlanesToAdd } from './choose-planes.ts'
import { readKeyTexts } from './key-file.ts'
import { type KeyOrder, type MergedOrder, mergeOrders } from './key-order.ts'
import { Sums } from './plane-sums.ts'

/** Sums of hotspots by token. A hotspot has the same number in all tokens. */
export interface TokenSums {
  readonly hotspots: number
  readonly tokens: ReadonlyMap<string | null, Sums>
  readKeys(places: readonly number[]): readonly string[]
}

interface OrderedSums extends TokenSums {
  readonly order: KeyOrder
}

/** Adds up the planes of files in slices of the event loop. Errors: DamagedFile; the reason of the signal. */
export async function gatherPlanes(
  files: readonly PlanesToAdd[],
  signal: AbortSignal | undefined,
): Promise<TokenSums | undefined> {
  let total: OrderedSums | undefined
  for (const planes of files) {
    const summed = await runInSlices(sumFile(planes), signal)
    total = total === undefined ? summed : merge(total, summed)
    if (files.length > 1) await setImmediate()
    signal?.throwIfAborted()
  }
  return total
}

function* sumFile({ file, tokens }: PlanesToAdd): Steps<OrderedSums> {
  const { order } = file
  const sums = new Map<string | null, Sums>()
  for (const [token, parts] of tokens) {
    const sumsOfToken = new Sums(order.keys)
    for (const part of parts) {
      sumsOfToken.add(file.readPlane(part))
      yield
    }
    sums.set(token, sumsOfToken)
  }
  return { hotspots: order.keys, tokens: sums, readKeys: (places) => readKeyTexts(file, places), order }
}

function merge(first: OrderedSums, second: OrderedSums): OrderedSums {
  const order = mergeOrders(first.order, second.order)
  const { keys: hotspots, ofFirst, ofSecond } = order
  const tokens = new Map(
    [...first.tokens].map(([token, sums]) => [token, sums.renumbered(hotspots, ofFirst)]),
  )
  for (const [token, more] of second.tokens) {
    getOrMake(tokens, token, () => new Sums(hotspots)).addSums(more, ofSecond)
  }
  return { hotspots, tokens, order, readKeys: keysOfEither(first, second, order) }
}

/** Reads keys of a merged order from the first file that has them. */
function keysOfEither(
  first: OrderedSums,
  second: OrderedSums,
  { keys, ofFirst, ofSecond }: MergedOrder,
): TokenSums['readKeys'] {
  const inFirst = new Int32Array(keys).fill(-1)
  for (const [position, number] of ofFirst.entries()) inFirst[number] = position
  const inSecond = new Int32Array(keys).fill(-1)
  for (const [position, number] of ofSecond.entries()) inSecond[number] = position
  return (places) => {
    const placesInFirst = places.map((position) => inFirst[position] ?? -1)
    const keysInFirst = first.readKeys(placesInFirst.filter((position) => position >= 0)).values()
    const rest = places.filter((_, index) => (placesInFirst[index] ?? -1) < 0)
    const keysInSecond = second.readKeys(rest.map((position) => inSecond[position] ?? 0)).values()
    return placesInFirst.map((position) => (position < 0 ? keysInSecond : keysInFirst).next().value ?? '')
  }
}
