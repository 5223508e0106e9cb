import type { Random } from '../../../src/write/sample/random.ts'

/** Values at random; the same seed gives the same ones. */

const LARGEST = 2n ** 64n - 1n

/** Where numbers of 32, 53, 63 and 64 bits end. */
const edges = [0n, 1n, 2n ** 32n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, LARGEST - 1n, LARGEST]

export function pick<T>(list: readonly T[], random: Random): T {
  if (list.length === 0) throw new Error('there is nothing to draw from')
  return list[random.below(list.length)] as T
}

/** A list in an order that the draws decide. */
export function shuffled<T>(list: readonly T[], random: Random): readonly T[] {
  const keyed = list.map((item) => [random.unit(), item] as const)
  return keyed.sort(([a], [b]) => a - b).map(([, item]) => item)
}

/** An amount of up to `bits` bits: one at an edge, a small one, or any. */
export function drawAmount(random: Random, bits = 64): bigint {
  if (random.chance(0.3)) return BigInt.asUintN(bits, pick(edges, random))
  if (random.chance(0.5)) return BigInt(random.below(1_000_000))
  return BigInt.asUintN(bits, (BigInt(random.word()) << 32n) | BigInt(random.word() >>> 0))
}
