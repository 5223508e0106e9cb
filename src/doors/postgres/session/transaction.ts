import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import { refuseLongName } from '../statements/long-name.ts'
import { refuse } from '../wire/postgres-error.ts'
import type { TransactionState } from '../wire/replies.ts'

/** A transaction of a client: its state, its savepoints, and the snapshot of its first statement. */
export class Transaction {
  state: TransactionState = 'I'
  /** Shared by all statements until the end. */
  snapshot: Snapshot | undefined
  #savepoints: string[] = []

  begin(): void {
    if (this.state === 'I') this.state = 'T'
  }

  end(): void {
    this.state = 'I'
    this.snapshot = undefined
    this.#savepoints = []
  }

  fail(): void {
    if (this.state === 'T') this.state = 'E'
  }

  /** Errors: 25P02 after an error, until the transaction ends. */
  requireSound(): void {
    if (this.state === 'E')
      refuse('25P02', 'current transaction is aborted, commands ignored until end of transaction block')
  }

  /** Errors: 25P01. */
  requireOpen(what: string): void {
    if (this.state === 'I') refuse('25P01', `${what} can only be used in transaction blocks`)
  }

  save(name: string): void {
    this.requireOpen('SAVEPOINT')
    refuseLongName(name)
    if (this.#savepoints.length === 1000) refuse('53400', 'There are 1000 savepoints already.')
    this.#savepoints.push(name)
  }

  /** Removes savepoints down to a name; `isKept` keeps that one, and mends a failed transaction. Errors: 3B001. */
  release(name: string, isKept: boolean): void {
    this.requireOpen(isKept ? 'ROLLBACK TO SAVEPOINT' : 'RELEASE SAVEPOINT')
    const at = this.#savepoints.lastIndexOf(name)
    if (at < 0) refuse('3B001', `savepoint ${JSON.stringify(name)} does not exist`)
    this.#savepoints = this.#savepoints.slice(0, isKept ? at + 1 : at)
    if (isKept) this.state = 'T'
  }
}
