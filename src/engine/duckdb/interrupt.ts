import type { DuckDBConnection } from '@duckdb/node-api'
import { type Repetition, repeatEvery } from '../../base/background.ts'

const INTERRUPT_EVERY_MS = 25

/** An interrupt before the statement leaves the queue is lost, so repeat it. */
export function interruptOnAbort(connection: DuckDBConnection, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return () => {}
  let interrupting: Repetition | undefined
  const onAbort = () => {
    connection.interrupt()
    interrupting = repeatEvery(INTERRUPT_EVERY_MS, 'interrupting a statement', () => connection.interrupt())
  }
  signal.addEventListener('abort', onAbort, { once: true })
  return () => {
    interrupting?.stop()
    signal.removeEventListener('abort', onAbort)
  }
}
