import { type ErrorCode, ServiceError, sentenceOf, type TextPosition } from '../../../base/errors.ts'
import type { FirstRows } from '../first-rows.ts'
import type {
  CheckedStatement,
  CheckOptions,
  LinesForm,
  ParameterValues,
  SqlOptions,
} from '../sql-session.ts'
import type { SnapshotFiles } from '../views/snapshot-files.ts'

export interface OpenRequest extends Omit<SqlOptions, 'at' | 'checkedFiles'> {
  /** Limit of cached data files of a bucket lake, in MB. */
  readonly copyMb: number
  readonly snapshot: SnapshotFiles
}

export interface CheckRequest extends CheckOptions {
  readonly statement: string
}

/** Format of rows: texts, lines, or an Arrow IPC stream in base64. */
type RowsForm = 'texts' | 'arrow' | LinesForm

export interface RowsRequest {
  readonly statement: CheckedStatement
  readonly form: RowsForm
  readonly values?: ParameterValues | undefined
}

interface Fault {
  readonly code: ErrorCode | undefined
  readonly sentence: string
  readonly isShown: boolean
  readonly position?: TextPosition | undefined
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
    const sentence = sentenceOf(error)
    if (!(error instanceof ServiceError)) return { fault: { code: undefined, sentence, isShown: false } }
    const { code, isShown, position } = error
    return { fault: { code, sentence, isShown, position } }
  }
}

/** Returns the value. Errors: ServiceError, as thrown in the other process; Error for any other. */
export function unwrap<T>(outcome: RequestOutcome<T>): T {
  if (!('fault' in outcome)) return outcome.value
  const { code, sentence, isShown, position } = outcome.fault
  throw code === undefined ? new Error(sentence) : new ServiceError(code, sentence, { isShown, position })
}
