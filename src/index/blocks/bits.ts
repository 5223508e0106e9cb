/** Writes bits, the lowest first. */
export class BitWriter {
  #bytes = Buffer.alloc(1 << 12)
  #view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length)
  /** Bytes written. The following bits are pending in one word. */
  #end = 0
  #word = 0
  #pending = 0

  /** Writes a number of at most 32 bits. */
  put(value: number, width: number): void {
    const masked = width === 32 ? value : value & ((1 << width) - 1)
    const free = 32 - this.#pending
    this.#word |= masked << this.#pending
    if (width < free) {
      this.#pending += width
      return
    }
    this.#flush()
    this.#word = free === 32 ? 0 : masked >>> free
    this.#pending = width - free
  }

  /** Writes a number of at most 64 bits in two halves. */
  putWide(low: number, high: number, width: number): void {
    this.put(low, Math.min(width, 32))
    if (width > 32) this.put(high, width - 32)
  }

  /** Pads to a whole byte. Returns the number of bytes so far. */
  align(): number {
    const free = -this.#pending & 7
    if (free > 0) this.put(0, free)
    return this.#end + (this.#pending >>> 3)
  }

  /** Returns the bytes, the last one padded with zeros, and resets the writer. */
  take(): Buffer {
    const length = this.#end + ((this.#pending + 7) >>> 3)
    this.#flush()
    this.#end = 0
    this.#word = 0
    this.#pending = 0
    return Buffer.from(this.#bytes.subarray(0, length))
  }

  #flush(): void {
    if (this.#end + 4 > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)])
      this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length)
    }
    this.#view.setInt32(this.#end, this.#word, true)
    this.#end += 4
  }
}

/** Returns bytes as 32-bit words, padded with zeros. Bytes read from a container are not copied. */
export function wordsOf({ buffer, byteOffset, length }: Uint8Array): Uint32Array {
  const isPadded = byteOffset === 0 && buffer.byteLength % 4 === 0 && buffer.byteLength >= length + 4
  if (isPadded) return new Uint32Array(buffer)
  const words = new Uint32Array((length >>> 2) + 2)
  new Uint8Array(words.buffer).set(new Uint8Array(buffer, byteOffset, length))
  return words
}

/** Reads a number of at most 32 bits. Bits beyond the last word are 0. */
export function bitsAt(words: Uint32Array, bit: number, width: number): number {
  const at = bit >>> 5
  const shift = bit & 31
  let bits = (words[at] ?? 0) >>> shift
  if (shift + width > 32) bits |= (words[at + 1] ?? 0) << (32 - shift)
  return width === 32 ? bits >>> 0 : bits & ((1 << width) - 1)
}

/** Returns the bit length of a number in two halves; 0 for 0. */
export function bitLength(low: number, high: number): number {
  return high === 0 ? 32 - Math.clz32(low) : 64 - Math.clz32(high)
}
