import { version } from '@duckdb/node-api'

/** The version of DuckDB, such as v1.5.6. */
export const engineVersion: string = version()
