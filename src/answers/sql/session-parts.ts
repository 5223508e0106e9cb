import { type ConfinedOptions, ConfinedSession } from '../../engine/duckdb/confined/confined-session.ts'
import type { Allowed } from './gate.ts'
import {
  catalogFunctions,
  catalogTables,
  createCatalog,
  movedNames,
} from './postgres-catalog/postgres-catalog.ts'
import { withoutSchema } from './postgres-catalog/statement-text.ts'
import { fileViews, type ListFile } from './views/file-views.ts'
import { deferredParts, namesReadBy, sessionViews } from './views/lake-views.ts'
import { logSumsTable } from './views/log-sums.ts'
import type { SnapshotFiles } from './views/snapshot-files.ts'

/** Names of statements: as DuckDB has them, or as PostgreSQL does, with its catalog and its schema `public`. */
export type StatementDialect = 'postgres' | undefined

/** A statement with the names of the session, and its syntax tree as JSON. */
export interface ReadStatement {
  readonly text: string
  readonly tree: string
  readonly usesCatalog: boolean
}

/** Files of a session, and where it may write. */
export interface SessionFiles extends Omit<ConfinedOptions, 'files' | 'tables' | 'views'> {
  readonly at: SnapshotFiles
  /** Exported files, if statements read these instead of a lake. */
  readonly listFiles?: readonly ListFile[] | undefined
}

/** A confined session with the views of a snapshot or of exported files. Costly parts are made when a statement needs them. */
export class SessionParts {
  readonly session: ConfinedSession
  readonly #tables: Allowed
  readonly #deferred: ReturnType<typeof deferredParts>
  #hasCatalog = false

  private constructor(session: ConfinedSession, tables: Allowed, deferred: ReturnType<typeof deferredParts>) {
    this.session = session
    this.#tables = tables
    this.#deferred = deferred
  }

  /** Errors: those of DuckDB. */
  static async open({ at, listFiles, ...options }: SessionFiles): Promise<SessionParts> {
    const views = listFiles === undefined ? sessionViews(at) : fileViews(listFiles)
    const files = (listFiles ?? Object.values(at.tables).flat()).map(({ path }) => path)
    const tables = listFiles === undefined ? [logSumsTable({})] : []
    const session = await ConfinedSession.open({ ...options, files, tables, views })
    const builtIn = await session.send('SELECT lower(view_name) AS name FROM duckdb_views() WHERE internal')
    const allowed = new Set(views.map(({ name }) => name).filter((name) => !name.startsWith('_')))
    const reserved = new Set(builtIn.map(({ name }) => String(name)))
    const deferred = listFiles === undefined ? deferredParts(at) : new Map<string, never>()
    return new SessionParts(session, { tables: allowed, reserved }, deferred)
  }

  /** Tables and functions that a statement may name. */
  allowed(dialect: StatementDialect): Allowed {
    if (dialect === undefined) return this.#tables
    const { tables, reserved } = this.#tables
    return { tables: new Set([...tables, ...catalogTables]), reserved, functions: catalogFunctions }
  }

  /** Parses a text, and moves the names of PostgreSQL to those of the session. Errors: those of DuckDB. */
  async read(
    written: string,
    dialect: StatementDialect,
    parameterTypes: readonly (string | undefined)[],
  ): Promise<ReadStatement> {
    const text = dialect === undefined ? written : withoutSchema(written)
    const tree = await this.#serialize(text)
    const moved = dialect === undefined ? undefined : movedNames(tree, written, parameterTypes)
    if (moved === undefined) return { text, tree, usesCatalog: false }
    if (moved.usesCatalog) await this.openCatalog()
    const [row] = await this.session.send('SELECT json_deserialize_sql($1::JSON) AS text', [moved.json])
    const passed = String(row?.text)
    return { text: passed, tree: await this.#serialize(passed), usesCatalog: moved.usesCatalog }
  }

  async #serialize(statement: string): Promise<string> {
    const [row] = await this.session.send('SELECT json_serialize_sql($1::VARCHAR) AS tree', [statement])
    return String(row?.tree)
  }

  /** True if a part that a statement reads is not made yet. */
  lacks(statement: string): boolean {
    const names = this.#deferred.size === 0 ? undefined : namesReadBy(statement)
    return names !== undefined && [...this.#deferred.keys()].some((name) => names.has(name))
  }

  /** Makes the parts that a statement reads. Errors: those of DuckDB; the reason of the signal. */
  async make(statement: string, signal?: AbortSignal): Promise<void> {
    const names = namesReadBy(statement)
    for (const [name, makePart] of this.#deferred) {
      if (!names.has(name)) continue
      await makePart(this.session, signal)
      this.#deferred.delete(name)
    }
  }

  /** Creates the catalog of PostgreSQL when a statement first reads it. Errors: those of DuckDB. */
  async openCatalog(): Promise<void> {
    if (this.#hasCatalog) return
    const { session } = this
    await session.atomically(() => createCatalog((text, values) => session.send(text, values)))
    this.#hasCatalog = true
  }
}
