import { fail } from '../../base/errors.ts'
import type { Action, AddAction, MetaData, Protocol, RemoveAction, Txn } from './log-actions.ts'
import { columnsOf, RETENTION_HOURS, type SchemaColumn } from './table-format.ts'

/** A table at one version: the files that are live, by path. */
export interface TableLog {
  readonly version: number
  readonly live: ReadonlyMap<string, AddAction>
  /** Files that were removed within the retention, which counts back from the newest commit. */
  readonly removed: ReadonlyMap<string, RemoveAction>
  /** Milliseconds since 1970; never less than that of an earlier version, whatever the clocks of their writers said. */
  readonly committedAt: number
  /** Digest of the newest entry: a log in which it differs is another table under the same name. */
  readonly entryDigest: string
  readonly protocol: Protocol
  readonly metaData: MetaData
  /** Columns of the schema in the log, the partition column among them; a file may lack some. */
  readonly columns: ReadonlyMap<string, SchemaColumn>
  readonly txns: ReadonlyMap<string, Txn>
}

const RETENTION_MS = RETENTION_HOURS * 3_600_000

/** Which version the actions lead to. */
export type Reached = Pick<TableLog, 'version' | 'committedAt' | 'entryDigest'>

/** A table while actions are applied to it. */
export class TableState {
  readonly #live: Map<string, AddAction>
  readonly #removed: Map<string, RemoveAction>
  readonly #txns: Map<string, Txn>
  #protocol: Protocol | undefined
  #metaData: MetaData | undefined
  #columns: ReadonlyMap<string, SchemaColumn>

  constructor(from?: TableLog) {
    this.#live = new Map(from?.live)
    this.#removed = new Map(from?.removed)
    this.#txns = new Map(from?.txns)
    this.#protocol = from?.protocol
    this.#metaData = from?.metaData
    this.#columns = from?.columns ?? new Map()
  }

  apply(actions: readonly Action[]): this {
    for (const action of actions) this.#applyOne(action)
    return this
  }

  #applyOne(action: Action): void {
    if ('add' in action) {
      const path = decodeURIComponent(action.add.path)
      this.#removed.delete(path)
      this.#live.set(path, action.add)
    } else if ('remove' in action) {
      const path = decodeURIComponent(action.remove.path)
      this.#live.delete(path)
      this.#removed.set(path, action.remove)
    } else if ('txn' in action) this.#txns.set(action.txn.appId, action.txn)
    else if ('protocol' in action) this.#protocol = action.protocol
    else if ('metaData' in action) {
      this.#metaData = action.metaData
      this.#columns = columnsOf(action.metaData.schemaString, action.metaData.id)
    }
  }

  /** Whether it is said what table it is, without which there is none. */
  get isDescribed(): boolean {
    return this.#protocol !== undefined && this.#metaData !== undefined
  }

  /** `table` is named in errors. Errors: `lake_damaged` where nothing says what table it is. */
  at(reached: Reached, table: string): TableLog {
    const [protocol, metaData] = [this.#protocol, this.#metaData]
    if (protocol === undefined || metaData === undefined)
      fail('lake_damaged', `The log of ${table} has no protocol or no metaData; restore it from a copy.`)
    const horizon = reached.committedAt - RETENTION_MS
    const removed = [...this.#removed].filter(([, { deletionTimestamp = 0 }]) => deletionTimestamp >= horizon)
    return {
      ...reached,
      live: this.#live,
      removed: new Map(removed),
      protocol,
      metaData,
      columns: this.#columns,
      txns: this.#txns,
    }
  }
}

/** The time that an entry names for its commit; 0 when it names none. */
export function timeOf(actions: readonly Action[]): number {
  return actions.reduce(
    (time, action) => ('commitInfo' in action ? (action.commitInfo.timestamp ?? time) : time),
    0,
  )
}
