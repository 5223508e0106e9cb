import { fail } from '../../base/errors.ts'
import type { Action, AddAction, MetaData, Protocol, RemoveAction, Txn } from './log-actions.ts'
import { RETENTION_HOURS, readSchemaColumns, type SchemaColumn } from './table-format.ts'

/** A table at one version: the files that are live, by path. */
export interface TableLog {
  readonly version: number
  readonly live: ReadonlyMap<string, AddAction>
  /** Files removed within the retention before the newest commit. */
  readonly removed: ReadonlyMap<string, RemoveAction>
  /** Milliseconds since 1970; never less than that of an earlier version, whatever the writers' clocks. */
  readonly committedAt: number
  /** Digest of the newest entry. If it differs, another table has the same name. */
  readonly entryDigest: string
  readonly protocol: Protocol
  readonly metaData: MetaData
  /** Columns of the schema in the log, including the partition column; a file may lack some. */
  readonly columns: ReadonlyMap<string, SchemaColumn>
  readonly txns: ReadonlyMap<string, Txn>
}

const RETENTION_MS = RETENTION_HOURS * 3_600_000

export type Reached = Pick<TableLog, 'version' | 'committedAt' | 'entryDigest'>

/** Applies actions to a table. */
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
      this.#columns = readSchemaColumns(action.metaData.schemaString, action.metaData.id)
    }
  }

  /** True if protocol and metadata are present. */
  get isDescribed(): boolean {
    return this.#protocol !== undefined && this.#metaData !== undefined
  }

  /** `table` is named in errors. Errors: `lake_damaged` without protocol or metadata. */
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

/** Returns the commit time of an entry; 0 when it has none. */
export function commitTimeOf(actions: readonly Action[]): number {
  return actions.reduce(
    (time, action) => ('commitInfo' in action ? (action.commitInfo.timestamp ?? time) : time),
    0,
  )
}
