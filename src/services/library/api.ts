import type { CallOptions, Instant } from './calls.ts'
import type { SearchResult, Statement, Status, Tables } from './tables.ts'

export interface StatementOptions {
  /** Address of a wallet, as L1 or L2 spells it. */
  readonly owner: string
  readonly year?: number | string
  /** Days, such as 2025-01-01. */
  readonly from?: string
  readonly to?: string
  readonly tz?: string
}

export interface StatementFiles {
  readonly summary: Statement
  /** CSV of each token, by the name of its file. */
  readonly files: Readonly<Record<string, Uint8Array>>
}

/** A value of a statement of SQL: 64-bit and larger integers are bigints; decimals, times, lists and structs are text. */
export type SqlValue = string | number | bigint | boolean | null

/** All reads of one snapshot, or of the newest one. */
export interface Reads extends Tables {
  /** Tables, rows, and the days that are present or missing. */
  coverage(query?: { readonly from?: Instant; readonly to?: Instant }, options?: CallOptions): Promise<Status>
  /** Finds names, keys, addresses and hashes by their first characters. */
  search(text: string, options?: CallOptions): Promise<SearchResult>
  /** The pay of an owner by token, with totals that tie out. */
  statement(query: StatementOptions, options?: CallOptions): Promise<StatementFiles>
  /** Rows of one SELECT over the views of the lake. */
  sql(statement: string, options?: CallOptions): AsyncIterableIterator<Readonly<Record<string, SqlValue>>>
}

/** Reads of one snapshot. */
export interface PinnedLake extends Reads {
  /** Id of the snapshot. */
  readonly snapshot: string
}

export interface IngestOptions extends CallOptions {
  /** Kinds of files; default: all. */
  readonly only?: readonly string[]
  /** Replaces the rows of a file that was ingested before and has other bytes now. */
  readonly replace?: boolean
}

/** Result of an ingest. */
export interface IngestResult {
  /** Files of known kinds. */
  readonly read: number
  readonly stored: number
  /** Files that the lake has already. */
  readonly skipped: number
  readonly rows: number
  readonly refusedRows: number
  /** Names of unknown files. */
  readonly unknown: readonly string[]
  readonly failed: readonly { readonly path: string; readonly reason: string }[]
}

/** Result of a verification. */
export interface Verification {
  readonly isSound: boolean
  readonly findings: readonly {
    readonly level: 'fault' | 'note'
    readonly file: string
    readonly what: string
    readonly repair: string
  }[]
}

/** An open lake. Reads without `at` are of the newest snapshot. */
export interface Lake extends Reads, AsyncDisposable {
  readonly folder: string
  /** Returns the lake at a snapshot, by its id or an instant. Errors: `gone`, `malformed_request`. */
  at(snapshot: Instant, options?: CallOptions): Promise<PinnedLake>
  /** Ingests files and folders, and builds their indexes. Files that the lake has are skipped. */
  ingest(paths: readonly string[], options?: IngestOptions): Promise<IngestResult>
  /** Merges the small files of closed months. Returns the number of partitions that it wrote. */
  compact(options?: CallOptions): Promise<number>
  /** Reads every byte of the lake and compares it with its checksums. */
  verify(options?: CallOptions): Promise<Verification>
  close(): Promise<void>
}

export interface LakeOptions {
  /** Folder of indexes; default: `_state` in the lake. */
  readonly stateFolder?: string
  /** Memory of the engine in MB; default: a quarter of the machine, at most 1024. */
  readonly memoryMb?: number
  /** Threads of the engine; default: one for each core. */
  readonly threads?: number
  /** How often the log is read for new commits; default: every 1000 ms. */
  readonly refreshMs?: number
  /** Receives errors of background work, also those that belong to no lake; default: none are reported. */
  readonly onError?: (error: unknown) => void
}
