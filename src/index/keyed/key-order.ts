import { hash } from 'node:crypto'
import { firstIndexNear } from '../../base/values/first-index.ts'
import { itemAt } from '../../base/values/item-at.ts'
import { uint32At } from '../../base/values/typed-at.ts'

/** Stored 32-bit words of the SHA-256 of a key. */
const WORDS = 4
const DIGEST_BYTES = WORDS * 4

/** Most of some hundred thousand keys are this near to their estimated position. */
const FIRST_STEP = 128

/** Digests of keys in ascending order: array `i` has word `i` of every key. */
export interface KeyOrder {
  readonly keys: number
  readonly words: readonly Uint32Array[]
}

/** The first four words of the SHA-256 of a key. */
export type Digest = readonly [number, number, number, number]

export function digestOfKey(key: string): Digest {
  // Hashing to a string is faster than to a buffer.
  const bytes = hash('sha256', key, 'binary')
  const wordAt = (at: number) =>
    ((bytes.charCodeAt(at) << 24) |
      (bytes.charCodeAt(at + 1) << 16) |
      (bytes.charCodeAt(at + 2) << 8) |
      bytes.charCodeAt(at + 3)) >>>
    0
  return [wordAt(0), wordAt(4), wordAt(8), wordAt(12)]
}

/** `keys` are in the order of their SHA-256. */
export function orderOfKeys(keys: readonly string[]): KeyOrder {
  const words = Array.from({ length: WORDS }, () => new Uint32Array(keys.length))
  for (const [index, key] of keys.entries()) {
    const digest = digestOfKey(key)
    for (const [word, values] of words.entries()) values[index] = itemAt(digest, word)
  }
  return { keys: keys.length, words }
}

export function writeOrder({ words }: KeyOrder): Buffer {
  return Buffer.concat(
    words.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  )
}

/** `bytes` must be aligned to 4. */
export function readOrder(bytes: Buffer): KeyOrder {
  const keys = Math.floor(bytes.length / DIGEST_BYTES)
  const words = Array.from(
    { length: WORDS },
    (_, word) => new Uint32Array(bytes.buffer, bytes.byteOffset + word * keys * 4, keys),
  )
  return { keys, words }
}

/** The number of the key with a digest; -1 if there is none. */
export function findKey({ keys, words }: KeyOrder, digest: Digest): number {
  const [heads] = words as [Uint32Array]
  const [head] = digest
  // Digests are evenly spread.
  const around = { low: 0, high: keys, estimate: Math.floor((head / 2 ** 32) * keys) }
  let key = firstIndexNear(around, FIRST_STEP, (index) => uint32At(heads, index) >= head)
  for (; heads[key] === head; key += 1)
    if (words.every((values, word) => values[key] === digest[word])) return key
  return -1
}

/** The merged keys of two orders, and the new number of each key of either. */
export interface MergedOrder extends KeyOrder {
  readonly ofFirst: Uint32Array
  readonly ofSecond: Uint32Array
}

export function mergeOrders(first: KeyOrder, second: KeyOrder): MergedOrder {
  const [ofFirst, ofSecond] = [new Uint32Array(first.keys), new Uint32Array(second.keys)]
  const words = Array.from({ length: WORDS }, () => new Uint32Array(first.keys + second.keys))
  let [a, b, keys] = [0, 0, 0]
  for (; a < first.keys || b < second.keys; keys += 1) {
    const difference = a === first.keys ? 1 : b === second.keys ? -1 : compare(first, a, second, b)
    const [from, index] = difference <= 0 ? [first, a] : [second, b]
    for (const [word, values] of words.entries()) values[keys] = from.words[word]?.[index] ?? 0
    if (difference <= 0) {
      ofFirst[a] = keys
      a += 1
    }
    if (difference >= 0) {
      ofSecond[b] = keys
      b += 1
    }
  }
  return { keys, words: words.map((word) => word.slice(0, keys)), ofFirst, ofSecond }
}

function compare(first: KeyOrder, a: number, second: KeyOrder, b: number): number {
  for (let word = 0; word < WORDS; word += 1) {
    const [x = 0, y = 0] = [first.words[word]?.[a], second.words[word]?.[b]]
    if (x !== y) return x - y
  }
  return 0
}
