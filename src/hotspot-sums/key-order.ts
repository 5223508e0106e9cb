import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

/** Keys by 16 bytes of their SHA-256, in that order: in each of four arrays one word of every key. */
export interface KeyOrder {
  readonly keys: number
  readonly words: readonly Uint32Array[]
}

const WORDS = 4

/** Keys that are hashed before other requests have their turn: some milliseconds. */
const KEYS_AT_ONCE = 4096

/** `keys` are in the order of their SHA-256. */
export async function orderOfKeys(keys: readonly string[]): Promise<KeyOrder> {
  const words = Array.from({ length: WORDS }, () => new Uint32Array(keys.length))
  for (const [place, key] of keys.entries()) {
    if (place % KEYS_AT_ONCE === KEYS_AT_ONCE - 1) await setImmediate()
    const digest = hash('sha256', key, 'buffer')
    for (const [word, own] of words.entries()) own[place] = digest.readUInt32BE(word * 4)
  }
  return { keys: keys.length, words }
}

export function writeOrder({ words }: KeyOrder): Buffer {
  return Buffer.concat(
    words.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  )
}

/** `bytes` begin at a multiple of 4. */
export function readOrder(bytes: Buffer, keys: number): KeyOrder {
  const words = Array.from(
    { length: WORDS },
    (_, word) => new Uint32Array(bytes.buffer, bytes.byteOffset + word * keys * 4, keys),
  )
  return { keys, words }
}

/** The keys of both, and the number that each key of either has among them. */
interface MergedOrder extends KeyOrder {
  readonly ofFirst: Uint32Array
  readonly ofSecond: Uint32Array
}

export function mergeOrders(first: KeyOrder, second: KeyOrder): MergedOrder {
  const [ofFirst, ofSecond] = [new Uint32Array(first.keys), new Uint32Array(second.keys)]
  const words = Array.from({ length: WORDS }, () => new Uint32Array(first.keys + second.keys))
  let [a, b, keys] = [0, 0, 0]
  for (; a < first.keys || b < second.keys; keys += 1) {
    const difference = a === first.keys ? 1 : b === second.keys ? -1 : compare(first, a, second, b)
    const [from, place] = difference <= 0 ? [first, a] : [second, b]
    for (let word = 0; word < WORDS; word += 1) {
      const into = words[word]
      if (into !== undefined) into[keys] = from.words[word]?.[place] ?? 0
    }
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
