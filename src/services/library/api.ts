import type { CallOptions, ExportedFile, Instant } from './calls.ts'
import type { SearchResult, Statement, Status, Tables } from './tables.ts'

export interface StatementOptions {
  /** Address of a wallet, as L1 or L2 spells it. */
  readonly owner?: string
  /** Several wallets, instead of owner. */
  readonly owners?: readonly string[]
  /** Hotspots with their days, such as `Furry Linen Bee, sold 2025-06-30`, instead of owners or beside them. */
  readonly hotspotKeys?: readonly string[]
  /** Prices in one currency, such as `2025-02-14,HNT,EUR,2.4183`: adds values at these prices. */
  readonly prices?: readonly string[]
  readonly year?: number | string
  /** Days, such as 2025-01-01. */
  readonly from?: string
  readonly to?: string
  readonly tz?: string
  readonly format?: 'csv' | 'spreadsheet'
  /** Language of `spreadsheet`, such as de: its decimal mark and separator. */
  readonly locale?: string
}

export interface EarningsOptions {
  /** Address of a wallet, as L1 or L2 spells it. */
  readonly owner?: string
  /** Keys or names of hotspots, instead of an owner. */
  readonly hotspotKeys?: readonly string[]
  /** First day that was paid, such as 2025-02-01, or a month. */
  readonly firstDay: string
  /** Last day, included, or a month. */
  readonly lastDay: string
  readonly tz?: string
}

/** The pay of a hotspot on one day in one token. Null is unknown. Amounts are text, in whole tokens and USD. */
export interface EarningsRow {
  readonly date: string | null
  readonly hotspotName: string | null
  readonly hotspotKey: string
  readonly network: string | null
  readonly token: string | null
  readonly amount: string | null
  readonly priceUsd: string | null
  readonly usd: string | null
  /** Such as `paid`, `nothing earned` or `data missing`. */
  readonly state: string
}

/** Earnings of hotspots, with sums and the days that lack data. */
export interface EarningsReport {
  readonly firstDay: string
  readonly lastDay: string
  readonly tz: string
  readonly snapshot: string
  readonly hotspots: readonly { readonly hotspotKey: string; readonly hotspotName: string | null }[]
  /** Sums by token; `usd` is null if a price is missing. */
  readonly tokens: readonly {
    readonly token: string
    readonly amount: string
    readonly usd: string | null
    readonly usdOfPriced: string
  }[]
  readonly usd: string | null
  /** Days that lack data, by state and network. */
  readonly missing: readonly {
    readonly state: string
    readonly network: string
    readonly dates: readonly string[]
  }[]
  readonly unknownHotspots: readonly string[]
  readonly rows: readonly EarningsRow[]
}

export interface EarningsFileOptions extends EarningsOptions {
  readonly format: 'csv' | 'spreadsheet' | 'ndjson' | 'xlsx' | 'koinly' | 'cointracker'
  /** Language of `spreadsheet`, such as de: its decimal mark and separator. */
  readonly locale?: string
}

export interface EarningsFile extends ExportedFile {
  /** Such as `Furry-Linen-Bee_2025-02-01_2025-02-28.csv`. */
  readonly name: string
}

export interface StatementFiles {
  readonly summary: Statement
  /** CSV of each token, by the name of its file. */
  readonly files: Readonly<Record<string, Uint8Array>>
}

/** A value of a statement of SQL: 64-bit and larger integers are bigints; decimals, times, lists and structs are text. */
export type SqlValue = string | number | bigint | boolean | null

/** All reads of one snapshot, or of the newest one. */
export interface SqlCallOptions extends CallOptions {
  /** Values of $1, $2 and so on, or of each ?: texts, numbers too, and nulls; each is cast to the type of its parameter. */
  readonly values?: readonly (string | null)[]
}

export interface Reads extends Tables {
  /** Tables, rows, and the days that are present or missing. */
  coverage(query?: { readonly from?: Instant; readonly to?: Instant }, options?: CallOptions): Promise<Status>
  /** Finds names, keys, addresses and hashes by their first characters. */
  search(text: string, options?: CallOptions): Promise<SearchResult>
  /** Returns the earnings of hotspots on each day. */
  earnings(query: EarningsOptions, options?: CallOptions): Promise<EarningsReport>
  /** The same rows as a file. */
  earningsFile(query: EarningsFileOptions, options?: CallOptions): Promise<EarningsFile>
  /** The pay of owners or hotspots by token, with totals that tie out. */
  statement(query: StatementOptions, options?: CallOptions): Promise<StatementFiles>
  /** Rows of one SELECT over the views of the lake. */
  sql(statement: string, options?: SqlCallOptions): AsyncIterableIterator<Readonly<Record<string, SqlValue>>>
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
