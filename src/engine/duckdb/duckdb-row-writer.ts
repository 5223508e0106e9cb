import { mkdir } from 'node:fs/promises'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { Resource } from '../../catalog/resource.ts'
import { valuesOfPartition } from '../../derive/partition.ts'
import type { RowBatch } from '../../lake/row-batch.ts'
import type { RowStage, RowWriter } from '../../lake/row-writer.ts'
import { writeCheckpoint } from './checkpoint.ts'
import { ChunkWriter } from './chunk-writer.ts'
import { openDuckdbCsvStage } from './csv-stage.ts'
import { cutFile } from './cut-file.ts'
import { unlessDamage } from './damage.ts'
import { identifier, literal } from './duckdb-dialect.ts'
import { inspect } from './inspect.ts'
import { interruptOnAbort } from './interrupt.ts'
import { mergeFiles } from './merge-files.ts'
import { copyRanges, mergeMany } from './merge-many.ts'
import { reportProgress } from './progress.ts'
import { countRowGroups, readContent } from './read-content.ts'
import { readKeyed } from './read-keyed.ts'
import { readStretch } from './read-stretch.ts'
import { tellingRefusals } from './refusals.ts'
import { scanFiles } from './scan-files.ts'
import { sortInto } from './sort-into.ts'
import { readStateFacts, upsertFiles } from './upsert-files.ts'
import { groupRowsOf, noRows, writeParquet } from './write-parquet.ts'

export interface RowWriterOptions {
  readonly spillFolder: string
  readonly memoryMb: number
  readonly threads: number
  /** Ends the statement under way, if any. */
  readonly signal?: AbortSignal | undefined
}

/** Temporary table of the sources being written: their number in the stage and their name. */
const SOURCES_TABLE = 'sources'

/** Opens a row writer on a DuckDB of its own, which spills beside the files it writes. */
export async function openDuckdbRowWriter(options: RowWriterOptions): Promise<RowWriter> {
  await mkdir(options.spillFolder, { recursive: true })
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(options.threads),
    memory_limit: `${options.memoryMb}MB`,
    temp_directory: options.spillFolder,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  const connection = await instance.connect()
  await connection.run("SET TimeZone = 'UTC'")
  const stop = interruptOnAbort(connection, options.signal)
  await reportProgress(connection)
  return tellingRefusals<RowWriter>({
    openStage: async (resource, shapes) =>
      tellingRefusals(await DuckdbStage.open(connection, resource, shapes, options.threads)),
    openCsvStage: (resource) => tellingRefusals(openDuckdbCsvStage(connection, resource, options)),
    async copyWithout(resource, from, sourceNames, to) {
      const names = sourceNames.map(literal).join(', ')
      const columns = Object.keys(resource.columns).map(identifier).join(', ')
      const kept = `SELECT ${columns} FROM ${scanFiles(resource, [from])} WHERE source_file NOT IN (${names})`
      const groupRows = groupRowsOf(resource)
      await writeParquet(connection, [kept], to, options.threads, groupRows).catch((error) =>
        Promise.reject(unlessDamage(error, from.path)),
      )
    },
    merge: (resource, file, arriving, to) =>
      mergeFiles(connection, resource, file, arriving, to, options.threads),
    copyRanges: (resource, files, ranges, to) =>
      copyRanges(connection, resource, files, ranges, to, options.threads),
    mergeMany: (resource, files, to) => mergeMany(connection, resource, files, to, options.threads),
    readContent: (resource, file) => readContent(connection, resource, file),
    countRowGroups: (path) => countRowGroups(connection, path),
    cut: (resource, path, newPath) => cutFile(connection, resource, path, newPath, options.threads),
    sortInto: (resource, column, files, folder, isDistinct) =>
      sortInto(connection, resource, column, files, folder, isDistinct, options.threads),
    upsert: (resource, upsert) => upsertFiles(connection, resource, upsert, options.threads),
    readStateFacts: (resource, path, arriving, sources) =>
      readStateFacts(connection, resource, path, arriving, sources),
    readKeyed: (resource, read) => readKeyed(connection, resource, read),
    readStretch: (resource, file, stretch) => readStretch(connection, resource, file, stretch),
    inspect: (resource, path) => inspect(connection, resource, path),
    writeCheckpoint: (actions, path) => writeCheckpoint(connection, actions, path),
    async close() {
      stop()
      connection.closeSync()
      instance.closeSync()
    },
  })
}

/** One narrow staging table per variant; they become one wide file when it is written. */
class DuckdbStage implements RowStage {
  readonly #connection: DuckDBConnection
  readonly #resource: Resource
  readonly #threads: number
  readonly #writers = new Map<string | null, ChunkWriter>()
  rows = 0

  private constructor(connection: DuckDBConnection, resource: Resource, threads: number) {
    this.#threads = threads
    this.#connection = connection
    this.#resource = resource
  }

  static async open(
    connection: DuckDBConnection,
    resource: Resource,
    shapes: readonly RowBatch[],
    threads: number,
  ): Promise<DuckdbStage> {
    const stage = new DuckdbStage(connection, resource, threads)
    for (const shape of shapes) {
      const table = `${resource.name}/${shape.variant ?? ''}`
      stage.#writers.set(shape.variant, await ChunkWriter.open(connection, resource, shape, table))
    }
    return stage
  }

  append(batch: RowBatch): void {
    const writer = this.#writers.get(batch.variant)
    if (writer === undefined) throw new Error(`${this.#resource.name} has no stage for ${batch.variant}`)
    writer.append(batch)
    this.rows += batch.size
  }

  /**
   * The narrow tables are sorted one after the other, which takes little memory; what is written then
   * is their rows, made wide, in the order of the resource.
   */
  async write(path: string, sources: ReadonlyMap<number, string>, partition: string | null): Promise<void> {
    await this.#nameSources(sources)
    const range = valuesOfPartition(this.#resource, partition)
    const sorted = [...this.#writers.values()].map((writer) => ({ writer, table: `sorted ${writer.table}` }))
    for (const { writer, table } of sorted) {
      writer.flush()
      await this.#connection.run(
        `CREATE TABLE ${identifier(table)} AS ${writer.sorted(SOURCES_TABLE, range)}`,
      )
    }
    const pieces = await this.#pieces(sorted)
    const queries = pieces.length === 0 ? [noRows(this.#resource)] : pieces
    await writeParquet(this.#connection, queries, path, this.#threads, groupRowsOf(this.#resource))
    for (const { table } of sorted) await this.#connection.run(`DROP TABLE ${identifier(table)}`)
  }

  /** Where time and variant lead the order, the tables take turns: one piece for each time of each variant. */
  async #pieces(sorted: readonly SortedTable[]): Promise<readonly string[]> {
    const column = this.#resource.statistics?.[0]
    if (column === undefined) return sorted.map(({ writer, table }) => writer.wide(table, null))
    const pieces: { at: bigint; variant: string; select: string }[] = []
    for (const { writer, table } of sorted) {
      for (const at of await this.#timesOf(table, column)) {
        const select = writer.wide(table, { column, first: at, end: at + 1n })
        pieces.push({ at, variant: writer.variant ?? '', select })
      }
    }
    return pieces.sort(comparePieces).map((piece) => piece.select)
  }

  async #timesOf(table: string, column: string): Promise<readonly bigint[]> {
    const reader = await this.#connection.runAndReadAll(
      `SELECT DISTINCT ${identifier(column)} FROM ${identifier(table)}`,
    )
    return reader.getRowsJS().map(([at]) => at as bigint)
  }

  async #nameSources(sources: ReadonlyMap<number, string>): Promise<void> {
    const names = [...sources].map(([index, name]) => `(${index}, ${literal(name)})`)
    await this.#connection.run(
      `CREATE OR REPLACE TEMP TABLE ${identifier(SOURCES_TABLE)} (source INTEGER PRIMARY KEY, source_file VARCHAR)`,
    )
    if (names.length === 0) return
    await this.#connection.run(`INSERT INTO ${identifier(SOURCES_TABLE)} VALUES ${names.join(', ')}`)
  }

  async drop(): Promise<void> {
    for (const writer of this.#writers.values()) {
      writer.close()
      await this.#connection.run(`DROP TABLE ${identifier(writer.table)}`)
    }
    this.#writers.clear()
  }
}

interface SortedTable {
  readonly writer: ChunkWriter
  readonly table: string
}

type Piece = { readonly at: bigint; readonly variant: string }

function comparePieces(a: Piece, b: Piece): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1
  return Buffer.compare(Buffer.from(a.variant), Buffer.from(b.variant))
}
