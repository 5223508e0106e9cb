import {
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  StatementType,
} from '@duckdb/node-api'
import type { boundValues } from './duckdb-values.ts'

/**
 * The second wall of a server, behind values that are bound: whatever a text were to become, DuckDB itself says what it is before it runs,
 * and only one SELECT does. It writes nothing, and attaches nothing.
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

/** The rows of one SELECT as they are asked for, over a connection of its own. Errors: the same. */
export async function streamSelect(
  connection: DuckDBConnection,
  text: string,
  { values, types }: ReturnType<typeof boundValues>,
): Promise<DuckDBResult> {
  const prepared = await prepareSelect(connection, text)
  prepared.bind(values, types)
  return await prepared.stream()
}
