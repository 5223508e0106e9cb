/** Writes numbers of some bits one after the other, the lowest bit first. */
export class BitWriter {
  #bytes = Buffer.alloc(1 << 12)
  #end = 0

  /** So many bits of a number below 2^32; `width` is at most 32. */
  put(value: number, width: number): void {
    if (this.#bytes.length < (this.#end >>> 3) + 16)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)])
    for (let left = width, rest = value >>> 0; left > 0; ) {
      const at = this.#end >>> 3
      const shift = this.#end & 7
      const taken = Math.min(left, 8 - shift)
      this.#bytes[at] = (this.#bytes[at] ?? 0) | ((rest & ((1 << taken) - 1)) << shift)
      rest >>>= taken
      left -= taken
      this.#end += taken
    }
  }

  /** A number of at most 64 bits in two halves. */
  putWide(low: number, high: number, width: number): void {
    this.put(low, Math.min(width, 32))
    if (width > 32) this.put(high, width - 32)
  }

  /** What was written, filled up to a whole byte; then it begins anew. */
  take(): Buffer {
    const length = (this.#end + 7) >>> 3
    const taken = Buffer.from(this.#bytes.subarray(0, length))
    this.#bytes.fill(0, 0, length)
    this.#end = 0
    return taken
  }
}

/** The number of `width` bits at a bit, at most 32; bits behind the end are 0. */
export function bitsAt(bytes: Uint8Array, bit: number, width: number): number {
  const at = bit >>> 3
  const shift = bit & 7
  // What lies behind the end is undefined, and counts as 0 here.
  const first =
    byteAt(bytes, at) |
    (byteAt(bytes, at + 1) << 8) |
    (byteAt(bytes, at + 2) << 16) |
    (byteAt(bytes, at + 3) << 24)
  let bits = first >>> shift
  if (shift + width > 32) bits |= byteAt(bytes, at + 4) << (32 - shift)
  return width === 32 ? bits >>> 0 : bits & ((1 << width) - 1)
}

const byteAt = (bytes: Uint8Array, at: number) => bytes[at] as number

/** How many bits a number in two halves has; 0 for 0. */
export function bitLength(low: number, high: number): number {
  return high === 0 ? 32 - Math.clz32(low) : 64 - Math.clz32(high)
}
