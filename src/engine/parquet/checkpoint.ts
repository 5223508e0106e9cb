import { filePattern } from '../duckdb/duckdb-dialect.ts'
import type { Session } from '../duckdb/session.ts'
import { name, sql } from '../duckdb/sql.ts'

const texts = 'MAP(VARCHAR, VARCHAR)'

/** The columns of a checkpoint, one row an action. Source: the Delta protocol, "Checkpoint Schema". */
const columns = {
  txn: 'STRUCT(appId VARCHAR, version BIGINT, lastUpdated BIGINT)',
  add:
    `STRUCT(path VARCHAR, partitionValues ${texts}, size BIGINT, modificationTime BIGINT, ` +
    `dataChange BOOLEAN, stats VARCHAR, tags ${texts})`,
  remove:
    'STRUCT(path VARCHAR, deletionTimestamp BIGINT, dataChange BOOLEAN, extendedFileMetadata BOOLEAN, ' +
    `partitionValues ${texts}, size BIGINT)`,
  metaData:
    `STRUCT(id VARCHAR, name VARCHAR, description VARCHAR, format STRUCT(provider VARCHAR, options ${texts}), ` +
    `schemaString VARCHAR, partitionColumns VARCHAR[], configuration ${texts}, createdTime BIGINT)`,
  protocol: 'STRUCT(minReaderVersion INTEGER, minWriterVersion INTEGER, writerFeatures VARCHAR[])',
}

export async function writeCheckpoint(session: Session, actions: string, path: string): Promise<void> {
  const types = Object.entries(columns).map(([action, type]) => sql`${name(action)}: ${type}`)
  const rows = sql`read_json(${filePattern(actions)}, format = 'newline_delimited', columns = {${types}})`
  await session.run(sql`COPY (FROM ${rows}) TO ${path} (FORMAT parquet, COMPRESSION zstd)`)
}
