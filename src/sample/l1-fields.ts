import { type Addresses, putAddress } from './l1-addresses.ts'
import { putBytes, putInteger, putText, type Text } from './l1-text.ts'
import type { Random } from './random.ts'

export const HASH_LENGTH = 43
const MOST_ACTORS = 64

/** One transaction while it is made. */
export interface Scene {
  readonly random: Random
  readonly addresses: Addresses
  block: number
  /** Epoch seconds. */
  time: number
  fee: number
  readonly hash: Uint8Array
  /** Those with a role of their own, then those who share one; numbers of `Addresses`. */
  readonly actors: Int32Array
  single: number
  count: number
}

export function openScene(random: Random, addresses: Addresses): Scene {
  const hash = new Uint8Array(HASH_LENGTH)
  const actors = new Int32Array(MOST_ACTORS)
  return { random, addresses, block: 0, time: 0, fee: 0, hash, actors, single: 0, count: 0 }
}

/** Writes 32 drawn bytes as base64url without padding. */
export function drawHash(random: Random, into: Uint8Array, at: number): void {
  for (let char = 0; char < HASH_LENGTH - 3; char += 5) {
    let word = random.word()
    for (let step = 0; step < 5; step += 1, word >>>= 6) into[at + char + step] = base64url[word & 63] ?? 0
  }
  const word = random.word()
  into[at + HASH_LENGTH - 3] = base64url[word & 63] ?? 0
  into[at + HASH_LENGTH - 2] = base64url[(word >>> 6) & 63] ?? 0
  // Of the last character only four bits are needed, and the others are 0.
  into[at + HASH_LENGTH - 1] = base64url[(word >>> 12) & 60] ?? 0
}

const base64url = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
const quote = '""'

type Slot = (text: Text, scene: Scene) => void

/** What stands for the words in angle brackets of a template, besides `<type>` and the numbers of players. */
const slots: Readonly<Record<string, Slot>> = {
  hash: (text, { hash }) => putBytes(text, hash, 0, HASH_LENGTH),
  secret(text, { random }) {
    drawHash(random, text.bytes, text.at)
    text.at += HASH_LENGTH
  },
  fee: (text, { fee }) => putInteger(text, fee),
  block: (text, { block }) => putInteger(text, block),
  digit: (text, { random }) => putInteger(text, random.below(10)),
  small: (text, { random }) => putInteger(text, random.below(1000)),
  snr(text, { random }) {
    if (random.chance(0.5)) putText(text, '-')
    putInteger(text, random.below(20))
    putText(text, '.25')
  },
  memo: (text, { random }) => putText(text, Buffer.from(random.bytes(8)).toString('base64')),
  /** An instant; beyond 2^53. */
  nanoseconds(text, { random, time }) {
    putInteger(text, time)
    putInteger(text, random.below(1e9), 9)
  },
  /** Bones; one of 64 is beyond 2^53. */
  amount(text, { random }) {
    putInteger(text, 1_000_000_000 + random.below(8e9))
    if (random.chance(1 / 64)) putInteger(text, random.below(1e9), 9)
  },
  several(text, { addresses, actors, single, count }) {
    for (let at = single; at < count; at += 1) {
      putText(text, at === single ? quote : `, ${quote}`)
      putAddress(text, addresses, actors[at] ?? 0)
      putText(text, quote)
    }
  },
}

/** Compiles a template to what writes it as a quoted CSV cell. */
export function compileFields(template: string, type: string): Slot {
  const parts = template.replaceAll('<type>', type).split(/<(\w+)>/)
  const steps = parts.map((part, at) => (at % 2 === 0 ? literal(part) : slotOf(part)))
  return (text, scene) => {
    putText(text, '"')
    for (const step of steps) step(text, scene)
    putText(text, '"')
  }
}

function literal(json: string): Slot {
  const bytes = Buffer.from(json.replaceAll('"', quote))
  return (text) => putBytes(text, bytes, 0, bytes.length)
}

function slotOf(word: string): Slot {
  const slot = slots[word]
  if (slot !== undefined) return slot
  const player = Number(word)
  return (text, { addresses, actors }) => putAddress(text, addresses, actors[player] ?? 0)
}
