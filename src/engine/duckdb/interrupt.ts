import type { DuckDBConnection } from '@duckdb/node-api'

const INTERRUPT_EVERY_MS = 25

/** An interrupt before the statement has left the queue is lost, so it is repeated until the end. */
export function interruptOnAbort(connection: DuckDBConnection, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return () => {}
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    connection.interrupt()
    timer = setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  return () => {
    clearInterval(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
