import { type ErrorCode, ServiceError, sentenceOf } from '../../../base/errors.ts'
import type { FirstRowsLimits } from '../first-rows.ts'
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

export type RequestOutcome = { readonly value: unknown } | { readonly fault: Fault }

export async function outcomeOf(work: () => unknown): Promise<RequestOutcome> {
  try {
    return { value: await work() }
  } catch (error) {
    const { code, isShown = false } = error instanceof ServiceError ? error : ({} as Partial<ServiceError>)
    return { fault: { code, sentence: sentenceOf(error), isShown } }
  }
}

/** Returns the value. Errors: ServiceError, as thrown in the other process; Error for any other. */
export function unwrap(outcome: RequestOutcome): unknown {
  if (!('fault' in outcome)) return outcome.value
  const { code, sentence, isShown } = outcome.fault
  throw code === undefined ? new Error(sentence) : new ServiceError(code, sentence, { isShown })
}
