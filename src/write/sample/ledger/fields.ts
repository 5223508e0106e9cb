import { itemAt } from '../../../base/values/item-at.ts'
import { byteAt } from '../../../base/values/typed-at.ts'
import type { Random } from '../random.ts'
import { addressAt } from './addresses.ts'
import type { Scene } from './rows.ts'

const HASH_LENGTH = 43

/** Draws 32 bytes as base64url without padding. */
export function drawHash(random: Random): string {
  for (let char = 0; char < HASH_LENGTH - 3; char += 5) {
    let word = random.word()
    for (let step = 0; step < 5; step += 1, word >>>= 6) drawn[char + step] = byteAt(base64url, word & 63)
  }
  const word = random.word()
  drawn[HASH_LENGTH - 3] = byteAt(base64url, word & 63)
  drawn[HASH_LENGTH - 2] = byteAt(base64url, (word >>> 6) & 63)
  // The last character has only four significant bits.
  drawn[HASH_LENGTH - 1] = byteAt(base64url, (word >>> 12) & 60)
  return drawn.toString('latin1')
}

const base64url = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
const drawn = Buffer.alloc(HASH_LENGTH)

type Slot = (scene: Scene) => string | number

/** Draws nine digits. */
const nineDigits = (random: Random) => String(random.below(1e9)).padStart(9, '0')

/** Values of template words in angle brackets, other than `<type>` and numbers of players. */
const slots: Readonly<Record<string, Slot>> = {
  hash: ({ hash }) => hash,
  secret: ({ random }) => drawHash(random),
  fee: ({ fee }) => fee,
  block: ({ block }) => block,
  digit: ({ random }) => random.below(10),
  small: ({ random }) => random.below(1000),
  snr: ({ random }) => `${random.chance(0.5) ? '-' : ''}${random.below(20)}.25`,
  memo: ({ random }) => Buffer.from(random.bytes(8)).toString('base64'),
  /** Nanoseconds of an instant, beyond 2^53. */
  nanoseconds: ({ random, time }) => `${time}${nineDigits(random)}`,
  /** Bones; one amount in 64 is beyond 2^53. */
  amount: ({ random }) =>
    `${1_000_000_000 + random.below(8e9)}${random.chance(1 / 64) ? nineDigits(random) : ''}`,
  several: ({ addresses, actors, single }) =>
    actors
      .slice(single)
      .map((actor) => `""${addressAt(addresses, actor)}""`)
      .join(', '),
}

/** Compiles a template to a function that returns a quoted CSV cell. */
export function compileFields(template: string, type: string): (scene: Scene) => string {
  const parts = template
    .replaceAll('<type>', type)
    .replaceAll('"', '""')
    .split(/<(\w+)>/)
  const steps = parts.map((part, at): Slot => (at % 2 === 0 ? () => part : slotOf(part)))
  return (scene) => {
    let cell = '"'
    for (const step of steps) cell += step(scene)
    return `${cell}"`
  }
}

function slotOf(word: string): Slot {
  const player = Number(word)
  return slots[word] ?? (({ addresses, actors }) => addressAt(addresses, itemAt(actors, player)))
}
