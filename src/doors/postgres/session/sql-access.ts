import type { StatementRunner } from '../../../answers/sql/process/statement-runner.ts'
import type { CheckedStatement } from '../../../answers/sql/sql-session.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import type { RequestWork } from '../../gate/costs.ts'
import type { ServedSnapshots } from '../../snapshots/served-snapshots.ts'
import { nestedAsJson } from './prepared.ts'
import { RowStream } from './row-stream.ts'

/** Opens a process for statements over a snapshot. */
export type OpenStatements = (at: Snapshot) => Promise<Pick<StatementRunner, 'check' | 'rows' | 'close'>>

export interface SqlAccessOptions {
  readonly open: OpenStatements
  readonly snapshots: Pick<ServedSnapshots, 'of'>
  /** Runs a job in its turn among all requests. */
  readonly inTurn: <T>(work: RequestWork, signal: AbortSignal, job: () => Promise<T>) => Promise<T>
}

/** Initial estimates; measurements correct them. */
const checking: RequestWork = { kind: 'sql check', ms: 10 }
export const running: RequestWork = { kind: 'sql', ms: 250 }

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
    return await inTurn(checking, signal, async () => {
      const options = { parameterTypes: types, dialect: 'postgres' } as const
      const runner = await open(at)
      try {
        const checked = await runner.check(text, options, signal)
        const selected = nestedAsJson(checked)
        if (selected === undefined) return checked
        const { text: passed, ...rest } = await runner.check(selected, options, signal)
        return { ...rest, ...checked, text: passed }
      } finally {
        await runner.close()
      }
    })
  }

  /** Starts a checked statement. */
  async start(
    checked: CheckedStatement,
    values: readonly (string | null)[],
    at: Snapshot,
    signal: AbortSignal,
  ): Promise<RowStream> {
    const runner = await this.options.open(at)
    signal.throwIfAborted()
    return new RowStream(runner.rows(checked, signal, values), () => runner.close(), signal)
  }
}
