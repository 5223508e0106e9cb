import { type DuckDBAppender, DuckDBDataChunk, type DuckDBValue, INTEGER } from '@duckdb/node-api'
import type { Value } from '../../catalog/column.ts'
import type { ValueRange } from '../../catalog/partition.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { RowBatch } from '../../write/ports/row-batch.ts'
import { columnTypeOf, isInRange, orderOf, typeName } from '../duckdb/catalog-sql.ts'
import type { Session } from '../duckdb/session.ts'
import { joined, name, type Sql, sql } from '../duckdb/sql.ts'
import { kindOfColumn } from '../sql/compile-where.ts'
import { stagedKinds } from './staged-kinds.ts'

const SOURCE = name('_source')

/** Staging table of a variant, filled by data chunks. */
export class ChunkWriter {
  readonly table: string
  readonly variant: string | null
  readonly #columns: readonly string[]
  readonly #resource: Resource
  readonly #session: Session
  readonly #appender: DuckDBAppender
  /** Reused by all batches: native memory left to the collector accumulates. */
  readonly #chunk: DuckDBDataChunk
  readonly #converts: readonly (((value: never) => DuckDBValue) | undefined)[]

  private constructor(
    resource: Resource,
    batch: RowBatch,
    table: string,
    session: Session,
    appender: DuckDBAppender,
  ) {
    this.table = table
    this.#session = session
    this.#resource = resource
    this.variant = batch.variant
    this.#columns = batch.columns
    this.#appender = appender
    const kinds = batch.columns.map((column) => stagedKinds[kindOfColumn(resource, column)])
    this.#chunk = DuckDBDataChunk.create([INTEGER, ...kinds.map((kind) => kind.type)])
    this.#converts = kinds.map((kind) => kind.toStaged)
  }

  static async open(
    session: Session,
    resource: Resource,
    batch: RowBatch,
    table: string,
  ): Promise<ChunkWriter> {
    const columns = batch.columns.map(
      (column) => sql`${name(column)} ${typeName(stagedKinds[kindOfColumn(resource, column)].type)}`,
    )
    await session.run(sql`CREATE TABLE ${name(table)} (${[sql`${SOURCE} INTEGER`, ...columns]})`)
    return new ChunkWriter(resource, batch, table, session, await session.appender(table))
  }

  append(batch: RowBatch): void {
    const chunk = this.#chunk
    chunk.reset()
    chunk.rowCount = batch.size
    const sources = chunk.getColumnVector(0) as unknown as { items: Int32Array; flush(): void }
    sources.items.fill(batch.source, 0, batch.size)
    sources.flush()
    for (const [index, values] of batch.data.entries()) {
      fillVector(chunk, index + 1, values, batch.size, this.#converts[index])
    }
    this.#appender.appendDataChunk(chunk)
  }

  /** Waits for the next stage, which may be creating its tables on the connection. */
  async flush(): Promise<void> {
    await this.#session.whenIdle(() => this.#appender.flushSync())
  }

  close(): void {
    this.#appender.closeSync()
  }

  /** FROM items of the staged rows of sources in some ranges. */
  #staged(sources: Sql, ranges: readonly (ValueRange | null)[]): Sql {
    return sql`${name(this.table)} JOIN ${sources} ON ${SOURCE} = source WHERE ${joined(ranges.map(isInRange), ' AND ')}`
  }

  /** SELECT of the times of the staged rows. */
  times(column: string, sources: Sql, range: ValueRange | null): Sql {
    return sql`SELECT DISTINCT ${name(column)} FROM ${this.#staged(sources, [range])}`
  }

  /**
   * SELECT of stored columns of the staged rows in all ranges, in order. Narrow rows are sorted, which saves
   * memory, then widened.
   */
  sorted(sources: Sql, ...ranges: readonly (ValueRange | null)[]): Sql {
    const order = this.#resource.order.filter(
      ({ column }) => column === 'source_file' || this.#columns.includes(column),
    )
    const columns = Object.entries(this.#resource.columns).map(([column, { kind }]) => {
      const columnName = name(column)
      if (column === 'source_file') return columnName
      if (this.#columns.includes(column)) return sql`${stagedKinds[kind].stored(columnName)} AS ${columnName}`
      const isVariant = column === this.#resource.variants?.on && this.variant !== null
      return sql`${isVariant ? sql`${this.variant}` : sql`NULL`}::${columnTypeOf(kind)} AS ${columnName}`
    })
    return sql`SELECT ${columns} FROM (SELECT source_file, ${this.#columns.map(name)}
      FROM ${this.#staged(sources, ranges)} ORDER BY ${orderOf({ ...this.#resource, order })})`
  }
}

/** The writable part of a vector; fixed-width vectors expose a typed array. */
interface WritableVector {
  readonly items?: { [index: number]: Value }
  setItem(index: number, value: Value | DuckDBValue): void
  flush(): void
}

function fillVector(
  chunk: DuckDBDataChunk,
  column: number,
  values: readonly Value[],
  size: number,
  convert: ((value: never) => DuckDBValue) | undefined,
): void {
  const vector = chunk.getColumnVector(column) as unknown as WritableVector
  const { items } = vector
  for (let index = 0; index < size; index += 1) {
    const value = values[index] ?? null
    if (value === null) vector.setItem(index, null)
    else if (items !== undefined) items[index] = value
    else vector.setItem(index, convert === undefined ? value : convert(value as never))
  }
  vector.flush()
}
