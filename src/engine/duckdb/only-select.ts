import {
  type DuckDBConnection,
  type DuckDBMaterializedResult,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  StatementType,
} from '@duckdb/node-api'
import type { boundValues } from './duckdb-values.ts'

/**
 * Second line of defense behind bound values: DuckDB classifies the statement before it runs, and only a single
 * SELECT passes, which writes and attaches nothing; or a COPY, if one is expected.
 */

/** Errors: those of DuckDB, several statements among them; Error for a statement of another kind. */
export async function prepareSelect(
  connection: DuckDBConnection,
  text: string,
  expected: StatementType = StatementType.SELECT,
): Promise<DuckDBPreparedStatement> {
  const prepared = await connection.prepare(text)
  const { statementType } = prepared
  if (statementType === expected) return prepared
  prepared.destroySync()
  throw new Error(
    `A statement of the kind ${StatementType[statementType]} does not run here; ${StatementType[expected]} does.`,
  )
}

/** Streams a SELECT on a separate connection. Errors: the same. */
export async function streamSelect(
  connection: DuckDBConnection,
  text: string,
  { values, types }: ReturnType<typeof boundValues>,
): Promise<DuckDBResult> {
  const prepared = await prepareSelect(connection, text)
  prepared.bind(values, types)
  return await prepared.stream()
}

/** Runs a COPY, whose text has the name of its file and is not used again. Errors: the same. */
export async function runCopy(
  connection: DuckDBConnection,
  text: string,
  { values, types }: ReturnType<typeof boundValues>,
): Promise<DuckDBMaterializedResult> {
  const prepared = await prepareSelect(connection, text, StatementType.COPY)
  try {
    prepared.bind(values, types)
    return await prepared.run()
  } finally {
    prepared.destroySync()
  }
}
