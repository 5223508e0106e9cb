import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A worker that has more connections than another one waits so long before it accepts the next. */
const PAUSE_MS = 0.2
const COUNT_BYTES = 4

/**
 * How many connections each worker has, by its number: four bytes with one more than that, or 0 for no worker, in a file that all of
 * them have open.
 */
export class ConnectionCounts {
  readonly descriptor: number
  readonly #count = Buffer.alloc(COUNT_BYTES)
  #all = Buffer.alloc(COUNT_BYTES * 16)

  constructor(descriptor: number) {
    this.descriptor = descriptor
  }

  /** Errors: those of the file system. */
  set(worker: number, connections: number): void {
    this.#write(worker, connections + 1)
  }

  /** A count that stays, since it cannot be written, only has others wait for a moment where they need not. */
  remove(worker: number): void {
    try {
      this.#write(worker, 0)
    } catch {}
  }

  /** The fewest connections of any worker; Infinity where there is none. Errors: those of the file system. */
  least(): number {
    let length = readSync(this.descriptor, this.#all, 0, this.#all.length, 0)
    while (length === this.#all.length) {
      this.#all = Buffer.alloc(length * 2)
      length = readSync(this.descriptor, this.#all, 0, this.#all.length, 0)
    }
    let least = Number.POSITIVE_INFINITY
    for (let at = 0; at + COUNT_BYTES <= length; at += COUNT_BYTES) {
      const count = this.#all.readUInt32LE(at)
      if (count > 0) least = Math.min(least, count - 1)
    }
    return least
  }

  #write(worker: number, count: number): void {
    this.#count.writeUInt32LE(count)
    writeSync(this.descriptor, this.#count, 0, COUNT_BYTES, worker * COUNT_BYTES)
  }
}

/** Counts in a file without a name, which is gone with the last process that has it open; undefined where none can be written. */
export function openConnectionCounts(): ConnectionCounts | undefined {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerlake-connections-'))
    const descriptor = openSync(join(folder, 'counts'), 'w+', 0o600)
    rmSync(folder, { recursive: true })
    return new ConnectionCounts(descriptor)
  } catch {
    return undefined
  }
}

/** The connections of one worker. */
export interface ConnectionBalance {
  /** Counts the connections of a server, and lets other workers accept where this one is ahead. */
  watch(server: Server): void
  /** No more connections are accepted. */
  leave(): void
}

/**
 * Workers that accept on one port are all woken by a new connection, and the first one takes whatever waits: many connections that are opened at
 * once would mostly be those of one worker. Without counts nothing is waited for.
 */
export function balanceConnections(
  counts: ConnectionCounts,
  worker: number,
  pause = pauseThread,
): ConnectionBalance {
  let connections = 0
  let isCounted = true

  function count(change: number): boolean {
    connections += change
    try {
      if (isCounted) counts.set(worker, connections)
      return isCounted && connections > counts.least() + 1
    } catch {
      isCounted = false
      return false
    }
  }

  return {
    watch(server) {
      count(0)
      server.on('connection', (socket) => {
        socket.once('close', () => count(-1))
        if (count(1)) pause()
      })
    },
    leave() {
      isCounted = false
      counts.remove(worker)
    },
  }
}

const never = new Int32Array(new SharedArrayBuffer(4))

/** Holds up this thread, so that nothing else is accepted by it. */
function pauseThread(): void {
  Atomics.wait(never, 0, 0, PAUSE_MS)
}
