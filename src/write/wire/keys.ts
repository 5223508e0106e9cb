import { base58, base58check } from '../../base/values/base58.ts'

/** Size of the cache: enough for every hotspot of a network. Further keys are converted each time. */
const REMEMBERED_KEYS = 400_000

/** Converts raw public key bytes to text: base58check of a zero byte and the key. */
export function keyText(raw: Uint8Array): string {
  const versioned = new Uint8Array(raw.length + 1)
  versioned.set(raw, 1)
  return base58check.encode(versioned)
}

/** Converts raw bytes of an address of the second layer to text: plain base58. */
export function solanaText(raw: Uint8Array): string {
  return base58.encode(raw)
}

/** Caches conversions, because most keys of a day repeat those of the day before. */
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
