import { type ErrorCode, ServiceError, sentenceOf } from '../../../base/errors.ts'
import type { FirstRows, FirstRowsLimits } from '../first-rows.ts'
import type { SnapshotFiles } from '../snapshot-files.ts'
import type { CheckedStatement, SqlOptions } from '../sql-session.ts'

export interface OpenRequest extends Omit<SqlOptions, 'at' | 'checkedFiles'> {
  /** Limit of cached data files of a bucket lake, in MB. */
  readonly copyMb: number
  readonly snapshot: SnapshotFiles
}

export interface FirstRowsRequest extends FirstRowsLimits {
  readonly statement: string
}

/** Format of rows: texts, or lines of CSV or NDJSON. */
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

/** Replies of the process by request. */
export interface Replies {
  readonly open: undefined
  readonly check: CheckedStatement
  readonly firstRows: FirstRows
  readonly parquet: string
  readonly rows: undefined
  readonly next: { readonly rows: unknown } | { readonly isEnd: true }
  readonly stop: undefined
  readonly close: undefined
}

export type RequestOutcome<T = unknown> = { readonly value: T } | { readonly fault: Fault }

export async function outcomeOf(work: () => unknown): Promise<RequestOutcome> {
  try {
    return { value: await work() }
  } catch (error) {
    const { code, isShown } = error instanceof ServiceError ? error : { code: undefined, isShown: false }
    return { fault: { code, sentence: sentenceOf(error), isShown } }
  }
}

/** Returns the value. Errors: ServiceError, as thrown in the other process; Error for any other. */
export function unwrap<T>(outcome: RequestOutcome<T>): T {
  if (!('fault' in outcome)) return outcome.value
  const { code, sentence, isShown } = outcome.fault
  throw code === undefined ? new Error(sentence) : new ServiceError(code, sentence, { isShown })
}
