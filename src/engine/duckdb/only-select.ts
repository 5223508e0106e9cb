import {
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  StatementType,
} from '@duckdb/node-api'
import type { boundValues } from './duckdb-values.ts'

/**
 * Second line of defense behind bound values: DuckDB classifies the statement before it runs, and only a single
 * SELECT passes, which writes and attaches nothing.
 */

/** Errors: those of DuckDB, several statements among them; Error for a statement of another kind. */
export async function prepareSelect(
  connection: DuckDBConnection,
  text: string,
): Promise<DuckDBPreparedStatement> {
  const prepared = await connection.prepare(text)
  const { statementType } = prepared
  if (statementType === StatementType.SELECT) return prepared
  prepared.destroySync()
  throw new Error(`A statement of the kind ${StatementType[statementType]} does not run here; SELECT does.`)
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
