import type { Resource } from '../../catalog/resource.ts'
import type { FileToRead } from '../facts/data-file.ts'

/** Writes tables in which a row takes the place of the row of its key. */
export interface StateTableWriter {
  /** Writes what a state table holds after an upsert as one file in its order, in bounded memory; gives its rows. */
  upsert(resource: Resource, upsert: Upsert): Promise<number>
  /** Reads a file of a state table back, beside the rows that arrived in it; later `sources` win. */
  readStateFacts(
    resource: Resource,
    path: string,
    arriving: string,
    sources: readonly string[],
  ): Promise<StateFacts>
}

/** Rows that arrive in a state table: each takes the place of the row of its key. */
export interface Upsert {
  /** Live files of the table, sorted and following one another. */
  readonly files: readonly FileToRead[]
  /** Names of the sources whose rows go. */
  readonly without: readonly string[]
  /** File of the arriving rows, sorted. */
  readonly arriving: string
  /** Names of their sources; of rows with one key that of the last source wins, and of one source the last. */
  readonly sources: readonly string[]
  readonly to: string
}

/** What a file of a state table says of its keys when it is read back. */
export interface StateFacts {
  /** Different keys. */
  readonly keys: number
  /** Arriving keys whose last row is not in it. */
  readonly missing: number
  /** Rows that do not come after the row before them. */
  readonly misplaced: number
}
