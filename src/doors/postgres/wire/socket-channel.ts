import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { type Frame, Frames, MOST_MESSAGE_BYTES } from './frames.ts'
import { refuse } from './postgres-error.ts'

/** Bytes that are sent in one piece. */
const PIECE_BYTES = 65_536
/** Longest time without a turn of the event loop, over many small messages or statements. */
const TURN_MS = 10

/** Messages of one connection, in and out, with bounded buffers. */
export class SocketChannel {
  readonly socket: Socket
  readonly frames = new Frames()
  /** Aborts when the connection ends. */
  readonly ended: AbortSignal
  readonly #stallMs: number
  #wake = () => {}
  #isEnd = false
  #out: Uint8Array[] = []
  #outBytes = 0
  /** When this connection last waited for a turn of the event loop. */
  #turnAt = 0

  constructor(socket: Socket, stallMs: number) {
    this.socket = socket
    this.#stallMs = stallMs
    const ended = new AbortController()
    this.ended = ended.signal
    const end = () => {
      this.#isEnd = true
      ended.abort(new Error('the client has disconnected'))
      this.#wake()
    }
    socket.on('data', (chunk: Buffer) => {
      this.frames.push(chunk)
      if (this.frames.size > MOST_MESSAGE_BYTES) socket.pause()
      this.#wake()
    })
    socket.on('error', end).on('close', end).on('end', end)
  }

  /** Returns the next message; undefined once the client has disconnected. Errors: 08P01. */
  async receive(): Promise<Frame | undefined> {
    for (;;) {
      const frame = this.frames.next()
      if (this.frames.size <= MOST_MESSAGE_BYTES) this.socket.resume()
      if (frame !== undefined || this.#isEnd) return frame
      await this.flush()
      if (this.frames.size === 0 || !this.#isEnd)
        await new Promise<void>((resolve) => {
          this.#wake = resolve
          if (this.#isEnd) resolve()
        })
    }
  }

  send(...messages: readonly Uint8Array[]): void {
    for (const bytes of messages) {
      this.#out.push(bytes)
      this.#outBytes += bytes.length
    }
  }

  /** Sends what has gathered if it is a whole piece, and waits for a slow client. Waits for a turn of the event loop if the last one was long ago. Errors: 08006. */
  async sendPieces(): Promise<void> {
    if (this.#outBytes >= PIECE_BYTES) await this.flush()
    if (performance.now() - this.#turnAt < TURN_MS) return
    await setImmediate()
    this.#turnAt = performance.now()
  }

  /** Sends everything. Errors: 08006 if the client does not read for the time of a request. */
  async flush(): Promise<void> {
    if (this.#outBytes === 0) return
    const bytes = Buffer.concat(this.#out)
    this.#out = []
    this.#outBytes = 0
    if (this.#isEnd || this.socket.write(bytes)) return
    let timer: NodeJS.Timeout | undefined
    const isDrained = await new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), this.#stallMs)
      this.socket.once('drain', () => resolve(true)).once('close', () => resolve(true))
    })
    clearTimeout(timer)
    if (!isDrained) {
      this.socket.destroy()
      refuse('08006', 'The client does not read its result.', { isFatal: true })
    }
  }

  /** Sends a last error and closes the connection. */
  close(error?: Uint8Array): void {
    if (error !== undefined) this.send(error)
    if (this.#isEnd) return void this.socket.destroy()
    this.socket.end(Buffer.concat(this.#out))
    this.#out = []
    this.#outBytes = 0
    // A client that never reads would keep it open.
    setTimeout(() => this.socket.destroy(), 1000).unref()
  }
}
