import { readFault } from '../engine/duckdb/failures.ts'
import { ServiceError } from '../errors.ts'
import { type CheckedFiles, openCheckedFiles } from '../integrity/checked-files.ts'
import type { OpenRequest } from '../sql/process/requests.ts'
import { SqlSession } from '../sql/sql-session.ts'
import { bringerOf } from './copies.ts'

/** Opens sessions in the process that runs statements. What is known of files of a lake is kept from one to the next. */
export function sqlSessions(): (request: OpenRequest) => Promise<SqlSession> {
  const known = new Map<string, CheckedFiles>()

  function checkedFilesOf({ lake, copyMb }: OpenRequest): CheckedFiles {
    const bring = bringerOf({ lake, lake_copy_mb: copyMb })
    // DuckDB's errors about a statement's text are the client's.
    const opened = () =>
      openCheckedFiles({ lake, bring }, (error) => readFault(error) instanceof ServiceError)
    const checked = known.get(lake) ?? opened()
    known.set(lake, checked)
    return checked
  }

  return (request) =>
    SqlSession.open({ ...request, at: request.snapshot, checkedFiles: checkedFilesOf(request) })
}
