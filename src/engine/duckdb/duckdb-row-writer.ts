import { mkdir } from 'node:fs/promises'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { Resource } from '../../catalog/resource.ts'
import { readInstant } from '../../derive/instant.ts'
import type { RowBatch } from '../../lake/row-batch.ts'
import type { RowStage, RowWriter } from '../../lake/row-writer.ts'
import { ChunkWriter, SOURCE_COLUMN } from './chunk-writer.ts'
import { columnTypes, identifier, literal } from './duckdb-dialect.ts'
import { reread } from './reread.ts'

export interface RowWriterOptions {
  readonly spillFolder: string
  readonly memoryMb: number
  readonly threads: number
}

/** Row groups below some 60,000 rows cost more in pruning than they save in decoding. */
const ROW_GROUP_ROWS = 122_880

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
  return {
    openStage: (resource, shapes) => DuckdbStage.open(connection, resource, shapes),
    reread: (resource, path) => reread(connection, resource, path),
    async close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** One narrow staging table per variant; they become one wide file when it is written. */
class DuckdbStage implements RowStage {
  readonly #connection: DuckDBConnection
  readonly #resource: Resource
  readonly #writers = new Map<string | null, ChunkWriter>()

  private constructor(connection: DuckDBConnection, resource: Resource) {
    this.#connection = connection
    this.#resource = resource
  }

  static async open(
    connection: DuckDBConnection,
    resource: Resource,
    shapes: readonly RowBatch[],
  ): Promise<DuckdbStage> {
    const stage = new DuckdbStage(connection, resource)
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
  }

  async write(path: string, sources: ReadonlyMap<number, string>, month: string | null): Promise<void> {
    const writers = [...this.#writers.values()]
    for (const writer of writers) writer.flush()
    const names = [...sources].map(([index, name]) => `(${index}, ${literal(name)})`)
    const rows = writers.map((writer) => writer.select())
    const columns = Object.keys(this.#resource.columns).map((name) => identifier(name))
    const order = this.#resource.order.map(
      ({ column, descending }) => `${identifier(column)} ${descending ? 'DESC' : 'ASC'} NULLS FIRST`,
    )
    const from =
      names.length === 0 || rows.length === 0
        ? emptyRows(this.#resource)
        : `(${rows.join(' UNION ALL ')}) staged JOIN (VALUES ${names.join(', ')}) sources(source, source_file) ` +
          `ON staged.${SOURCE_COLUMN} = sources.source`
    await this.#connection.run(
      `COPY (SELECT ${columns.join(', ')} FROM ${from} ${inMonth(this.#resource, month)} ` +
        `ORDER BY ${order.join(', ')}) TO ${literal(path)} ` +
        `(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS})`,
    )
  }

  async drop(): Promise<void> {
    for (const writer of this.#writers.values()) {
      writer.close()
      await this.#connection.run(`DROP TABLE ${identifier(writer.table)}`)
    }
    this.#writers.clear()
  }
}

function inMonth(resource: Resource, month: string | null): string {
  if (month === null || resource.partition === null) return ''
  const column = identifier(resource.partition.of)
  const [year = 0, number = 0] = month.split('-').map(Number)
  const next = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
  const instant = (text: string) => `make_timestamptz(${readInstant(`${text}-01`) ?? 0n})`
  return `WHERE ${column} >= ${instant(month)} AND ${column} < ${instant(next)}`
}

/** A source may have no rows at all, yet it is in: its file has columns and nothing else. */
function emptyRows(resource: Resource): string {
  const columns = Object.entries(resource.columns).map(
    ([name, column]) => `NULL::${columnTypes[column.kind]} AS ${identifier(name)}`,
  )
  return `(SELECT ${columns.join(', ')} WHERE false)`
}
