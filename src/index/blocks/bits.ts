/** Writes numbers of some bits one after the other, the lowest bit first. */
export class BitWriter {
  #bytes = Buffer.alloc(1 << 12)
  #view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length)
  /** How many bytes are written; the bits behind them are gathered in one number. */
  #end = 0
  #bits = 0
  #gathered = 0

  /** So many bits of a number below 2^32; `width` is at most 32. */
  put(value: number, width: number): void {
    const masked = width === 32 ? value : value & ((1 << width) - 1)
    const free = 32 - this.#gathered
    this.#bits |= masked << this.#gathered
    if (width < free) {
      this.#gathered += width
      return
    }
    this.#flush()
    this.#bits = free === 32 ? 0 : masked >>> free
    this.#gathered = width - free
  }

  /** A number of at most 64 bits in two halves. */
  putWide(low: number, high: number, width: number): void {
    this.put(low, Math.min(width, 32))
    if (width > 32) this.put(high, width - 32)
  }

  /** Fills up to a whole byte. Returns the number of bytes so far. */
  align(): number {
    const free = -this.#gathered & 7
    if (free > 0) this.put(0, free)
    return this.#end + (this.#gathered >>> 3)
  }

  /** Returns the bits as bytes, the last one filled up with zeros, and begins anew. */
  take(): Buffer {
    const length = this.#end + ((this.#gathered + 7) >>> 3)
    this.#flush()
    this.#end = 0
    this.#bits = 0
    this.#gathered = 0
    return Buffer.from(this.#bytes.subarray(0, length))
  }

  #flush(): void {
    if (this.#end + 4 > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)])
      this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length)
    }
    this.#view.setInt32(this.#end, this.#bits, true)
    this.#end += 4
  }
}

/** Bytes as words of 32 bits, the lowest first, with zeros behind the end. Those of a container are not copied. */
export function wordsOf({ buffer, byteOffset, length }: Uint8Array): Uint32Array {
  const isPadded = byteOffset === 0 && buffer.byteLength % 4 === 0 && buffer.byteLength >= length + 4
  if (isPadded) return new Uint32Array(buffer)
  const words = new Uint32Array((length >>> 2) + 2)
  new Uint8Array(words.buffer).set(new Uint8Array(buffer, byteOffset, length))
  return words
}

/** The number of `width` bits at a bit, at most 32. */
export function bitsAt(words: Uint32Array, bit: number, width: number): number {
  const at = bit >>> 5
  const shift = bit & 31
  let bits = (words[at] as number) >>> shift
  if (shift + width > 32) bits |= (words[at + 1] as number) << (32 - shift)
  return width === 32 ? bits >>> 0 : bits & ((1 << width) - 1)
}

/** How many bits a number in two halves has; 0 for 0. */
export function bitLength(low: number, high: number): number {
  return high === 0 ? 32 - Math.clz32(low) : 64 - Math.clz32(high)
}
