/** What no caller may ever see: where code or data lies, how it is asked for, what it is made of. */
export const inside =
  /node_modules|\.ts\b|\.js\b|\bat \S+ \(|\/tmp\/|ledgerlake-test|_delta_log|\.parquet|SELECT|read_parquet|duckdb|zod/i
