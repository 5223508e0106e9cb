import { type ValueRange, valuesOfPartition } from '../../catalog/partition.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { RowBatch } from '../../write/ports/row-batch.ts'
import type { RowStage } from '../../write/ports/stage.ts'
import type { Session } from '../duckdb/session.ts'
import { name, type Sql, sql } from '../duckdb/sql.ts'
import { writeParquetFile } from '../duckdb/write-parquet.ts'
import { ChunkWriter } from './chunk-writer.ts'

/** Temporary table of sources: number in the stage, and name. */
const SOURCES = name('sources')

/** Number of stages so far, for distinct table names. */
let staged = 0

/**
 * A narrow staging table per variant; writing combines them into a wide file. A second connection appends, so one
 * stage fills while another is written.
 */
export class DuckdbStage implements RowStage {
  readonly #session: Session
  readonly #resource: Resource
  readonly #writers = new Map<string | null, ChunkWriter>()
  rows = 0

  private constructor(session: Session, resource: Resource) {
    this.#session = session
    this.#resource = resource
  }

  static async open(session: Session, resource: Resource, shapes: readonly RowBatch[]): Promise<DuckdbStage> {
    const stage = new DuckdbStage(session, resource)
    const filling = await session.second()
    staged += 1
    for (const shape of shapes) {
      const table = `${resource.name}/${shape.variant ?? ''} ${staged}`
      stage.#writers.set(shape.variant, await ChunkWriter.open(filling, resource, shape, table))
    }
    return stage
  }

  append(batch: RowBatch): void {
    const writer = this.#writers.get(batch.variant)
    if (writer === undefined) throw new Error(`${this.#resource.name} has no stage for ${batch.variant}`)
    writer.append(batch)
    this.rows += batch.size
  }

  /** Sorts each narrow table and widens its rows, in the order of the resource. */
  async write(path: string, sources: ReadonlyMap<number, string>, partition: string | null): Promise<void> {
    await this.#nameSources(sources)
    for (const writer of this.#writers.values()) await writer.flush()
    const pieces = await this.#pieces(valuesOfPartition(this.#resource, partition))
    await writeParquetFile(this.#session, this.#resource, pieces, path)
  }

  /** If time and variant lead the order, tables alternate: a piece per time and variant. */
  async #pieces(range: ValueRange | null): Promise<readonly Sql[]> {
    const column = this.#resource.statistics?.period
    const writers = [...this.#writers.values()]
    if (column === undefined) return writers.map((writer) => writer.sorted(SOURCES, range))
    const pieces: { at: bigint; variant: string; select: Sql }[] = []
    for (const writer of writers) {
      for (const [at] of await this.#session.tuples<[bigint]>(writer.times(column, SOURCES, range))) {
        const select = writer.sorted(SOURCES, range, { column, first: at, end: at + 1n })
        pieces.push({ at, variant: writer.variant ?? '', select })
      }
    }
    return pieces.sort(comparePieces).map((piece) => piece.select)
  }

  async #nameSources(sources: ReadonlyMap<number, string>): Promise<void> {
    const rows = [...sources].map(([index, source]) => sql`(${index}, ${source})`)
    await this.#session.run(
      sql`CREATE OR REPLACE TEMP TABLE ${SOURCES} (source INTEGER PRIMARY KEY, source_file VARCHAR)`,
    )
    if (rows.length > 0) await this.#session.run(sql`INSERT INTO ${SOURCES} VALUES ${rows}`)
  }

  async drop(): Promise<void> {
    for (const writer of this.#writers.values()) {
      writer.close()
      await this.#session.run(sql`DROP TABLE ${name(writer.table)}`)
    }
    this.#writers.clear()
  }
}

type Piece = { readonly at: bigint; readonly variant: string }

function comparePieces(a: Piece, b: Piece): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1
  return Buffer.compare(Buffer.from(a.variant), Buffer.from(b.variant))
}
