import type { StatementRunner } from '../../../answers/sql/process/statement-runner.ts'
import type { CheckedStatement } from '../../../answers/sql/sql-session.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import type { RequestWork } from '../../gate/costs.ts'
import type { ServedSnapshots } from '../../snapshots/served-snapshots.ts'
import { nestedAsJson } from './prepared.ts'
import { RowStream } from './row-stream.ts'

/** Waits for a process in the turn of a client, and opens it for statements over a snapshot. */
export type OpenStatements = (
  at: Snapshot,
  signal: AbortSignal,
  client?: string,
) => Promise<Pick<StatementRunner, 'check' | 'rows' | 'close'>>

export interface SqlAccessOptions {
  readonly open: OpenStatements
  readonly snapshots: Pick<ServedSnapshots, 'of'>
  /** Runs a job in its turn among all requests. */
  readonly inTurn: <T>(work: RequestWork, signal: AbortSignal, job: () => Promise<T>) => Promise<T>
}

/** Initial estimates; measurements correct them. */
const checking: RequestWork = { kind: 'sql check', ms: 10 }
const running: RequestWork = { kind: 'sql', ms: 250 }

/** Statements of one client in the process for SQL. */
export class SqlAccess {
  readonly options: SqlAccessOptions

  constructor(options: SqlAccessOptions) {
    this.options = options
  }

  /** Returns the newest snapshot, or the given one, which stays in use. */
  async snapshot(at: Snapshot | undefined, signal: AbortSignal): Promise<Snapshot> {
    return await this.options.snapshots.of(at?.id, signal)
  }

  /** Checks and plans a SELECT. Lists and structs are selected as JSON; the columns keep their types. */
  async check(
    text: string,
    types: readonly (string | undefined)[],
    at: Snapshot,
    signal: AbortSignal,
  ): Promise<CheckedStatement> {
    const { open, inTurn } = this.options
    // A statement that waits for a process must not occupy an admission slot.
    const runner = await open(at, signal)
    const check = async () => {
      const options = { parameterTypes: types, dialect: 'postgres' } as const
      const checked = await runner.check(text, options, signal)
      const selected = nestedAsJson(checked)
      if (selected === undefined) return checked
      const { text: passed, ...rest } = await runner.check(selected, options, signal)
      return { ...rest, ...checked, text: passed }
    }
    return await inTurn(checking, signal, check).finally(() => runner.close())
  }

  /** Starts a checked statement, and reads its first rows in the turn of the client. */
  async start(
    checked: CheckedStatement,
    values: readonly (string | null)[],
    at: Snapshot,
    signal: AbortSignal,
  ): Promise<RowStream> {
    const { open, inTurn } = this.options
    const runner = await open(at, signal)
    const stream = new RowStream(runner.rows(checked, signal, values), () => runner.close(), signal)
    try {
      await inTurn(running, signal, () => stream.fill())
      return stream
    } catch (error) {
      await stream.close()
      throw error
    }
  }
}
