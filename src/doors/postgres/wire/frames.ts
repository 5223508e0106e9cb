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

const LEAST_ROOM = 1024
const nothing = Buffer.alloc(0)

/** Cuts a stream of bytes into messages. Checks type and length of a message before its body arrives. */
export class Frames {
  #buffer: Buffer = nothing
  #start = 0
  #end = 0
  #isStartup = true
  #isKnown = false

  /** Bytes that wait. */
  get size(): number {
    return this.#end - this.#start
  }

  push(chunk: Buffer): void {
    if (this.#end + chunk.length > this.#buffer.length) this.#makeRoom(chunk.length)
    this.#end += chunk.copy(this.#buffer, this.#end)
  }

  /** Twice the room that is needed, so that a message in many small pieces is copied a few times only. */
  #makeRoom(bytes: number): void {
    const waiting = this.#buffer.subarray(this.#start, this.#end)
    // Bodies of earlier messages are parts of the old buffer, so it is not written again.
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(LEAST_ROOM, 2 * (waiting.length + bytes)))
    this.#start = 0
    this.#end = waiting.copy(this.#buffer)
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
    const bytes = this.#buffer.subarray(this.#start, this.#end)
    if (bytes.length < head) return undefined
    const type = bytes.toString('latin1', 0, head)
    if (head === 1 && !types.has(type))
      return refuseMessage(`There is no message of type ${JSON.stringify(type)}.`)
    if (bytes.length < head + 4) return undefined
    const length = bytes.readInt32BE(head)
    const most = this.#mostOf(type)
    if (length < (this.#isStartup ? 8 : 4) || length > most)
      return refuseMessage(`A message of type "${type}" has ${length} bytes; send at most ${most}.`)
    if (bytes.length < head + length) return undefined
    this.#start += head + length
    return { type, body: bytes.subarray(head + 4, head + length) }
  }

  #mostOf(type: string): number {
    if (!this.#isKnown) return MOST_STARTUP_BYTES
    return long.has(type) ? MOST_MESSAGE_BYTES : MOST_SHORT_BYTES
  }
}
