import { refuseMessage } from './postgres-error.ts'

/** A message of a client: its type, empty for the first one, and its body. */
export interface Frame {
  readonly type: string
  readonly body: Buffer
}

/** Longest message before a client has logged in. PostgreSQL has the same limit. */
const MOST_STARTUP_BYTES = 10_000
/** Longest message with a statement or values. */
export const MOST_MESSAGE_BYTES = 2 ** 20
/** Longest message of another type. */
const MOST_SHORT_BYTES = 30_000

/** Types of long messages: Query, Parse, Bind, and data that this server discards. */
const long = new Set(['Q', 'P', 'B', 'd'])
const types = new Set([...long, ...'CDEFHSXcfp'])

const nothing = Buffer.alloc(0)

/** Cuts a stream of bytes into messages. Checks type and length of a message before its body arrives. */
export class Frames {
  #bytes: Buffer = nothing
  #isStartup = true
  #isKnown = false

  /** Bytes that wait. */
  get size(): number {
    return this.#bytes.length
  }

  push(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk])
  }

  /** Ends the startup: messages have a type from now on. */
  begin(): void {
    this.#isStartup = false
  }

  /** Allows long messages, after the login. */
  trust(): void {
    this.#isKnown = true
  }

  /** Returns the next message, or undefined until it is complete. Errors: 08P01. */
  next(): Frame | undefined {
    const head = this.#isStartup ? 0 : 1
    if (this.#bytes.length < head) return undefined
    const type = this.#bytes.toString('latin1', 0, head)
    if (head === 1 && !types.has(type))
      return refuseMessage(`There is no message of type ${JSON.stringify(type)}.`)
    if (this.#bytes.length < head + 4) return undefined
    const length = this.#bytes.readInt32BE(head)
    const most = this.#mostOf(type)
    if (length < (this.#isStartup ? 8 : 4) || length > most)
      return refuseMessage(`A message of type "${type}" has ${length} bytes; send at most ${most}.`)
    if (this.#bytes.length < head + length) return undefined
    const body = this.#bytes.subarray(head + 4, head + length)
    this.#bytes = this.#bytes.subarray(head + length)
    return { type, body }
  }

  #mostOf(type: string): number {
    if (!this.#isKnown) return MOST_STARTUP_BYTES
    return long.has(type) ? MOST_MESSAGE_BYTES : MOST_SHORT_BYTES
  }
}
