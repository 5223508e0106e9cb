import type { DuckDBConnection } from '@duckdb/node-api'
import { type Repetition, repeatEvery } from '../../base/background.ts'

const INTERRUPT_EVERY_MS = 25

/** An interrupt before the statement leaves the queue is lost, so repeat it until the returned function is called. */
export function interruptOnAbort(
  connection: DuckDBConnection,
  ...signals: readonly (AbortSignal | undefined)[]
): () => void {
  let interrupting: Repetition | undefined
  const onAbort = () => {
    connection.interrupt()
    interrupting ??= repeatEvery(INTERRUPT_EVERY_MS, 'interrupting a statement', () => connection.interrupt())
  }
  for (const signal of signals) signal?.addEventListener('abort', onAbort, { once: true })
  return () => {
    interrupting?.stop()
    for (const signal of signals) signal?.removeEventListener('abort', onAbort)
  }
}
