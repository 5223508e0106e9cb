import type { Value } from '../catalog/column.ts'
import type { Resource, Row } from '../catalog/resource.ts'
import type { RowRange } from '../query/plan.ts'
import type { Chunk, ChunkedFile } from './chunk.ts'
import type { CsvStage } from './csv-stage.ts'
import type { FileToRead, StoredFile } from './data-file.ts'
import type { RowBatch } from './row-batch.ts'
import type { Group } from './source.ts'

/** Reads one stretch of one file of a resource: every column, in the order of the file. */
export type ReadStretch = (
  resource: Resource,
  file: StoredFile,
  stretch: Pick<RowRange, 'first' | 'end'>,
) => Promise<readonly Row[]>

/** The port of whoever can write rows as Parquet. */
export interface RowWriter {
  /** A stage holds rows of one resource that nobody can read yet; `shapes` has one batch per variant. */
  openStage(resource: Resource, shapes: readonly RowBatch[]): Promise<RowStage>
  /** A stage that reads CSV of the resource's arrival itself. */
  openCsvStage(resource: Resource): CsvStage
  /** Copies a file of a resource without the rows of the named sources; order and columns stay. */
  copyWithout(resource: Resource, from: StoredFile, sourceNames: readonly string[], to: string): Promise<void>
  /**
   * Writes the rows of two files of a resource as one, in its order, in bounded memory.
   * Errors: `lake_damaged` when both have the same row.
   */
  merge(resource: Resource, file: FileToRead, arriving: string, to: string): Promise<void>
  /** Writes the rows of ranges of the files given one after the other as one file. */
  copyRanges(
    resource: Resource,
    files: readonly FileToRead[],
    ranges: readonly RowRange[],
    to: string,
  ): Promise<void>
  /** Writes the rows of any number of sorted files of a resource as one, in its order, in bounded memory. */
  mergeMany(resource: Resource, files: readonly FileToRead[], to: string): Promise<void>
  /** What the rows of a file are together. Errors: `lake_damaged`. */
  readContent(resource: Resource, file: FileToRead): Promise<ContentFacts>
  /** Row groups of a file. Errors: `lake_damaged`. */
  countRowGroups(path: string): Promise<number>
  /**
   * Writes the rows of files that have a value in `column` once more, in the order of `resource`, as files of a folder
   * that follow each other; `isDistinct` leaves out rows that were written already.
   */
  sortInto(
    resource: Resource,
    column: string,
    files: readonly FileToRead[],
    folder: string,
    isDistinct: boolean,
  ): Promise<readonly ChunkedFile[]>
  /** Writes what a state table holds after an upsert as one file in its order, in bounded memory; gives its rows. */
  upsert(resource: Resource, upsert: Upsert): Promise<number>
  /** Reads a file of a state table back, beside the rows that arrived in it; later `sources` win. */
  readStateFacts(
    resource: Resource,
    path: string,
    arriving: string,
    sources: readonly string[],
  ): Promise<StateFacts>
  /**
   * Cuts a file that has more chunks than are read fast into files that follow each other, each at a new path; gives
   * their paths, or that of the file as it is.
   */
  cut(resource: Resource, path: string, newPath: () => Promise<string>): Promise<readonly string[]>
  /** Reads the rows of some groups by the values of a column; what goes wrong while it reads is thrown. */
  readKeyed(resource: Resource, read: KeyedRead): Promise<RowsByKey>
  readonly readStretch: ReadStretch
  /** Reads a written file back, column by column. */
  inspect(resource: Resource, path: string): Promise<FileFacts>
  /** Writes the actions of an NDJSON file as a Parquet checkpoint of the Delta protocol. */
  writeCheckpoint(actions: string, path: string): Promise<void>
  close(): Promise<void>
}

/** Rows that nobody can read yet. */
export interface Stage {
  /** Rows staged so far, those of artifacts that broke included. */
  readonly rows: number
  /**
   * Writes the staged rows of the given sources as one Parquet file in the order of the resource.
   * `partition` keeps the rows of one partition; null keeps all.
   */
  write(path: string, sources: ReadonlyMap<number, string>, partition: string | null): Promise<void>
  drop(): Promise<void>
}

/** Rows that are handed over in batches. */
export interface RowStage extends Stage {
  append(batch: RowBatch): void
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

/** Rows of the groups named that have a value in `key`. */
export interface KeyedRead {
  readonly key: string
  /** So many hexadecimal digits of the SHA-256 of a key stand for it. */
  readonly digits: number
  readonly columns: readonly string[]
  readonly files: readonly FileToRead[]
  readonly groups: readonly (Pick<Group, 'end_period' | 'reward_type'> & { readonly source: string })[]
}

export interface RowsByKey {
  /** For each group that was asked for, the columns in which all its rows have the same. */
  readonly common: readonly Row[]
  /** Everything of the rows besides. It is read once. */
  readonly batches: AsyncIterable<KeyedBatch>
}

/** Rows in the order of their keys' digests, then of groups, then of ordinals. */
export interface KeyedBatch {
  readonly keys: readonly string[]
  /** The group of each row, by its place among the groups that were asked for. */
  readonly groups: readonly number[]
  /** Columns in which the rows of some group differ. */
  readonly columns: Readonly<Record<string, readonly Value[]>>
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

/** What the rows of a file are together; it can be added up over files. */
export interface ContentFacts {
  readonly rows: number
  /** Sum of a hash of each row, every column of it; the same for the same rows in any order and any files. */
  readonly digest: bigint
  /** Rows that do not come after the row before them. */
  readonly misplaced: number
}

/** What a file says when it is read back. */
export interface FileFacts {
  readonly rows: number
  readonly sources: readonly SourceFacts[]
  readonly columns: Readonly<Record<string, ColumnFacts>>
  /** None for a resource without `access`. */
  readonly chunks: readonly Chunk[]
}

export interface SourceFacts {
  readonly source_file: string
  readonly rows: number
  /** One per (end_period, reward_type) when the resource is grouped; otherwise none. */
  readonly groups: readonly GroupFacts[]
}

/** A group, and the positions of its first and last row in the file. */
export interface GroupFacts extends Group {
  readonly first: number
  readonly last: number
}

export interface ColumnFacts {
  readonly nulls: number
  /** Null when the column has no values, or values without an order worth keeping. */
  readonly least: Value
  readonly most: Value
}
