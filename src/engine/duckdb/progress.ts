import type { DuckDBConnection } from '@duckdb/node-api'

const TELL_EVERY_MS = 200

/** Makes a connection know how far a statement has come, without printing it. */
export async function reportProgress(connection: DuckDBConnection): Promise<void> {
  await connection.run('SET enable_progress_bar = true')
  await connection.run('SET enable_progress_bar_print = false')
  await connection.run('SET progress_bar_time = 0')
}

/** Tells, while a statement runs, which part of its input it has read, 0 to 1. */
export async function whileTelling<T>(
  connection: DuckDBConnection,
  onRead: ((part: number) => void) | undefined,
  run: () => Promise<T>,
): Promise<T> {
  const tell = () => onRead?.(Math.min(Math.max(connection.progress.percentage, 0), 100) / 100)
  const timer = setInterval(tell, TELL_EVERY_MS)
  try {
    return await run()
  } finally {
    clearInterval(timer)
  }
}
