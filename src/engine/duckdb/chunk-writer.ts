import {
  BIGINT,
  BLOB,
  BOOLEAN,
  DECIMAL,
  type DuckDBAppender,
  DuckDBBlobValue,
  DuckDBDataChunk,
  DuckDBDecimalValue,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  UBIGINT,
  VARCHAR,
} from '@duckdb/node-api'
import type { Kind, Value } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import { scaledDecimal } from '../../derive/decimal.ts'
import type { ValueRange } from '../../derive/partition.ts'
import type { RowBatch } from '../../lake/row-batch.ts'
import { columnTypes, identifier, inRange, literal } from './duckdb-dialect.ts'
import type { Session } from './session.ts'

/** How a kind is staged, and how the staged value becomes the stored one. */
interface StagedKind {
  readonly type: DuckDBType
  readonly stored: (column: string) => string
  readonly toStaged?: (value: never) => DuckDBValue
}

const asIs = (column: string) => column

/** Staging uses the types that vectors are filled with fastest; the cast happens once, when a file is written. */
const stagedKinds: Readonly<Record<Kind, StagedKind>> = {
  text: { type: VARCHAR, stored: asIs },
  choice: { type: VARCHAR, stored: asIs },
  amount: { type: UBIGINT, stored: (column) => `${column}::${columnTypes.amount}` },
  long: { type: BIGINT, stored: asIs },
  whole: { type: BIGINT, stored: asIs },
  integer: { type: INTEGER, stored: asIs },
  // The engine's own cast from text is many times slower.
  decimal: {
    type: DECIMAL(38, 18),
    stored: asIs,
    toStaged: (value: string) => new DuckDBDecimalValue(scaledDecimal(value), 38, 18),
  },
  instant: { type: BIGINT, stored: (column) => `make_timestamptz(${column})` },
  seconds: { type: BIGINT, stored: asIs },
  cell: { type: BIGINT, stored: asIs },
  uuid: { type: VARCHAR, stored: asIs },
  boolean: { type: BOOLEAN, stored: asIs, toStaged: (value: boolean) => value },
  bytes: { type: BLOB, stored: asIs, toStaged: (value: Uint8Array) => new DuckDBBlobValue(value) },
  texts: {
    type: VARCHAR,
    stored: (column) => `from_json(${column}, '["VARCHAR"]')`,
    toStaged: (value: readonly string[]) => JSON.stringify(value),
  },
  json: { type: VARCHAR, stored: asIs },
  object: { type: VARCHAR, stored: asIs },
}

const SOURCE_COLUMN = '_source'

/** A staging table of one variant, filled a data chunk at a time. */
export class ChunkWriter {
  readonly table: string
  readonly variant: string | null
  readonly #columns: readonly string[]
  readonly #resource: Resource
  readonly #appender: DuckDBAppender
  /** One chunk for all batches: native memory that is left to the collector piles up. */
  readonly #chunk: DuckDBDataChunk
  readonly #converts: readonly (((value: never) => DuckDBValue) | undefined)[]

  private constructor(resource: Resource, batch: RowBatch, table: string, appender: DuckDBAppender) {
    this.table = table
    this.#resource = resource
    this.variant = batch.variant
    this.#columns = batch.columns
    this.#appender = appender
    const kinds = batch.columns.map((column) => stagedKinds[kindOf(resource, column)])
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
      (column) => `${identifier(column)} ${stagedKinds[kindOf(resource, column)].type}`,
    )
    await session.run(
      `CREATE TABLE ${identifier(table)} (${[`${SOURCE_COLUMN} INTEGER`, ...columns].join(', ')})`,
    )
    return new ChunkWriter(resource, batch, table, await session.appender(table))
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

  flush(): void {
    this.#appender.flushSync()
  }

  close(): void {
    this.#appender.closeSync()
  }

  /**
   * SELECT of the staged rows of the given sources, narrow, in the order of the resource.
   * `range` keeps the rows of one partition; null keeps all.
   */
  sorted(sources: string, range: ValueRange | null): string {
    const order = this.#resource.order
      .filter(({ column }) => column === 'source_file' || this.#columns.includes(column))
      .map(({ column, descending }) => `${identifier(column)} ${descending ? 'DESC' : 'ASC'} NULLS FIRST`)
    return (
      `SELECT source_file, ${this.#columns.map(identifier).join(', ')} ` +
      `FROM ${identifier(this.table)} JOIN ${identifier(sources)} ON ${SOURCE_COLUMN} = source ` +
      `${range === null ? '' : `WHERE ${inRange(range)} `}ORDER BY ${order.join(', ')}`
    )
  }

  /** SELECT of every column as it is stored, from a table of such rows. */
  wide(sortedTable: string, range: ValueRange | null): string {
    const where = range === null ? '' : ` WHERE ${inRange(range)}`
    return `SELECT ${this.#wideColumns().join(', ')} FROM ${identifier(sortedTable)}${where}`
  }

  #wideColumns(): readonly string[] {
    return Object.entries(this.#resource.columns).map(([name, { kind }]) => {
      const quoted = identifier(name)
      if (name === 'source_file') return quoted
      if (this.#columns.includes(name)) return `${stagedKinds[kind].stored(quoted)} AS ${quoted}`
      const isVariant = name === this.#resource.variants?.on && this.variant !== null
      return `${isVariant ? literal(this.variant) : 'NULL'}::${columnTypes[kind]} AS ${quoted}`
    })
  }
}

/** The part of every vector that is written to; fixed-width ones expose their values as a typed array. */
interface WritableVector {
  readonly items?: BigInt64Array | BigUint64Array | Int32Array
  setItem(index: number, value: DuckDBValue): void
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
  const items = vector.items as { [index: number]: bigint | number } | undefined
  for (let index = 0; index < size; index += 1) {
    const value = values[index] ?? null
    if (value === null) vector.setItem(index, null)
    else if (items !== undefined) items[index] = value as bigint
    else vector.setItem(index, convert === undefined ? (value as string) : convert(value as never))
  }
  vector.flush()
}

function kindOf(resource: Resource, column: string): Kind {
  const kind = resource.columns[column]?.kind
  if (kind === undefined) throw new Error(`${resource.name} has no column ${column}`)
  return kind
}
