import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import type { SessionSettings } from '../statements/settings.ts'
import type { PostgresError } from '../wire/postgres-error.ts'
import type { SocketChannel } from '../wire/socket-channel.ts'
import { Deadline } from './deadline.ts'
import { Names } from './names.ts'
import { type Portal, sizeOfPortal } from './portal.ts'
import { type Prepared, sizeOfPrepared } from './prepared.ts'
import type { SqlAccess } from './sql-access.ts'
import { Transaction } from './transaction.ts'

export interface SessionOptions {
  readonly channel: SocketChannel
  readonly access: SqlAccess
  readonly settings: SessionSettings
  readonly timeoutMs: number
  /** Runs a statement that counts as a request of the client, and logs it. Errors: those of its limits. */
  readonly counted: <T>(job: () => Promise<T>) => Promise<T>
  /** Converts an error for the client. */
  readonly explain: (error: unknown) => PostgresError
  /** Errors: 28P01 if the key was revoked. */
  readonly requireKey: () => void
}

const MOST_STATEMENTS = 1000
const MOST_PORTALS = 100

/** Prepared statements, portals and the transaction of one connection. */
export class SessionState {
  readonly options: SessionOptions
  readonly statements = new Names<Prepared>('prepared statement', MOST_STATEMENTS, sizeOfPrepared)
  readonly portals = new Names<Portal>('portal', MOST_PORTALS, sizeOfPortal)
  readonly transaction = new Transaction()
  #deadline: Deadline | undefined

  constructor(options: SessionOptions) {
    this.options = options
  }

  /** Cancels the running statement, if there is one. */
  cancel(): void {
    this.#deadline?.cancel()
  }

  /** Runs work over the snapshot of the transaction, within the time of a statement. */
  async within<T>(work: (signal: AbortSignal, at: Snapshot) => Promise<T>): Promise<T> {
    const deadline = this.newDeadline()
    try {
      return await work(deadline.signal, await this.snapshot(deadline.signal))
    } finally {
      deadline.clear()
    }
  }

  /** Begins the time of a statement. Errors: 28P01. */
  newDeadline(): Deadline {
    const { timeoutMs, settings, channel, requireKey } = this.options
    requireKey()
    const ms = Math.min(timeoutMs, settings.statementTimeoutMs ?? timeoutMs)
    this.#deadline = new Deadline(ms, channel.ended)
    return this.#deadline
  }

  /** Returns the snapshot of the transaction, which its first statement takes. */
  async snapshot(signal: AbortSignal): Promise<Snapshot> {
    const at = await this.options.access.snapshot(this.transaction.snapshot, signal)
    this.transaction.snapshot = at
    return at
  }

  /** Ends the transaction and its portals. Cursors WITH HOLD stay if it commits. */
  async endTransaction(commits: boolean): Promise<void> {
    this.transaction.end()
    if (commits) for (const portal of this.portals.all()) portal.isHeld ||= portal.holds
    await this.closePortals(({ isHeld }) => isHeld === true)
  }

  /** Fails the transaction. A statement outside of BEGIN has one of its own, which ends. */
  async fail(): Promise<void> {
    if (this.transaction.state === 'I') await this.endTransaction(false)
    this.transaction.fail()
  }

  async closePortals(isKept?: (portal: Portal) => boolean): Promise<void> {
    for (const { stream } of this.portals.removeAll(isKept)) await stream?.close()
  }
}
