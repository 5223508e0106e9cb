import type { Value } from '../catalog/column.ts'
import type {
  CountPlan,
  ListPlan,
  PlacedPlan,
  PlacedRowsPlan,
  RowsPlan,
  SumsPlan,
} from '../catalog/query/plan.ts'
import type { Row } from '../catalog/resource.ts'
import type { RowVectors } from '../lake/ports/file-rows-reader.ts'
import type { Snapshot } from '../lake/snapshot/snapshot.ts'

/** One set of sums and the values that its rows have in common. */
export interface SumGroup {
  readonly group: Readonly<Record<string, Value>>
  readonly sums: Readonly<Record<string, bigint>>
}

/** What was read so that something could be answered. */
export interface Work {
  readonly statements: number
  readonly files: number
}

/** What an engine does now, and has done since it was opened. */
export interface EngineLoad extends Work {
  /** What it is, with its version, such as `duckdb v1.5.6`. */
  readonly name: string
  /** Rows that statements gave. */
  readonly rows: number
  /** Statements that run now, and those that wait for a connection. */
  readonly running: number
  readonly waiting: number
}

export type ColumnBatch = RowVectors

/** Reading by file and row number: what an engine can that reads the data files itself. */
export interface PlacedReads {
  /** Rows with the columns of the plan. */
  rows(plan: PlacedRowsPlan, at: Snapshot, signal?: AbortSignal): Promise<readonly Row[]>
  /** The same rows as columns: at most `MOST_BATCH_ROWS` at a time, each batch decoded when it is asked for. */
  columns(plan: PlacedRowsPlan, at: Snapshot, signal?: AbortSignal): Promise<Iterable<ColumnBatch>>
  count(plan: PlacedPlan, at: Snapshot, signal?: AbortSignal): Promise<number>
}

/** The most rows of one batch of a list. */
export const MOST_BATCH_ROWS = 2048

/** The port: what any SQL engine can, in plans of the domain. An aborted signal rejects with its reason. */
export interface Engine {
  /** Rows with the columns of the plan, in the order of the resource. */
  rows(plan: RowsPlan, at: Snapshot, signal?: AbortSignal): Promise<readonly Row[]>
  /**
   * A whole list, at most `MOST_BATCH_ROWS` rows at a time, each batch read when it is asked for. Whoever stops early ends
   * the reading; otherwise it ends with the last row or an error.
   */
  rowBatches(plan: ListPlan, at: Snapshot, signal?: AbortSignal): AsyncIterable<readonly Row[]>
  count(plan: CountPlan, at: Snapshot, signal?: AbortSignal): Promise<number>
  /** Exact sums, wider than 64 bits where need be; 0 over nothing. Without `groupBy` one group. */
  sums(plan: SumsPlan, at: Snapshot, signal?: AbortSignal): Promise<readonly SumGroup[]>
  /** Less work for the same answers, when the log knows where rows lie. */
  readonly placed?: PlacedReads | undefined
  /** What was read for the sake of a signal so far; undefined when it is not known. */
  workFor?(signal: AbortSignal): Work | undefined
  load?: (() => EngineLoad) | undefined
  /** Asks for nothing but an answer. Rejects where no statement can be answered any more. */
  ping?: (() => Promise<void>) | undefined
  /** Whether it opens itself anew after a fault; meanwhile it refuses what it is asked with `not_ready`. */
  isOpening?: (() => boolean) | undefined
  /** Forgets what it knows of data files but the live ones. */
  retain?: ((live: ReadonlySet<string>) => void) | undefined
  close(): Promise<void>
}
