import type { ConnectionBalance } from '../../base/processes/balance-connections.ts'
import type { GatherMetrics } from '../../doors/monitoring/whole-metrics.ts'
import type { PostgresOptions } from '../../doors/postgres/serve-postgres.ts'
import type { Verdict } from '../../lake/integrity/verdict.ts'

/** Functions and values that a serving process gets from its parent, or from the command `serve`. */
export interface ServerHooks {
  readonly isWorker?: boolean
  readonly report: (error: unknown) => void
  /** Logs a sentence every time; `report` skips repeated errors. */
  readonly say: (sentence: string) => void
  /** Builds missing indexes. */
  readonly build: () => Promise<void>
  /** Stops a running build; undefined if another process builds. */
  readonly closeBuilder?: () => Promise<void>
  readonly gatherMetrics?: GatherMetrics
  /** Called after the last request. */
  readonly atEnd?: () => Promise<void>
  /** Called after each checksum of a file. */
  readonly onVerdict: (verdict: Verdict) => void
  /** Returns true if this process scrubs idle files; default: it does. */
  readonly mayScrub?: () => Promise<boolean>
  /** Folder of the log of counts, if the folder of the key file is not writable. */
  readonly countsFolder?: string | undefined
  /** Balances connections if several processes accept on one port. */
  readonly connections?: ConnectionBalance | undefined
  /** Passes requests to cancel a statement between workers. */
  readonly cancels?: {
    readonly send: NonNullable<PostgresOptions['cancelElsewhere']>
    readonly follow: NonNullable<PostgresOptions['onListen']>
  }
  /** Threads of a statement: those of all workers, since statements give way to requests. Default: those of this process. */
  readonly sqlThreads?: number
  /** Secret that signs addresses of shared files, in hex, if other processes use it too. */
  readonly shareSecret?: string | undefined
}

/** A listening process. */
export interface RunningServer {
  /** Lines to print. */
  readonly lines: readonly string[]
  /** Finishes requests in flight and ends the process. */
  stop(): void
  /** Takes over the verdict of another process on a file. */
  learn(verdict: Verdict): void
  /** Stops accepting connections, and ends the process when all are closed. */
  retire(): Promise<void>
}
