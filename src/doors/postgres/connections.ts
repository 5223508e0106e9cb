import { randomInt } from 'node:crypto'
import type { Socket } from 'node:net'
import type { SessionState } from './session/state.ts'

/** Identifies a running session in a cancel request. */
export interface CancelKey {
  readonly id: number
  readonly secret: number
}

const INT32 = 2 ** 31

/** Open connections of this process, and their sessions by the key that cancels them. */
export class Connections {
  readonly most: number
  readonly #sockets = new Set<Socket>()
  readonly #sessions = new Map<number, { readonly secret: number; readonly state: SessionState }>()
  #refused = 0

  constructor(most: number) {
    this.most = most
  }

  get load() {
    return { open: this.#sockets.size, most: this.most, refused: this.#refused }
  }

  /** Returns false if there are too many already. */
  add(socket: Socket): boolean {
    const isFree = this.#sockets.size < this.most
    if (!isFree) this.#refused += 1
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    return isFree
  }

  /** Creates the cancel key of a session: random, so that other workers and clients cannot meet it. */
  register(state: SessionState): CancelKey {
    let id = randomInt(1, INT32)
    while (this.#sessions.has(id)) id = randomInt(1, INT32)
    const secret = randomInt(-INT32, INT32)
    this.#sessions.set(id, { secret, state })
    return { id, secret }
  }

  forget({ id }: CancelKey): void {
    this.#sessions.delete(id)
  }

  /** Cancels the statement of a session. Returns false if it is not one of this process. */
  cancel({ id, secret }: CancelKey): boolean {
    const session = this.#sessions.get(id)
    if (session?.secret !== secret) return false
    session.state.cancel()
    return true
  }

  closeAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}
