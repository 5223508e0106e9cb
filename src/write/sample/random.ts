import { createHash } from 'node:crypto'
import { itemAt } from '../../base/values/item-at.ts'
import { byteAt } from '../../base/values/typed-at.ts'

/** Start of a stream of draws: three 32-bit words. */
export type Seed = readonly [number, number, number]

/** Derives a seed for one purpose, such as one network on one day. Other parts give unrelated seeds. */
export function deriveSeed(...parts: readonly (string | number)[]): Seed {
  const hash = createHash('sha256').update(parts.join('/')).digest()
  return [hash.readInt32LE(0), hash.readInt32LE(4), hash.readInt32LE(8)]
}

/** Draws that depend on the seed only. They use only operations that round equally on every platform. */
export interface Random {
  /** Restarts the draws: the same seed and index always give the same draws. */
  restart(seed: Seed, index: number): void
  /** Draws a signed integer of 32 bits. */
  word(): number
  /** Draws a number between 0 and 1, both excluded. */
  unit(): number
  /** Draws an integer from 0 to `end`, exclusive. */
  below(end: number): number
  /** Draws an item of a list that is not empty. */
  pick<T extends {}>(items: readonly T[]): T
  chance(probability: number): boolean
  /** Draws a standard normal number. */
  normal(): number
  bytes(length: number): Uint8Array
}

/** Opens the generator sfc32: small and fast, with 128 bits of state. */
export function openRandom(seed: Seed = [0, 0, 0], index = 0): Random {
  let a = 0
  let b = 0
  let c = 0
  let counter = 0

  function word(): number {
    const drawn = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + drawn
    c |= 0
    return drawn
  }

  function restart(next: Seed, at: number): void {
    a = next[0]
    b = next[1]
    c = next[2] ^ at
    counter = 1
    for (let round = 0; round < 12; round += 1) word()
  }

  const unit = () => ((word() >>> 0) + 0.5) / 2 ** 32
  const below = (end: number) => Math.floor(unit() * end)

  restart(seed, index)
  return {
    restart,
    word,
    unit,
    below,
    pick: (items) => itemAt(items, below(items.length)),
    chance: (probability) => unit() < probability,
    // The polar method, because sine and cosine may differ between platforms.
    normal() {
      for (;;) {
        const x = 2 * unit() - 1
        const y = 2 * unit() - 1
        const square = x * x + y * y
        if (square < 1) return x * Math.sqrt((-2 * Math.log(square)) / square)
      }
    },
    bytes: (length) => fillBytes(new Uint8Array(length), 0, word),
  }
}

/** Draws the 16 bytes of a random UUID, version 4. */
export function drawUuid(random: Random): Uint8Array {
  const bytes = random.bytes(16)
  bytes[6] = 0x40 | (byteAt(bytes, 6) & 0x0f)
  bytes[8] = 0x80 | (byteAt(bytes, 8) & 0x3f)
  return bytes
}

/** Fills `bytes` from position `from` with drawn words. */
export function fillBytes(bytes: Uint8Array, from: number, word: () => number): Uint8Array {
  for (let at = from; at < bytes.length; at += 4) {
    const drawn = word()
    bytes[at] = drawn
    // Writes past the end of the array are ignored.
    bytes[at + 1] = drawn >>> 8
    bytes[at + 2] = drawn >>> 16
    bytes[at + 3] = drawn >>> 24
  }
  return bytes
}
