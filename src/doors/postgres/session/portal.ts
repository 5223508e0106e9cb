import type { TextRows } from '../../../answers/sql/sql-session.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import { refuse } from '../wire/postgres-error.ts'
import type { RowValue } from '../wire/replies.ts'
import type { Deadline } from './deadline.ts'
import { type Prepared, sizeOfPrepared } from './prepared.ts'
import type { RowStream } from './row-stream.ts'

/** A statement with its values, ready to run or suspended between its rows. */
export interface Portal {
  readonly prepared: Prepared
  readonly values: readonly (string | null)[]
  /** True for each column in the binary format. */
  readonly isBinary: readonly boolean[]
  stream?: RowStream | undefined
  deadline?: Deadline | undefined
  isDone: boolean
  /** Snapshot of a cursor; that of the transaction if undefined. */
  readonly at?: Snapshot
  /** True for a cursor WITH HOLD. */
  readonly holds?: boolean
  /** True once the transaction that declared it has committed: later ones do not end it. */
  isHeld?: boolean | undefined
}

/** Characters that a portal occupies, with its statement, which may be closed before it. */
export function sizeOfPortal({ prepared, values }: Portal): number {
  return values.reduce((sum, value) => sum + (value?.length ?? 0), sizeOfPrepared(prepared))
}

/** Spreads formats of a message: none is text for all, one counts for all. Errors: 08P01. */
export function formatsOf(formats: readonly boolean[], count: number): readonly boolean[] {
  if (formats.length > 1 && formats.length !== count)
    refuse('08P01', `A message has ${formats.length} formats for ${count} values.`)
  return Array.from({ length: count }, (_, index) => formats[index] ?? formats[0] ?? false)
}

/** Writes rows for a client. */
export function rowsOf(rows: TextRows, { prepared, isBinary }: Portal): readonly (readonly RowValue[])[] {
  const { columns = [] } = prepared
  return rows.map((row) =>
    columns.map((column, index) => {
      const value = row[index] ?? null
      if (value === null) return null
      return isBinary[index] === true ? column.binary(value) : column.text(value)
    }),
  )
}
