import { type ErrorCode, ServiceError, sentenceOf } from '../../../base/errors.ts'
import type { FirstRowsLimits } from '../first-rows.ts'
import type { SnapshotFiles } from '../snapshot-files.ts'
import type { CheckedStatement } from '../sql-session.ts'

/** Opens a session in the process that runs statements. */
export interface OpenRequest {
  readonly lake: string
  /** The most MB of data files of a lake in a bucket that are kept here. */
  readonly copyMb: number
  readonly snapshot: SnapshotFiles
  readonly scratchFolder: string
  readonly memoryMb: number
  readonly threads: number
  readonly spillMb?: number | undefined
}

export interface FirstRowsRequest extends FirstRowsLimits {
  readonly statement: string
}

/** How rows are wanted: each value as text, or as lines of a format. */
export type RowsForm = 'texts' | 'csv' | 'ndjson'

export interface RowsRequest {
  readonly statement: CheckedStatement
  readonly form: RowsForm
}

interface Fault {
  readonly code: ErrorCode | undefined
  readonly sentence: string
  readonly isShown: boolean
}

/** Result of a request: its value, or its error. */
export type Outcome = { readonly value: unknown } | { readonly fault: Fault }

export async function outcomeOf(work: () => unknown): Promise<Outcome> {
  try {
    return { value: await work() }
  } catch (error) {
    const { code, isShown = false } = error instanceof ServiceError ? error : ({} as Partial<ServiceError>)
    return { fault: { code, sentence: sentenceOf(error), isShown } }
  }
}

/** The value. Errors: ServiceError, as it was thrown in the other process; Error for any other. */
export function unwrap(outcome: Outcome): unknown {
  if (!('fault' in outcome)) return outcome.value
  const { code, sentence, isShown } = outcome.fault
  throw code === undefined ? new Error(sentence) : new ServiceError(code, sentence, { isShown })
}
