import { refuseMessage } from './postgres-error.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes UTF-8. Errors: 22021 as 08P01 for other bytes. */
export function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return refuseMessage('A text is not in UTF-8, the only encoding of this server.')
  }
}

/** Reads the fields of a message in order. Errors: 08P01 if it is too short. */
export class Fields {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  take(length: number): Buffer {
    if (length < 0 || this.#at + length > this.#bytes.length)
      return refuseMessage(`A message ends ${this.#at + length - this.#bytes.length} bytes early.`)
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  character(): string {
    return this.take(1).toString('latin1')
  }

  int16(): number {
    return this.take(2).readInt16BE()
  }

  int32(): number {
    return this.take(4).readInt32BE()
  }

  uint32(): number {
    return this.take(4).readUInt32BE()
  }

  /** A text that ends with a zero byte. */
  text(): string {
    const end = this.#bytes.indexOf(0, this.#at)
    if (end === -1) return refuseMessage('A text of a message has no end.')
    const bytes = this.take(end - this.#at)
    this.#at += 1
    return textOf(bytes)
  }

  /** A length, then as many bytes; null for the length -1. */
  value(): Buffer | null {
    const length = this.int32()
    return length === -1 ? null : this.take(length)
  }

  /** A count, then as many fields. */
  list<T>(read: () => T): readonly T[] {
    const count = this.take(2).readUInt16BE()
    const list: T[] = []
    while (list.length < count) list.push(read())
    return list
  }

  rest(): Buffer {
    return this.take(this.#bytes.length - this.#at)
  }

  /** Errors: 08P01 if bytes are left. */
  end(): void {
    if (!this.isEnd) refuseMessage(`A message has ${this.#bytes.length - this.#at} bytes too many.`)
  }
}
