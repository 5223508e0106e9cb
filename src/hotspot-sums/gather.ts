import { setImmediate } from 'node:timers/promises'
import { runInSlices, type Steps } from '../slices.ts'
import type { MonthRead } from './choose-columns.ts'
import { type KeyOrder, mergeOrders } from './key-order.ts'
import type { MonthFile } from './month-file.ts'
import { Sums } from './sums.ts'

/** What hotspots earned in some months, by token; numbers of hotspots are those of all months together. */
export interface Gathered {
  readonly hotspots: number
  readonly tokens: ReadonlyMap<string | null, Sums>
  keysOf(places: readonly number[]): readonly string[]
}

interface Growing extends Gathered {
  order(): KeyOrder
}

/** Adds up months one after the other; in between other requests have their turn. Errors: DamagedFile; the reason of the signal. */
export async function gatherMonths(
  months: readonly MonthRead[],
  signal: AbortSignal | undefined,
): Promise<Gathered | undefined> {
  let gathered: Growing | undefined
  for (const month of months) {
    const summed = await runInSlices(sumMonth(month), signal)
    gathered = gathered === undefined ? summed : merge(gathered, summed)
    if (months.length > 1) await setImmediate()
    signal?.throwIfAborted()
  }
  return gathered
}

function* sumMonth({ file, tokens }: MonthRead): Steps<Growing> {
  const { hotspots } = file.contents
  const sums = new Map<string | null, Sums>()
  for (const [token, parts] of tokens) {
    const own = new Sums(hotspots)
    for (const part of parts) {
      own.add(file.read(part))
      yield
    }
    sums.set(token, own)
  }
  return { hotspots, tokens: sums, keysOf: file.keysOf, order: file.order }
}

function merge(first: Growing, second: Growing): Growing {
  const order = mergeOrders(first.order(), second.order())
  const { keys: hotspots, ofFirst, ofSecond } = order
  const tokens = new Map([...first.tokens].map(([token, own]) => [token, own.renumbered(hotspots, ofFirst)]))
  for (const [token, more] of second.tokens) {
    const own = tokens.get(token) ?? new Sums(hotspots)
    own.addSums(more, ofSecond)
    tokens.set(token, own)
  }
  return { hotspots, tokens, order: () => order, keysOf: keysOfEither(first, second, order) }
}

/** The keys of the numbers of a merged order, each from the months that have it. */
function keysOfEither(
  first: Growing,
  second: Growing,
  { keys, ofFirst, ofSecond }: ReturnType<typeof mergeOrders>,
): MonthFile['keysOf'] {
  const inFirst = new Int32Array(keys).fill(-1)
  for (const [place, number] of ofFirst.entries()) inFirst[number] = place
  const inSecond = new Int32Array(keys).fill(-1)
  for (const [place, number] of ofSecond.entries()) inSecond[number] = place
  return (places) => {
    const known = places.map((place) => inFirst[place] ?? -1)
    const ofKnown = first.keysOf(known.filter((place) => place >= 0)).values()
    const rest = places.filter((_, index) => (known[index] ?? -1) < 0)
    const ofRest = second.keysOf(rest.map((place) => inSecond[place] ?? 0)).values()
    return known.map((place) => (place < 0 ? ofRest : ofKnown).next().value ?? '')
  }
}
