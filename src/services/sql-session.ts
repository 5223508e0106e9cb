import type { OpenRequest } from '../answers/sql/process/requests.ts'
import { SqlSession } from '../answers/sql/sql-session.ts'
import { ServiceError } from '../base/errors.ts'
import { readFault } from '../engine/duckdb/failures.ts'
import { type CheckedFiles, openCheckedFiles } from '../lake/integrity/checked-files.ts'
import { fetcherOf } from './copies.ts'

/**
 * Returns a function that opens sessions in the process that runs statements. Verdicts on files are kept between
 * sessions.
 */
export function sqlSessions(): (request: OpenRequest) => Promise<SqlSession> {
  const checkedByLake = new Map<string, CheckedFiles>()

  function checkedFilesOf({ lake, copyMb }: OpenRequest): CheckedFiles {
    const bring = fetcherOf({ lake, lake_copy_mb: copyMb })
    // DuckDB's errors about the text of a statement are faults of the client, not damage.
    const opened = () =>
      openCheckedFiles({ lake, bring }, (error) => readFault(error) instanceof ServiceError)
    const checked = checkedByLake.get(lake) ?? opened()
    checkedByLake.set(lake, checked)
    return checked
  }

  return (request) =>
    SqlSession.open({ ...request, at: request.snapshot, checkedFiles: checkedFilesOf(request) })
}
