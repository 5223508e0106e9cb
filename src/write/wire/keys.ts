import { base58, base58check } from '../../base/values/base58.ts'

/** Enough for every hotspot of a network; beyond it keys are converted each time. */
const REMEMBERED_KEYS = 400_000

/** Raw public key bytes -> text: base58check over a zero byte and the key. */
export function keyText(raw: Uint8Array): string {
  const versioned = new Uint8Array(raw.length + 1)
  versioned.set(raw, 1)
  return base58check.encode(versioned)
}

/** Raw bytes of an address of the second layer -> text: plain base58. */
export function solanaText(raw: Uint8Array): string {
  return base58.encode(raw)
}

/** Remembers conversions, since the keys of one day are mostly those of the day before. */
export class KeyTexts {
  readonly #texts = new Map<string, string>()

  textOf(raw: Uint8Array): string {
    const name = Buffer.prototype.latin1Slice.call(raw, 0, raw.length)
    const cached = this.#texts.get(name)
    if (cached !== undefined) return cached
    const text = keyText(raw)
    if (this.#texts.size < REMEMBERED_KEYS) this.#texts.set(name, text)
    return text
  }
}
