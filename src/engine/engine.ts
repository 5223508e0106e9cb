import type { Value } from '../catalog/column.ts'
import type {
  CountPlan,
  ListPlan,
  RangeCountPlan,
  RangeRowsPlan,
  RowsPlan,
  SumsPlan,
} from '../catalog/query/plan.ts'
import type { Row } from '../catalog/resource.ts'
import type { RowVectors } from '../lake/ports/file-rows-reader.ts'
import type { Snapshot } from '../lake/snapshot/snapshot.ts'

/** Sums, and the values that its rows share. */
export interface SumGroup {
  readonly group: Readonly<Record<string, Value>>
  readonly sums: Readonly<Record<string, bigint>>
}

/** Reads for a response. */
export interface Work {
  readonly statements: number
  readonly files: number
}

/** Current and total load of an engine. */
export interface EngineLoad extends Work {
  /** Name and version, such as `duckdb v1.5.6`. */
  readonly name: string
  /** Rows returned by statements. */
  readonly rows: number
  /** Running statements, and statements that wait for a connection. */
  readonly running: number
  readonly waiting: number
}

export type ColumnBatch = RowVectors

/** The SQL of a file around the SELECT of its rows. */
export interface CopyForm {
  /** Columns of the rows besides those of the plan. */
  readonly joinedBy: readonly string[]
  readonly select: (rows: string) => string
  /** Options of COPY. */
  readonly options: string
}

/** Reads by file and row number, for engines that read data files directly. */
export interface RowNumberReads {
  rows(plan: RangeRowsPlan, at: Snapshot, signal?: AbortSignal): Promise<readonly Row[]>
  /** Streams the rows as columns, like `Engine.rowBatches`. */
  columns(plan: RangeRowsPlan, at: Snapshot, signal?: AbortSignal): AsyncIterable<ColumnBatch>
  count(plan: RangeCountPlan, at: Snapshot, signal?: AbortSignal): Promise<number>
  /**
   * The rows in order as the bytes of a file, which the engine first writes to its temporary folder. Errors:
   * `lake_unwritable`.
   */
  copy(plan: RangeRowsPlan, form: CopyForm, at: Snapshot, signal?: AbortSignal): Promise<Uint8Array>
}

export const MOST_BATCH_ROWS = 2048

/** The port of SQL engines, in terms of plans. An aborted signal rejects with its reason. */
export interface Engine {
  /** Rows with the columns of the plan, in the order of the resource. */
  rows(plan: RowsPlan, at: Snapshot, signal?: AbortSignal): Promise<readonly Row[]>
  /**
   * Streams a list, at most `MOST_BATCH_ROWS` rows per batch, on demand. An early return stops the read; otherwise
   * it ends with the last row or an error.
   */
  rowBatches(plan: ListPlan, at: Snapshot, signal?: AbortSignal): AsyncIterable<readonly Row[]>
  count(plan: CountPlan, at: Snapshot, signal?: AbortSignal): Promise<number>
  /** Exact sums, wider than 64 bits if needed; 0 over nothing. Without `groupBy` one group. */
  sums(plan: SumsPlan, at: Snapshot, signal?: AbortSignal): Promise<readonly SumGroup[]>
  /** Cheaper reads if the log locates the rows. */
  readonly byRowNumber?: RowNumberReads | undefined
  /** Work so far for a signal; undefined if unknown. */
  workFor?(signal: AbortSignal): Work | undefined
  load?: (() => EngineLoad) | undefined
  /** Checks that the engine answers. Rejects if it cannot run statements any more. */
  ping?: (() => Promise<void>) | undefined
  /** True while it reopens after a failure and rejects with `not_ready`. */
  isOpening?: (() => boolean) | undefined
  /** Forgets all data files except the live ones. */
  retain?: ((live: ReadonlySet<string>) => void) | undefined
  close(): Promise<void>
}
