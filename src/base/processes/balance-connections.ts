import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Pause of a worker with more connections than another, before it accepts the next one. */
const PAUSE_MS = 0.2
const COUNT_BYTES = 4

/**
 * Connection counts of all workers, in a file that all of them have open. Each worker has four bytes at its number: its
 * count plus 1, or 0 if there is no worker.
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

  /** Removes the count. A stale count only makes other workers pause needlessly. */
  remove(worker: number): void {
    try {
      this.#write(worker, 0)
    } catch {}
  }

  /** Returns the fewest connections of any worker; Infinity without workers. Errors: those of the file system. */
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

/** Opens counts in an unlinked file, which vanishes with the last process; undefined if no file can be written. */
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
  /** Counts the connections of a server, and pauses this worker while it has more than others. */
  watch(server: Server): void
  /** Removes the count of this worker. */
  leave(): void
}

/**
 * Balances the connections of workers on one port. A new connection wakes all workers, and the first one accepts all
 * that wait; most connections of a burst would go to one worker. Without counts no worker pauses.
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

/** Blocks this thread, so that it accepts no connection. */
function pauseThread(): void {
  Atomics.wait(never, 0, 0, PAUSE_MS)
}
